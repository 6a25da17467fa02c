"""Characters as a reader sees them: what looks like a letter or a bracket folds to it."""

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

# Letters other scripts lend: Cyrillic, Greek, Armenian, and Latin's own variants. NFKD knows the
# rest (full width, mathematical, circled, accented).
_LETTERS: Final = {
    "a": "аαɑᴀ",
    "b": "ЬьʙΒ",
    "c": "сϲᴄ",
    "d": "ԁᴅ",
    "e": "еєεɛҽᴇ",
    "g": "ɡԍɢ",
    "h": "һнʜ",
    "i": "іιıɩɪ",
    "j": "јϳᴊ",
    "k": "кκᴋ",
    "l": "ӏⅼʟǀ",
    "m": "мᴍ",
    "n": "пηոռɴ",
    "o": "оοօσᴏө",
    "p": "рρᴘ",
    "q": "ԛզ",
    "r": "гʀᴦ",
    "s": "ѕꜱ",
    "t": "тτᴛ",
    "u": "υսᴜ",
    "v": "ѵνᴠ",
    "w": "ԝωᴡ",
    "x": "хχ×",
    "y": "уүγʏ",
    "z": "ᴢ",
}
_OPENING: Final = "‹«〈《⟨⟪❮❰❬⧼˂ᐸ≺⋖≪⦑⪡"
_CLOSING: Final = "›»〉》⟩⟫❯❱❭⧽˃ᐳ≻⋗≫⦒⪢"

# Letters in black circles, black squares and flags, which NFKD leaves alone.
_BOXED: Final = {
    chr(first + place): chr(ord("a") + place)
    for first in (0x1F150, 0x1F170, 0x1F1E6)
    for place in range(26)
}
_LOOKS: Final = (
    {looks: letter for letter, alike in _LETTERS.items() for looks in alike.casefold()}
    | dict.fromkeys(_OPENING, "<")
    | dict.fromkeys(_CLOSING, ">")
    | _BOXED
)

OPENING: Final = "<＜﹤" + _OPENING
"""Characters that look like an opening angle bracket."""


def fold(text: str) -> tuple[str, list[int]]:
    """Return a text folded, and for each folded character the index of the one it came from.

    Case, accents, width and script are gone: `ＭеM̈` is `mem`. For comparing only, never shown.
    """
    found = list(_folded_all(text))
    return "".join(character for character, _ in found), [place for _, place in found]


def _folded_all(text: str) -> Iterator[tuple[str, int]]:
    for place, character in enumerate(text):
        for folded in _folded(character):
            yield folded, place


@lru_cache(maxsize=8192)
def _folded(character: str) -> str:
    plain = unicodedata.normalize("NFKD", character).casefold()
    return "".join(_LOOKS.get(one, one) for one in plain if not unicodedata.combining(one))
