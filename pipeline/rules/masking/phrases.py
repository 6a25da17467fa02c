"""BIP-39 recovery phrases in every language of the standard, recognised by their checksum."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Final, NamedTuple

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.masking.finding import Secret

SIZES: Final = (12, 15, 18, 21, 24)
_LEAST: Final = SIZES[0]
_LEAST_DISTINCT: Final = 8  # except `abandon abandon … about`, a well-known real phrase
_BITS: Final = 11  # bits of a word's index in its list of 2,048

_WORD: Final = expression(r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f\u3099\u309a])*")
_FOREIGN: Final = expression(r"[\u00c0-\u1fff\u3040-\uffff]")  # letters, not signs
_ACCENT: Final = expression(r"[\u0300-\u036f]")
# No character can be read in two ways: a number of 60 digits would be tried in 10^12.
_GAP: Final = expression(
    r"(?:[^\w.!?。！？\\]|_|\d|\.(?:(?<=\d\.)|(?=\S))|word(?=[\W_]{0,3}\d)|\\+[nrt]?)*+",
    re.IGNORECASE,
)
_LONGEST_GAP: Final = 24
_NUMBERED: Final = expression(r"[\W_]{0,3}\d{1,2}(?!\d)")
_LETTERS: Final = bytes(  # lower case, everything else a space
    ord(chr(byte).lower()) if chr(byte).isalpha() and byte < 128 else 32 for byte in range(256)
)
_UNSPACED: Final = expression(
    r"(?:助[记記][词詞]|种子|種子|恢[复復]短[语語]|mnemonic|seed|phrase)[^\n\u4e00-\u9fff]{0,8}"
    r"[是为為]?[:：\s\"“]{0,4}([\u4e00-\u9fff]{12,24})(?![\u4e00-\u9fff])"
)
_BROKEN: Final = {"сно\ufffd\ufffdа": "снова"}  # file names in mnemonic 0.21


_STEP: Final = 4
"""Of how many words the quick check looks at one; count."""


class Token(NamedTuple):
    """A folded word of a text with its position."""

    word: str
    start: int
    end: int


def are_possible(text: str) -> bool:
    """Return quickly whether twelve consecutive words can be of one list."""
    if len(text) < 2 * _LEAST - 1 and text.isascii():
        return False  # too short for twelve words with separators
    if "\\" in text:
        text = _spaced(text)
    words: Sequence[str | bytes]
    if text.isascii() or not _FOREIGN.search(text):
        words = text.encode("ascii", "replace").translate(_LETTERS).split()
    else:
        words = _WORD.findall(_folded(text))
    if len(words) < _LEAST:
        return False
    is_known = _known_words().__contains__
    if b"\1" * (_LEAST // _STEP) not in bytes(map(is_known, words[_STEP - 1 :: _STEP])):
        return False  # of twelve words in a row, three are looked at
    return b"\1" * _LEAST in bytes(map(is_known, words))


def find(text: str) -> Iterator[Secret]:
    """Yield the phrases of a text.

    Words may be numbered, quoted, in any case, and separated by spaces, commas or lines. Every
    stretch of 12, 15, 18, 21 or 24 words with a correct checksum counts. One in sixteen random
    stretches of twelve words has one, but prose rarely has such stretches, since the lists leave
    out its small words.
    """
    tokens = tokens_of(text)
    for places in word_lists().values():
        for run in _runs(text, tokens, places):
            yield from _phrases(run, places)


def find_unspaced(low: str) -> Iterator[Secret]:
    """Yield Chinese phrases written without spaces, only after a label.

    Any Chinese prose is a run of such characters and has correct checksums by chance.
    """
    for match in _UNSPACED.finditer(low):
        if _is_unspaced_phrase(match[1]):
            yield Secret(match.start(1), match.end(1), "recovery-phrase")


def tokens_of(text: str, least: int = _LEAST) -> list[Token]:
    """Return the words of a text, without the labels in `word 1: … word 2: …`.

    Args:
        least: how many such labels are needed to recognise them.
    """
    tokens = [
        Token(_folded(match[0]), match.start(), match.end())
        for match in _WORD.finditer(_spaced(text))
    ]
    labels = {
        token for token in tokens if token.word == "word" and _NUMBERED.match(text, token.end)
    }
    return [token for token in tokens if token not in labels] if len(labels) >= least else tokens


def _spaced(text: str) -> str:
    return re.sub(r"\\[nrt]", "  ", text) if "\\" in text else text


def _folded(word: str) -> str:
    if word.isascii():
        return word.lower()
    return _ACCENT.sub("", unicodedata.normalize("NFKD", word.lower()))


@cache
def word_lists() -> Mapping[str, Mapping[str, int]]:
    """Return the index of each folded word, by language."""
    # Loaded at the first text of twelve words: it takes some 40 ms.
    from mnemonic import Mnemonic

    return {
        language: {
            _folded(_BROKEN.get(word, word)): place
            for place, word in enumerate(Mnemonic(language).wordlist)
        }
        for language in sorted(Mnemonic.list_languages())
    }


@cache
def _known_words() -> frozenset[str | bytes]:
    words = {word for places in word_lists().values() for word in places}
    return frozenset(words | {word.encode() for word in words if word.isascii()})


def _runs(
    text: str, tokens: Sequence[Token], places: Mapping[str, int]
) -> Iterator[Sequence[Token]]:
    """Yield the longest stretches of words of one list with only signs between them."""
    run: list[Token] = []
    for token in tokens:
        if token.word not in places:
            if len(run) >= _LEAST:
                yield run
            run = []
            continue
        if run and not joins(text, run[-1].end, token.start):
            if len(run) >= _LEAST:
                yield run
            run = []
        run.append(token)
    if len(run) >= _LEAST:
        yield run


def joins(text: str, start: int, end: int, most: int = _LONGEST_GAP) -> bool:
    """Return whether only signs, numbers and line breaks are between two words."""
    return end - start <= most and _GAP.fullmatch(text, start, end) is not None


def _phrases(run: Sequence[Token], places: Mapping[str, int]) -> Iterator[Secret]:
    numbers = [places[token.word] for token in run]
    for start in range(len(run) - _LEAST + 1):
        for size in SIZES:
            if start + size <= len(run) and _is_phrase(numbers[start : start + size]):
                yield Secret(run[start].start, run[start + size - 1].end, "recovery-phrase")


def _is_phrase(numbers: Sequence[int]) -> bool:
    """Return whether the last bits of a phrase equal the first bits of its digest.

    A random phrase repeats few words; prose about markets repeats many (`open long, close long,
    …`).
    """
    if len(set(numbers)) < _LEAST_DISTINCT and len(set(numbers[:-1])) > 1:
        return False
    bits = 0
    for number in numbers:
        bits = bits << _BITS | number
    check_bits = len(numbers) // 3
    entropy = (bits >> check_bits).to_bytes(check_bits * 4)
    return bits & ((1 << check_bits) - 1) == sha256(entropy).digest()[0] >> (8 - check_bits)


def _is_unspaced_phrase(run: str) -> bool:
    if len(run) not in SIZES:
        return False
    chinese = (word_lists()["chinese_simplified"], word_lists()["chinese_traditional"])
    return any(
        all(sign in places for sign in run) and _is_phrase([places[sign] for sign in run])
        for places in chinese
    )
