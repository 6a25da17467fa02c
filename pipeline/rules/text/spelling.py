"""Decode escaped characters: HTML entities, percent signs, backslashes, UTF-7."""

import html
import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.text.fold import fold

_ESCAPE: Final = expression(
    r"""(?xi)
    & (?:amp;?){0,3} (?: \# (?P<decimal>[0-9]{1,9}) | \#x (?P<hex>[0-9a-f]{1,8})
                     | (?P<legacy>lt|gt) (?![a-z0-9]{1,30};)  # HTML reads these without `;`
                     | (?P<name>[a-z][a-z0-9]{1,31}) ) ;?
  | % (?:25){0,3} (?P<percent>[0-9a-f]{2})
  | \\{1,8} (?: u\{0{0,4} (?P<braced>[0-9a-f]{1,6}) \}
             | u0000 (?P<long>[0-9a-f]{4}) | u (?P<short>[0-9a-f]{4})
             | x (?P<byte>[0-9a-f]{2}) | 0? (?P<octal>[0-7]{2,3})
             | 0{0,4} (?P<css>[0-9a-f]{2}) [ ]? )
  | \+ (?P<utf7>AD[wx4-7]) -?
  | = (?P<quoted>[2-7][0-9a-f])
    """
)
_UTF7: Final = {"adw": "<", "adx": "<", "ad4": ">", "ad5": ">", "ad6": ">", "ad7": ">"}
MAY_ESCAPE: Final = r"&[#a-z]|%[0-9a-f]|\\[ux0-9]|\+AD|=[2-7][0-9a-f]"
"""First characters of all escapes, for a quick check."""


class FoldedText(NamedTuple):
    """A folded text with its escapes decoded.

    Args:
        text: for comparisons only, never shown.
        starts, ends: for each character, its range in the original text.
    """

    text: str
    starts: Sequence[int]
    ends: Sequence[int]


def spelled(line: str) -> FoldedText:
    """Return a text folded (`fold`) and with escapes decoded."""
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for text, start, end in _parts(line):
        folded, places = fold(text)
        is_whole = text == line[start:end]
        parts.append(folded)
        starts += [start + at for at in places] if is_whole else [start] * len(folded)
        ends += [start + at + 1 for at in places] if is_whole else [end] * len(folded)
    return FoldedText("".join(parts), starts, ends)


def _parts(line: str) -> Iterator[tuple[str, int, int]]:
    """Yield plain stretches and decoded escapes, with their positions."""
    at = 0
    for match in _ESCAPE.finditer(line):
        character = _character(match)
        if character is None:
            continue
        yield line[at : match.start()], at, match.start()
        yield character, match.start(), match.end()
        at = match.end()
    yield line[at:], at, len(line)


def _character(match: re.Match[str]) -> str | None:
    """Return the visible character of an escape; None if there is none."""
    group = match.lastgroup or ""
    word = match[group]
    if group == "utf7":
        return _UTF7[word.lower()]
    if group == "legacy":
        return "<" if word.lower() == "lt" else ">"
    if group == "name":
        # In lower case too: `&LT;` is an entity, and `&Lt;` and `&LANGLE;` look like one.
        readings = html.unescape(f"&{word};"), html.unescape(f"&{word.lower()};")
        return next((one for one in readings if len(one) <= 2 and not one.startswith("&")), None)
    code = int(word, {"decimal": 10, "octal": 8}.get(group, 16))
    character = chr(code) if code < 0x110000 else "\0"
    return character if character.isprintable() else None
