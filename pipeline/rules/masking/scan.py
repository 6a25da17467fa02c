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
    secrets = _in_reading(shown)
    if has_escapes(shown):  # a token right behind `\\u003d` does not begin a word as it is written
        plain, starts, ends = unescaped(shown)
        secrets = merged(
            [
                *secrets,
                *(
                    Secret(starts[secret.start], ends[secret.end - 1], secret.kind)
                    for secret in _in_reading(plain)
                ),
            ]
        )
        secrets = _outside_markers(shown, secrets)
    if not secrets or len(shown) == len(text):
        return secrets
    at = places(text)
    return [Secret(at[one.start], at[one.end - 1] + 1, one.kind) for one in secrets]


def _in_reading(text: str) -> list[Secret]:
    secrets = _all(text, lowered(text))
    return _outside_markers(text, merged(secrets)) if secrets else secrets


def _all(text: str, low: str) -> list[Secret]:
    """Run each family of detectors that a quick check does not exclude; most texts need none."""
    secrets: list[Secret] = []
    has_words = has_label_words(low)
    if phrases.are_possible(text):
        secrets += phrases.find(text)
    if has_words and labelled_phrases.are_possible(low):
        secrets += labelled_phrases.find(text, low)
    if not text.isascii():
        secrets += phrases.find_unspaced(low)
    if text.count(",") >= wallets.KEY_PAIR_COMMAS:
        secrets += wallets.find_byte_arrays(text)
    if pem.PEM_MARK in text:
        secrets += pem.find(text)
    if "/" in text or "@" in text or "-u" in text:
        secrets += urls.find(text)
    if words := _long_words(text):
        longest = max(map(len, words))
        secrets += vendors.find(text, " ".join(words))
        secrets += prefixed.find(text)
        secrets += wallets.find(text, longest)
        if longest >= evm.KEY_DIGITS:
            secrets += evm.find(text, low)
    has_labels = has_words and labels.are_possible(low)
    if (has_words and otp.are_possible(low)) or (
        has_labels and ("secret" in low or "setup" in low)
    ):
        secrets += otp.find(text, low)
    if has_labels:  # last: a secret of a more specific kind keeps that kind
        secrets += labelled.find(text, low)
    return secrets


def has_label_words(low: str) -> bool:
    """Return quickly whether a lower-case text can have a label of any kind; most have none."""
    return not low.isascii() or _LABEL_WORDS.search(low) is not None


def _long_words(text: str) -> list[str]:
    """Return the words that are long enough for a token; most texts have none."""
    if text.isascii() and _LONG not in text.encode().translate(_SHAPES):
        return []
    words = text.split() if text.isascii() else _VISIBLE.findall(text)
    return [word for word in words if len(word) >= vendors.SHORTEST_TOKEN]


def _outside_markers(text: str, secrets: list[Secret]) -> list[Secret]:
    if not secrets or "[masked:" not in text:
        return secrets
    markers = [match.span() for match in MARKER.finditer(text)]
    clipped = [_clipped(one, markers) for one in secrets]
    return [one for one in clipped if one.start < one.end]


def _clipped(secret: Secret, markers: list[tuple[int, int]]) -> Secret:
    """Return a finding cut at the markers it touches; empty if it is inside them."""
    start, end = secret.start, secret.end
    while start < end and (marker := _marker_at(start, markers)):
        start = marker[1]
    while start < end and (marker := _marker_at(end - 1, markers)):
        end = marker[0]
    return Secret(start, end, secret.kind)


def _marker_at(place: int, markers: list[tuple[int, int]]) -> tuple[int, int] | None:
    before = bisect(markers, place, key=itemgetter(0)) - 1
    return markers[before] if before >= 0 and place < markers[before][1] else None
