"""Word overlap of two statements: ranks the candidates a judge compares."""

import re
from typing import Final

from afterword.pipeline.rules.text.grams import UNSPACED
from afterword.pipeline.rules.text.words import word_set

_WORD: Final = re.compile(r"[^\W\d_]+", re.UNICODE)
_SMALL: Final = word_set("""
    a an the of to in on at for and or with by from as is are was were be been it its this that
    than then they their he she his her user users agent has have had do does did will would i my
    not no any when if so now always usually only el la los las de del en con para por un una y es
    al que der die das den dem und mit auf für bei ist ein eine le les des du et est au une nutzer
    usuario utilisateur
""")
_UNSPACED_SMALL: Final = re.compile(
    "用户|喜欢|偏好|的|了|在|是|和|与|会|要|时|就|把|用|不|都|也|他|她"
)
_ENDINGS: Final = ("ing", "ies", "ed", "es", "s")


def content_words(text: str) -> frozenset[str]:
    """Return the content words of a lower-cased text, stemmed.

    Scripts without spaces give their pairs of characters.
    """
    return frozenset(_stem(word) for word in spaced_words(text)).union(unspaced_pairs(text))


def spaced_words(text: str) -> list[str]:
    """Return the content words of a lower-cased text, as they are written."""
    spaced = UNSPACED.sub(" ", text)
    return [word for word in _WORD.findall(spaced) if word not in _SMALL]


def unspaced_pairs(text: str) -> list[str]:
    """Return the pairs of characters of scripts without spaces, small words left out."""
    parts = [part for run in UNSPACED.findall(text) for part in _UNSPACED_SMALL.split(run) if part]
    return [part[at : at + 2] for part in parts for at in range(max(1, len(part) - 1))]


def likeness(words: frozenset[str], other: frozenset[str]) -> float:
    """Return the Jaccard similarity of two sets of words, in [0, 1]."""
    return len(words & other) / max(1, len(words | other))


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word
