"""The visible form of a text: without invisible characters, with look-alike letters replaced."""

import re
from typing import Final

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.text.fold import fold
from afterword.pipeline.rules.text.invisible import invisible

_ODD: Final = r"\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d7ff"  # wide, mathematical
_OTHER: Final = r"\u0370-\u058f"  # Greek, Cyrillic, Armenian
# A word of another script stays, unless it mixes two scripts.
_PASSES: Final = expression(f"[{_ODD}]|[A-Za-z][{_OTHER}]|[{_OTHER}][A-Za-z]")
_WORD: Final = expression(f"[A-Za-z0-9{_ODD}{_OTHER}]+")
_SIGNS: Final = str.maketrans("＿－", "_-")


def visible(text: str) -> str:
    """Return the visible form of a text; most texts do not change."""
    if hidden := invisible(text):
        text = text.translate(dict.fromkeys(map(ord, hidden)))
    if text.isascii() or not _PASSES.search(text):
        return text
    return _WORD.sub(_plain_word, text.translate(_SIGNS))


def places(text: str) -> list[int]:
    """Return, for each character of `visible(text)`, its index in the original text."""
    hidden = frozenset(invisible(text))
    return [at for at, character in enumerate(text) if character not in hidden]


def _plain_word(match: re.Match[str]) -> str:
    word = match[0]
    return "".join(map(_plain, word)) if _PASSES.search(word) else word


def _plain(character: str) -> str:
    folded = character if character.isascii() else fold(character)[0]
    if len(folded) != 1:
        return character
    return folded.upper() if character.isupper() else folded
