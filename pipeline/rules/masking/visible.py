"""The visible form of a text: without invisible characters, with look-alike letters replaced."""

import re
from typing import Final

from afterword.pipeline.rules.text.fold import fold

_HIDDEN: Final = (  # soft hyphens, fillers, zero widths, directions, variation selectors, tags
    r"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    r"\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a"
    r"\U000e0000-\U000e0fff"
)
_ODD: Final = r"\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d7ff"  # wide, mathematical
_OTHER: Final = r"\u0370-\u058f"  # Greek, Cyrillic, Armenian
_ANY: Final = re.compile(f"[{_HIDDEN}{_ODD}{_OTHER}]")
_INVISIBLE: Final = re.compile(f"[{_HIDDEN}]+")
# A word of another script stays, unless it mixes two scripts.
_PASSES: Final = re.compile(f"[{_ODD}]|[A-Za-z][{_OTHER}]|[{_OTHER}][A-Za-z]")
_WORD: Final = re.compile(f"[A-Za-z0-9{_ODD}{_OTHER}]+")
_SIGNS: Final = str.maketrans("＿－", "_-")


def visible(text: str) -> str:
    """Return the visible form of a text; most texts do not change."""
    if text.isascii() or not _ANY.search(text):
        return text
    text = _INVISIBLE.sub("", text)
    return _WORD.sub(_plain_word, text.translate(_SIGNS)) if _PASSES.search(text) else text


def places(text: str) -> list[int]:
    """Return, for each character of `visible(text)`, its index in the original text."""
    hidden = {at for match in _INVISIBLE.finditer(text) for at in range(*match.span())}
    return [at for at in range(len(text)) if at not in hidden]


def _plain_word(match: re.Match[str]) -> str:
    word = match[0]
    return "".join(map(_plain, word)) if _PASSES.search(word) else word


def _plain(character: str) -> str:
    folded = character if character.isascii() else fold(character)[0]
    if len(folded) != 1:
        return character
    return folded.upper() if character.isupper() else folded
