"""Detect the language of a statement by its script and function words."""

import re
from typing import Final

_SCRIPTS: Final = (
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7af]")),
    ("zh", re.compile("[\u3400-\u9fff]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
)
_SMALL_WORDS: Final = {
    "en": "the a an of to in on is are at for and with when his her user by from it than as out so",
    "es": "el la los las de del en con para por una un y es su al que cuando usuario nunca más",
    "pt": "o os as da do das dos em com para uma um e é seu ao quando usuário não nunca mais",
    "de": "der die das den dem des und in mit auf für bei ist ein eine er sie nicht nie nutzer zu",
    "fr": "le la les des du de en avec pour une un et est son sa au quand utilisateur ne pas",
    "it": "il lo gli le di del della in con per una un e è suo al quando utente non mai più",
}
_OF_WORD: Final = {language: frozenset(words.split()) for language, words in _SMALL_WORDS.items()}
_WORDS: Final = re.compile(r"[a-zà-öø-ÿ]+")


_UNKNOWN: Final = "latin"
"""The language of a text without known script or function words."""


def language(text: str) -> str:
    """Return the two letters of a language, by script or function words; `_UNKNOWN` if unclear.

    A ticker inside a Chinese sentence leaves it Chinese.
    """
    if not text.isascii():
        for name, script in _SCRIPTS:
            if script.search(text):
                return name
    words = _WORDS.findall(text.lower())
    counts = {name: sum(word in small for word in words) for name, small in _OF_WORD.items()}
    best = max(counts, key=lambda name: (counts[name], name == "en"))
    return best if counts[best] else _UNKNOWN


def is_one_language(one: str, other: str) -> bool:
    """Return whether two texts may be of one language."""
    return one == other or (_UNKNOWN in (one, other) and {one, other} <= {_UNKNOWN, *_OF_WORD})
