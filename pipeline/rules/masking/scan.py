"""Run the detectors on a text and merge their findings."""

from bisect import bisect
from operator import itemgetter
from typing import Final

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.masking import (
    evm,
    labelled,
    labelled_phrases,
    labels,
    otp,
    pem,
    phrases,
    prefixed,
    urls,
    vendors,
    wallets,
)
from afterword.pipeline.rules.masking.finding import MARKER, Secret, merged
from afterword.pipeline.rules.masking.lower import lowered
from afterword.pipeline.rules.masking.unescaped import has_escapes, unescaped
from afterword.pipeline.rules.masking.visible import places, visible
from afterword.pipeline.rules.text.words import any_of

_VISIBLE: Final = expression(r"[!-~]+")
# White space as spaces, everything else as `x`.
_SHAPES: Final = bytes(32 if chr(code).isspace() else 120 for code in range(256))
_LONG: Final = b"x" * vendors.SHORTEST_TOKEN
_LABEL_WORDS: Final = any_of((*labels.LABEL_WORDS, *labelled_phrases.PHRASE_WORDS, *otp.OTP_WORDS))


def findings(text: str) -> list[Secret]:
    """Return the secrets of a text in order; none overlaps another or a part of a marker."""
    shown = visible(text)
    found = _in_reading(shown)
    if has_escapes(shown):  # a token right behind `\\u003d` does not begin a word as it is written
        plain, starts, ends = unescaped(shown)
        found = merged(
            [
                *found,
                *(
                    Secret(starts[one.start], ends[one.end - 1], one.kind)
                    for one in _in_reading(plain)
                ),
            ]
        )
        found = _outside_markers(shown, found)
    if not found or len(shown) == len(text):
        return found
    at = places(text)
    return [Secret(at[one.start], at[one.end - 1] + 1, one.kind) for one in found]


def _in_reading(text: str) -> list[Secret]:
    found = _all(text, lowered(text))
    return _outside_markers(text, merged(found)) if found else found


def _all(text: str, low: str) -> list[Secret]:
    """Run each family of detectors that a quick check does not exclude; most texts need none."""
    found: list[Secret] = []
    has_words = has_label_words(low)
    if phrases.are_possible(text):
        found += phrases.find(text)
    if has_words and labelled_phrases.are_possible(low):
        found += labelled_phrases.find(text, low)
    if not text.isascii():
        found += phrases.find_unspaced(low)
    if text.count(",") >= wallets.KEY_PAIR_COMMAS:
        found += wallets.find_byte_arrays(text)
    if pem.PEM_MARK in text:
        found += pem.find(text)
    if "/" in text or "@" in text or "-u" in text:
        found += urls.find(text)
    if words := _long_words(text):
        longest = max(map(len, words))
        found += vendors.find(text, " ".join(words))
        found += prefixed.find(text)
        found += wallets.find(text, longest)
        if longest >= evm.KEY_DIGITS:
            found += evm.find(text, low)
    has_labels = has_words and labels.are_possible(low)
    if (has_words and otp.are_possible(low)) or (
        has_labels and ("secret" in low or "setup" in low)
    ):
        found += otp.find(text, low)
    if has_labels:  # last: a secret of a more specific kind keeps that kind
        found += labelled.find(text, low)
    return found


def has_label_words(low: str) -> bool:
    """Return quickly whether a lower-case text can have a label of any kind; most have none."""
    return not low.isascii() or _LABEL_WORDS.search(low) is not None


def _long_words(text: str) -> list[str]:
    """Return the words that are long enough for a token; most texts have none."""
    if text.isascii() and _LONG not in text.encode().translate(_SHAPES):
        return []
    words = text.split() if text.isascii() else _VISIBLE.findall(text)
    return [word for word in words if len(word) >= vendors.SHORTEST_TOKEN]


def _outside_markers(text: str, found: list[Secret]) -> list[Secret]:
    if not found or "[masked:" not in text:
        return found
    markers = [match.span() for match in MARKER.finditer(text)]
    clipped = [_clipped(one, markers) for one in found]
    return [one for one in clipped if one.start < one.end]


def _clipped(one: Secret, markers: list[tuple[int, int]]) -> Secret:
    """Return a finding cut at the markers it touches; empty if it is inside them."""
    start, end = one.start, one.end
    while start < end and (marker := _marker_at(start, markers)):
        start = marker[1]
    while start < end and (marker := _marker_at(end - 1, markers)):
        end = marker[0]
    return Secret(start, end, one.kind)


def _marker_at(place: int, markers: list[tuple[int, int]]) -> tuple[int, int] | None:
    before = bisect(markers, place, key=itemgetter(0)) - 1
    return markers[before] if before >= 0 and place < markers[before][1] else None
