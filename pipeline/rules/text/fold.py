"""Fold characters to the letter or bracket that they look like, for comparisons."""

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from afterword.pipeline.expression import expression

# Letters of other scripts: Cyrillic, Greek, Armenian, Lisu, Cherokee, Coptic, Deseret. NFKD covers
# full-width, mathematical, circled and accented letters; the Unicode names of Latin variants
# contain their letter.
_LETTERS: Final = {
    "a": "аαɑᴀꓮᎪⲁ",
    "b": "ЬьʙΒ",
    "c": "сϲᴄꓚᏟⲥ𐐽",
    "d": "ԁᴅ",
    "e": "еєεɛҽᴇꓰᎬⲉэ℮",
    "g": "ɡԍɢ",
    "h": "һнʜ",
    "i": "іιıɩɪ",
    "j": "јϳᴊ",
    "k": "кκᴋ",
    "l": "ӏⅼʟǀ",
    "m": "мᴍꓟᎷⲙϻ",
    "n": "пηոռɴꓠⲛ",
    "o": "оοօσᴏөꓳⲟ𐐬০०໐〇○◯",
    "p": "рρᴘ",
    "q": "ԛզ",
    "r": "гʀᴦꓣᎡᏒⲅ",
    "s": "ѕꜱ",
    "t": "тτᴛꓔᎢⲧ",
    "u": "υսᴜ",
    "v": "ѵνᴠ",
    "w": "ԝωᴡ",
    "x": "хχ×ꓫⲭ",
    "y": "уүγʏꓬᎩⲩ",
    "z": "ᴢ",
}
_OPENING: Final = "‹«〈《⟨⟪❮❰❬⧼˂˱ᐸᚲ≺⋖≪≮⦑⪡≤≦≨≲≶≼≾⊰⊲⊴⋘⋚⋜⋞⋦⋨〈◀◁◂◃◄◅⦓⦕⦖⧀⩹⩻⩽⩿⪁⪃⪅⪇⪉⪋⪍⪏⪣⪦⪨⪪⪬⪯⪱⪳⪵⪷⪹⪻⫷⫹⯇𝈶"
_CLOSING: Final = "›»〉》⟩⟫❯❱❭⧽˃˲ᐳ≻⋗≫≯⦒⪢≥≧≩≳≷≽≿⊱⊳⊵⋙⋛⋝⋟⋧⋩〉▶▷▸▹►▻⦔⧁⩺⩼⩾⪀⪂⪄⪆⪈⪊⪌⪎⪐⪧⪩⪫⪭⪰⪲⪴⪶⪸⪺⪼⫸⫺⯈𝈷"

# Letters in black circles, black squares and flags, which NFKD does not change, and letters in
# round brackets, which it splits.
_BOXED: Final = {
    chr(first + place): chr(ord("a") + place)
    for first in (0x249C, 0x1F110, 0x1F150, 0x1F170, 0x1F1E6)
    for place in range(26)
}
_NAMED: Final = expression(
    r"(?:COMBINING )?LATIN (?:SMALL |CAPITAL )?LETTER (?:SMALL |CAPITAL |BLACKLETTER |INSULAR )*"
    r"(?P<letter>[A-Z])(?: WITH .*| ROTUNDA| CEDILLA| BELOW)?"
)
_LOOKS: Final = (
    {looks: letter for letter, alike in _LETTERS.items() for looks in alike.casefold()}
    | dict.fromkeys(_OPENING, "<")
    | dict.fromkeys(_CLOSING, ">")
    | _BOXED
)

OPENING: Final = "<＜﹤" + _OPENING
"""Characters that look like an opening angle bracket."""


def fold(text: str) -> tuple[str, list[int]]:
    """Return the folded text, and for each folded character its index in the original.

    Case, accents, width and script are removed: `ＭеM̈` becomes `mem`. For comparisons only, never
    shown.
    """
    folded = list(_folded_all(text))
    return "".join(character for character, _ in folded), [place for _, place in folded]


def _folded_all(text: str) -> Iterator[tuple[str, int]]:
    for place, character in enumerate(text):
        for folded in _folded(character):
            yield folded, place


@lru_cache(maxsize=8192)
def _folded(character: str) -> str:
    if character in _BOXED:
        return _BOXED[character]
    plain = unicodedata.normalize("NFKD", character).casefold()
    return "".join(map(_look, plain))


def _look(character: str) -> str:
    """Return the letter or bracket that a character looks like; nothing for an accent."""
    if character.isascii():
        return character
    if character in _LOOKS:
        return _LOOKS[character]
    if named := _NAMED.fullmatch(unicodedata.name(character, "")):
        return named["letter"].lower()
    return "" if unicodedata.combining(character) else character
