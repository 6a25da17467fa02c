"""Take the disguise off a text: every reading of it that a model could follow.

Folded first: case, accents, width, fonts, hidden characters. A text of several lines is read as
one line too, as a prompt prints it. Then, only where the text shows signs of it: look-alike
letters, escapes, spaced or joined letters, a mark after each word, digits for letters, exchanged letters,
base64, base32, hex, rot13, mirrored text. A reading that makes no sense matches no pattern.
"""

import base64
import binascii
import codecs
import re
import string
import unicodedata
import urllib.parse
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.injection.rule import END_MARKS, TATWEEL, plain, words_of
from afterword.pipeline.rules.text.fold import fold
from afterword.pipeline.rules.text.invisible import without_invisible
from afterword.pipeline.rules.text.spelling import spelled
from afterword.pipeline.rules.text.words import word_set

_MOST_CHARS: Final = 200_000
"""Characters of a text that are read: more than any memory may hold."""

_MOST_HIDDEN: Final = 400
"""Characters of a text whose letters somebody set apart: in a longer one a few stand alone by chance."""

_ESCAPES: Final = 0.7
"""The share that is left of a text whose words somebody wrote as escapes, or with hidden characters
between them, once they are undone."""

_WRAPPED: Final = expression(r"(?<=[^\s.!?:;。！？；…])[ \t]*[\r\n]+[ \t]*(?=[^\W\d_A-ZА-ЯÀ-ÖØ-Þ])")
"""Where a line goes on in the next one: no end of a sentence before, no large letter, mark or digit after."""

_DEPTH: Final = 2
"""Encodings inside each other that are opened."""


class Reading(NamedTuple):
    """One way to read a text.

    Args:
        text: plain, with its punctuation.
        words: as `words_of` returns them.
        line: the words between single spaces, for the patterns.
        is_disguised: whether the text had to be decoded for it.
        is_hidden: whether nobody writes so by chance: an encoding, letters with marks between them.
        is_run_on: whether lines were joined that may be those of a list: no one sentence.
        seen: the text with its capitals and accents; "" where only the plain text is known.
    """

    text: str
    words: Sequence[str]
    line: str
    is_disguised: bool
    is_hidden: bool = False
    is_run_on: bool = False
    seen: str = ""


_TAGS: Final = expression("(?<!\U0001f3f4)[\U000e0020-\U000e007e]{8,}")
_REVERSING: Final = expression("[\u202d\u202e]")
_SCRIPTS_WITH_LOOKALIKES: Final = expression(
    "[\u0250-\u02af\u0370-\u058f\u10a0-\u10ff\u13a0-\u13ff\u1d00-\u1d7f\u2c80-\u2cff\ua4d0-\ua4ff]"
)
_ESCAPED: Final = expression(r"&(?:#|[a-z]{2,8};)|%[0-9a-f]{2}|\\[ux][0-9a-f{]", re.IGNORECASE)
_SPACED: Final = expression(r"(?<![^\W_])[^\W_](?:[\W_]{1,4}[^\W_](?![^\W_])){7,}")
_LEET: Final = expression(r"[0134579@$!|+](?:(?<=[a-z].)(?=[a-z])|(?<![a-z0-9.].)(?=[a-z]{2}))")
_SIGNS: Final = ("013457@$!|+9", "oieastasiltg"), ("013457@$!|+9", "oleastasiitg")
_BASE64: Final = expression(r"[A-Za-z0-9+/_-]{16,}={0,2}")
_BASE32: Final = expression(r"(?<![A-Za-z0-9])[A-Z2-7]{16,}(?![A-Za-z0-9])")
_HEX: Final = expression(r"(?:[0-9a-fA-F]{2}[ ,:]?){8,}")
_CAMEL: Final = expression(r"(?<=[a-z])(?=[A-Z])")
_GLUED: Final = expression(r"\.(?<=[a-z]\.)[a-z]")  # a search for a dot is fast
_END_MARKS: Final = expression(f"[{re.escape(END_MARKS)}]+")
# Words that are each a sentence or a label of their own: `ignore. all. rules`, `ignore: all: rules`.
_CHAINED: Final = expression(
    rf"(?<![^\W_])[^\W\d_][^\W_]*+(?:\s*+[{re.escape(END_MARKS)}]++\s*+[^\W\d_][^\W_]*+){{2,}}"
)
_LONG_WORD: Final = 16
_SHORT: Final = bytes(range(_LONG_WORD))
_MANY_SINGLE: Final = 5
_MANY_TURNED: Final = 3
"""Mirrored words, or Korean letters that stand alone, of a text that nobody wrote so by chance."""
_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz")
# Letters as `a`, signs that may stand for letters as `1`, everything else as spaces.
_LETTER_SHAPES: Final = bytes(97 if chr(code) in _LETTERS else 32 for code in range(256))
_SIGN_SHAPES: Final = bytes(
    49 if chr(code) in _SIGNS[0][0] else _LETTER_SHAPES[code] for code in range(256)
)
_MANY_PAIRS: Final = 8
# Hexadecimal digits as zeros, everything else as spaces.
_HEX_SHAPES: Final = bytes(48 if chr(code) in string.hexdigits else 32 for code in range(256))
_HEX_RUN: Final = b"00" * _MANY_PAIRS
_BACKWARDS: Final = word_set(
    "backward backwards reverse reversed mirror mirrored lenvers reves ruckwarts tersten nguoc contrario"
)
"""Words that tell to read a text backwards."""
_BACKWARDS_ELSEWHERE: Final = expression(
    plain(
        "倒[着著过過]?[读讀念看]|反[着著過过]|逆[にさか]|さかさ|後ろから|наоборот|задом|справа налево|거꾸로|뒤에서"
        "|معكوس|اعكس|بالعكس|उल्टा|उलटा"
    )
)
"""The same in other scripts than Latin."""
_CYRILLIC: Final = expression("[\u0400-\u04ff]")
_CONSONANT: Final = 0x1100
_LAST: Final = 0x11A7
_FINAL: Final = expression("(?<=[\u1161-\u1175])[\u1100-\u110e\u1110\u1111](?![\u1161-\u1175])")
"""A Korean consonant that ends a syllable and was written alone; not those of laughter."""
_FINALS: Final = (1, 2, 4, 7, 0, 8, 16, 17, 0, 19, 20, 21, 22, 0, 23, 24, 25, 26)
"""By consonant, its number as the last one of a syllable; 0 for those that never are (Unicode 3.12)."""
_LATIN_IN_CYRILLIC: Final = str.maketrans("aceopxykmthb", "асеорхукмтнв")


def hidden_characters(text: str) -> str:
    """Return what hides text whatever it says: reversing marks, tag characters; "" if none."""
    if text.isascii():
        return ""
    if _REVERSING.search(text):
        return "text direction overridden"
    return "invisible tag characters" if _TAGS.search(text) else ""


def readings(text: str, depth: int = _DEPTH) -> Iterator[Reading]:
    """Yield the readings of a text, the plain one first."""
    text = text[:_MOST_CHARS]
    seen = without_invisible(text)
    low = plain(seen)
    was_plain = len(seen) == len(text) and unicodedata.is_normalized("NFKC", text)
    first = _reading(low, is_disguised=not was_plain)._replace(
        seen=seen.replace(TATWEEL, ""), is_hidden=len(seen) < _ESCAPES * len(text)
    )
    yield first
    if "\n" in low or "\r" in low:  # a prompt prints it as one line
        joined = _reading(" ".join(low.split()), is_disguised=not was_plain)
        yield joined._replace(is_run_on=True)
        wrapped = _WRAPPED.sub(" ", seen)
        yield _reading(plain(wrapped), is_disguised=not was_plain)._replace(seen=wrapped)
    if len(seen) != len(text):  # a hidden character may stand for a space
        apart = without_invisible(text, " ")
        spaced = plain(apart)
        yield _reading(spaced)._replace(seen=apart)
        if "\n" in spaced or "\r" in spaced:
            yield _reading(" ".join(spaced.split()))._replace(is_run_on=True)
    lengths = _lengths(first.words)
    for other in _hidden_letters(text, first, lengths):
        yield _reading(other)._replace(is_hidden=len(text) <= _MOST_HIDDEN)
    for other in _disguises(seen, first, lengths):
        yield _reading(other)
    if depth:
        for inner in _encoded(seen, lengths):
            for reading in readings(inner, depth - 1):
                yield reading._replace(is_disguised=True, is_hidden=True)
        for inner in _turned(text, seen, first):  # turned once more it is what it was
            for reading in readings(inner, 0):
                yield reading._replace(is_disguised=True, is_hidden=True)
        if ("%" in seen or "&" in seen or "\\" in seen) and _ESCAPED.search(seen):
            inner = _unescaped(seen)
            for reading in readings(inner, depth - 1):
                # Of a text with an escape here and there nobody hid the words.
                is_hidden = len(inner) < _ESCAPES * len(seen)
                yield reading._replace(is_disguised=True, is_hidden=is_hidden)


def turned(first: Reading) -> Iterator[Reading]:
    """Yield the readings of a text backwards, and with its letters shifted by 13.

    For a text in words that nobody knows; `readings` does it where a word asks for it.
    """
    for inner in (_mirrored(first.seen), codecs.encode(first.seen, "rot13")):
        for reading in readings(inner, 0):
            if not reading.is_run_on:
                yield reading._replace(is_disguised=True, is_hidden=True)


def _reading(text: str, *, is_disguised: bool = True) -> Reading:
    words = words_of(text)
    return Reading(text, words, f" {' '.join(words)} ", is_disguised)


def _lengths(words: Sequence[str]) -> bytes:
    """Return the lengths of words; characters, at most 255."""
    try:
        return bytes(map(len, words))
    except ValueError:
        return bytes([min(len(word), 255) for word in words])


def _has_long(lengths: bytes) -> bool:
    return len(lengths.translate(None, _SHORT)) > 0


def _hidden_letters(text: str, first: Reading, lengths: bytes) -> Iterator[str]:
    """Yield readings whose letters were exchanged, set apart or made invisible.

    Args:
        lengths: as `_lengths` returns them.
    """
    low = first.text
    raw = low.encode("ascii", "replace")
    if not low.isascii() and _SCRIPTS_WITH_LOOKALIKES.search(low):
        yield fold(low)[0]
        if _CYRILLIC.search(low):
            yield " ".join(_in_cyrillic(word) for word in low.split(" "))
    if not low.isascii() and len(_FINAL.findall(low)) >= _MANY_TURNED:
        yield _FINAL.sub(_with_final, low)
    if _has_many_single(raw, first.words, lengths) or 4 * low.count(".") >= len(low):
        yield _joined(low, "._*~|,/-·・•")
        yield _joined(low, " ")
        if _SPACED.search(low):
            yield split_by_vocabulary(re.sub(r"[\W_]+", "", low))
    if not text.isascii() and (tags := _TAGS.findall(text)):
        yield "".join(chr(ord(one) - 0xE0000) for run in tags for one in run).lower()


def _disguises(seen: str, first: Reading, lengths: bytes) -> Iterator[str]:
    """Yield readings that keep the text's letters in their order.

    Args:
        lengths: as `_lengths` returns them.
    """
    low = first.text
    raw = low.encode("ascii", "replace")
    is_glued = _GLUED.search(low) is not None
    if is_glued:
        yield low.replace(".", ". ")
    if is_glued or _has_chain(first.line):
        yield _CHAINED.sub(lambda found: _END_MARKS.sub(" ", found[0]), low)
    if _has_signs(raw, low):
        for signs, letters in _SIGNS:
            table = str.maketrans(signs, letters)
            yield " ".join(_unleet(word, table) for word in low.split())
    if len(swapped := _SWAPPED_WORDS.intersection(first.words)) >= _MANY_SWAPPED:
        for word in swapped:
            low = low.replace(word, _SWAPPED[word])
        yield low
    if _has_long(lengths):
        yield plain(_CAMEL.sub(" ", seen))
        yield split_by_vocabulary(low)


def _with_final(found: re.Match[str]) -> str:
    """Return a consonant as the last one of its syllable."""
    last = _FINALS[ord(found[0]) - _CONSONANT]
    return chr(_LAST + last) if last else found[0]


def _has_many_single(raw: bytes, words: Sequence[str], lengths: bytes) -> bool:
    """Say whether letters stand alone; a dot, a sign or a digit may be a word too.

    Args:
        raw: the text they are words of, in ASCII.
    """
    if lengths.count(1) < _MANY_SINGLE:
        return False
    if b"?" in raw and sum(word > "~" and len(word) == 1 for word in words) >= _MANY_SINGLE:
        return True  # letters of another script
    return (
        # Of letters side by side every second one is counted, the first and the last one never.
        raw.translate(_LETTER_SHAPES).count(b" a ") >= _MANY_SINGLE // 2
        and sum(map(_LETTERS.__contains__, words)) >= _MANY_SINGLE
    )


def _has_signs(raw: bytes, low: str) -> bool:
    """Say whether digits or signs stand for letters.

    Args:
        raw: the text in ASCII.
    """
    return b"1a" in raw.translate(_SIGN_SHAPES) and _LEET.search(low) is not None


def _has_chain(line: str) -> bool:
    """Say whether a word is a sentence or a label of its own, between two others."""
    # Written out: this runs for every text.
    for part in line.replace(":", ".").split(" . ")[1:-1]:  # noqa: SIM110
        if " " not in part:
            return True
    return False


def _joined(low: str, between: str) -> str:
    """Return a text with runs of single letters joined: `i g n o r e   a l l`, `a.l.l`."""
    run = rf"(?<![^\W_])[^\W_](?:[{re.escape(between)}][^\W_](?![^\W_]))+"
    wide = re.sub(r"\s{2,}", " \0 ", low)  # a wider gap stands for the space between words
    return re.sub(run, lambda found: re.sub(r"[\W_]", "", found[0]), wide).replace("\0", " ")


def _unleet(word: str, table: dict[int, int]) -> str:
    body = word.rstrip("!.,?")
    if not any(one.isalpha() for one in body):
        return word
    return body.translate(table) + word[len(body) :]


def _encoded(seen: str, lengths: bytes) -> Iterator[str]:
    """Yield texts that the text holds in an encoding.

    Args:
        lengths: as `_lengths` returns them.
    """
    if _has_long(lengths) or (lengths.count(2) >= _MANY_PAIRS and _has_hex(seen)):
        for run in _HEX.findall(seen):
            yield from _as_text(_from_hex(run))
        for run in _BASE64.findall(seen):
            yield from _as_text(_from_base64(run))
        for run in _BASE32.findall(seen):
            yield from _as_text(_from_base32(run))


def _turned(text: str, seen: str, first: Reading) -> Iterator[str]:
    """Yield a text with its letters shifted or mirrored, where its words ask for it."""
    turned = _TURNED.intersection(first.words)  # of most texts none
    if "rot13" in first.text or (
        turned and (not turned.isdisjoint(_ROT13) or len(turned & _ROT13_SHORT) > 1)
    ):
        yield codecs.encode(seen, "rot13")
    if (
        not turned.isdisjoint(_MIRRORED)
        or len(turned & _MIRRORED_SHORT) >= _MANY_TURNED
        or not turned.isdisjoint(_BACKWARDS)
        or (
            not text.isascii()
            and (_REVERSING.search(text) or _BACKWARDS_ELSEWHERE.search(first.text))
        )
    ):
        yield _mirrored(seen)


def _mirrored(seen: str) -> str:
    return unicodedata.normalize("NFC", seen)[::-1]


def _has_hex(seen: str) -> bool:
    packed = seen.encode("ascii", "replace").translate(_HEX_SHAPES, b" ,:")
    return _HEX_RUN in packed and _HEX.search(seen) is not None


def _unescaped(seen: str) -> str:
    once = spelled(urllib.parse.unquote(seen)).text
    return spelled(once).text if _ESCAPED.search(once) else once


def _from_hex(run: str) -> bytes:
    digits = re.sub("[ ,:]", "", run)
    return bytes.fromhex(digits[: len(digits) // 2 * 2])


def _from_base64(run: str) -> bytes:
    body = run.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(body + "=" * (-len(body) % 4))
    except (binascii.Error, ValueError):
        return b""


def _from_base32(run: str) -> bytes:
    try:
        return base64.b32decode(run + "=" * (-len(run) % 8))
    except (binascii.Error, ValueError):
        return b""


def _as_text(encoded: bytes) -> Iterator[str]:
    try:
        text = encoded.decode()
    except UnicodeDecodeError:
        return
    if len(text) >= 8 and "".join(text.split()).isprintable():
        yield text


def _in_cyrillic(word: str) -> str:
    return word.translate(_LATIN_IN_CYRILLIC) if _CYRILLIC.search(word) else word


_KNOWN: set[str] = set()
_ROT13: set[str] = set()
_ROT13_SHORT: set[str] = set()
_MIRRORED: set[str] = set()
_MIRRORED_SHORT: set[str] = set()
_TURNED: set[str] = set()
"""The words of the four sets before it, and those that tell to read backwards."""

_SWAPPED: dict[str, str] = {}
"""Known words with two letters exchanged, `igonre`, and the words."""
_SWAPPED_WORDS: set[str] = set()

_SMALL_WORDS: Final = word_set(
    "the all to me my you your this and of that is are be do a in on it no not have has for from"
)
_MANY_SWAPPED: Final = 2
"""Words with two letters exchanged of a text that are no slip."""
_TELLING: Final = 6
"""Letters of a word that is unlikely to be a mirrored or shifted one by chance."""


def learn_vocabulary(words: frozenset[str]) -> None:
    """Take the words of all patterns: joined, shifted, mirrored and misspelled text is known by them."""
    _KNOWN.update(word for word in words if word.isascii() and word.isalpha() and len(word) > 2)
    _KNOWN.update(_SMALL_WORDS)
    telling = {word for word in _KNOWN if len(word) >= _TELLING}
    _ROT13.update(codecs.encode(word, "rot13") for word in telling)
    _ROT13_SHORT.update(codecs.encode(word, "rot13") for word in _KNOWN if len(word) >= 4)
    _MIRRORED.update({word[::-1] for word in telling} - _KNOWN)
    _MIRRORED_SHORT.update({word[::-1] for word in _KNOWN if len(word) > 2} - _KNOWN)
    for word in sorted(telling):
        for at in range(1, len(word) - 2):
            swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
            if swapped not in _KNOWN:
                _SWAPPED[swapped] = word
    _SWAPPED_WORDS.update(_SWAPPED)
    _TURNED.update(_ROT13 | _ROT13_SHORT | _MIRRORED | _MIRRORED_SHORT | _BACKWARDS)


def split_by_vocabulary(low: str) -> str:
    """Return a text with its long words split where possible: `ignoreallrules`: three words."""
    return " ".join(
        " ".join(_split(word)) if len(word) >= _LONG_WORD and word.isalpha() else word
        for word in re.findall(r"[a-z]+|[^a-z]+", low)
    )


def _split(word: str) -> list[str]:
    """Return a word cut into known words, with as few unknown letters as possible."""
    best: list[tuple[int, int]] = [(0, 0)]  # unknown letters so far, start of the last piece
    for end in range(1, len(word) + 1):
        unknown = min(
            [(best[end - 1][0] + 10, end - 1)]
            + [
                (best[start][0] + 1, start)
                for start in range(max(0, end - _LONG_WORD), end)
                if word[start:end] in _KNOWN
            ]
        )
        best.append(unknown)
    pieces: list[str] = []
    end = unknown_end = len(word)  # unknown letters beside each other are one piece
    while end:
        start = best[end][1]
        if word[start:end] in _KNOWN:
            pieces += (word[end:unknown_end], word[start:end])
            unknown_end = start
        end = start
    pieces.append(word[:unknown_end])
    return [piece for piece in reversed(pieces) if piece]
