"""Characters that show nothing, by their category in Unicode rather than by a list."""

import unicodedata
from functools import lru_cache
from typing import Final

from afterword.pipeline.expression import expression

_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs"})
"""Control, format, unassigned and private-use characters, and halves of a surrogate pair."""

# Fillers and joiners that count as letters, marks or symbols.
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U00016fe4\U0001d159")
_SPACES: Final = frozenset("\t\n\v\f\r\x1c\x1d\x1e\x1f\x85")
"""Control characters that count as white space."""

_CONTROLS: Final = bytes(
    code for code in range(128) if chr(code) not in _SPACES and not 31 < code < 127
)

# Most texts have only these, and are told apart in one step: printable ASCII, white space, the
# letters of Latin, Greek, Cyrillic, Chinese, Japanese and Korean, and common signs.
_OTHER: Final = expression(
    r"[^\t\n\r -~\u00a0-\u00ac\u00ae-\u02ff\u0391-\u03a1\u03a3-\u03ff\u0400-\u052f"
    r"\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u23ff\u2460-\u27bf"
    r"\u3000-\u303f\u3041-\u3096\u30a0-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff5e]"
)


def invisible(text: str) -> str:
    """Return the different characters of a text that show nothing; most texts have none.

    White space shows its width, and is not among them.
    """
    if text.isascii():
        if len(raw := text.encode()) == len(raw.translate(None, _CONTROLS)):
            return ""
    elif not _OTHER.search(text):
        return ""
    return "".join(sorted(filter(_is_invisible, set(_OTHER.findall(text)))))


def without_invisible(text: str, instead: str = "") -> str:
    """Return a text without the characters that show nothing: what no prompt prints.

    White space stays as it is.

    Args:
        instead: stands in the place of each.
    """
    hidden = invisible(text)
    return text.translate(dict.fromkeys(map(ord, hidden), instead)) if hidden else text


@lru_cache(maxsize=8_192)
def _is_invisible(character: str) -> bool:
    """Say whether a character shows nothing: a control, format, private or unassigned one.

    Variation selectors and the fillers of Hangul and Braille, which count as marks, letters and
    symbols, show nothing either.
    """
    if character in _BLANK:
        return True
    if character in _SPACES:
        return False
    return unicodedata.category(character) in _CATEGORIES or "VARIATION SELECTOR" in (
        unicodedata.name(character, "")
    )
