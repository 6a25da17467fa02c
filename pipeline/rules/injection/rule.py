"""Patterns over words, written so that a person can read them.

A pattern is a line such as `<drop> ..4 <quality> ..2 <orders>`:

- `word` or `one|other`: one of these words; `_` stands for a space (`turn_off`), a final `*` for
  any ending
- `<name>`: one word or phrase of a named list, or a word of a shape (`_SHAPES`)
- `..4`: up to four words of the same sentence
- `?one|other`: may be there
- `!one|other`: must not follow

Gaps are bounded, so the time of a search grows with the length of the text only.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache, partial
from typing import Final, NamedTuple

from afterword.pipeline.expression import expression

Lists = Mapping[str, str]
"""Named lists of words, separated by white space, as in a pattern."""


class Rule(NamedTuple):
    """A pattern with what it means.

    Args:
        family: of the injection.
        strength: 2 flags a text alone; 1 needs a second rule.
        needed: sets of words; a text without a word of each cannot match.
        pattern: over words between single spaces.
        is_order: whether a denial or a subject before it makes it harmless: `never ignore …`,
            `I ignore …`.
    """

    family: str
    strength: int
    needed: tuple[frozenset[str], ...]
    pattern: re.Pattern[str]
    is_order: bool


def plain(text: str) -> str:
    """Return a text in lower case, without accents, width, fonts, marks and stretched letters."""
    if text.isascii():
        return text.lower()
    spelled = unicodedata.normalize("NFKD", text).casefold()
    bare = "".join([one for one in spelled if not (unicodedata.combining(one) or one == TATWEEL)])
    return bare.replace("ı", "i").replace("đ", "d")  # as Turks and Vietnamese write without accents


TATWEEL: Final = "\u0640"
"""What stretches an Arabic word, between its letters."""

END_MARKS: Final = ".!?;:。！？；…—–।؟"
"""Marks that end a sentence or a label."""

_ENDS: Final = (
    {ord(mark): " . " for mark in END_MARKS + "\n\r" if mark != "."}
    | {ord(mark): " ? . " for mark in "?？؟"}
    | {ord(":"): " : "}
)
_NOTHING: Final = dict.fromkeys(map(ord, "'’`*"), "")
_SPACES: Final = dict.fromkeys(
    map(ord, ',"()[]{}<>/\\|_~^=+-−“”„«»、，：،؛「」『』《》【】#&@\t·•・¿¡'), " "
)
_MARKS: Final = _SPACES | _NOTHING | _ENDS
# The same for a text in ASCII: one byte for each, a line break for what ends a sentence.
_ASCII_NOTHING: Final = bytes(mark for mark in _NOTHING if mark < 128)
_ASCII_MARKS: Final = bytes(
    32 if code in _SPACES else ord("\n") if chr(code) in "!;\n\r" else code for code in range(256)
)


def words_of(text: str) -> list[str]:
    """Return the words of a plain text; a lone dot ends a sentence, a lone colon a label.

    A question mark stays a word before the dot of its sentence.
    """
    if text.isascii():  # the same in a quarter of the time
        spaced = text.encode().translate(_ASCII_MARKS, _ASCII_NOTHING).decode()
        spaced = spaced.replace("\n", " . ").replace(":", " : ").replace("?", " ? . ")
        # A dot ends a sentence before a space only: `1.5`, `sol.usd`.
        return f"{spaced} ".replace(". ", " . ").split()
    return f"{text.translate(_MARKS)} ".replace(". ", " . ").split()


def rules(
    family: str,
    lists: Lists,
    patterns: str,
    *,
    strength: int = 2,
    is_order: bool = True,
) -> Iterator[Rule]:
    """Yield a rule for each line of `patterns`."""
    for line in patterns.strip().splitlines():
        if parts := [_part(one, lists) for one in line.split()]:
            yield Rule(
                family,
                strength,
                tuple(part.needed for part in parts if part.needed),
                expression("".join(part.source for part in parts)),
                is_order,
            )


_SHAPES: Final = {
    "any": r"[^ .:]+",
    "count": r"\d+",
    "small": r"[1-9]x",
    "big": r"(?:[5-9]\d|\d{3,})x",
    "address": r"(?:0x[0-9a-f]{40}|bc1[0-9a-z]{20,87}|(?=[a-z]*[0-9])[1-9a-z]{32,44})",
}
"""Words known by their shape, for `<big>` and so on: leverage of 50x or more, an address."""


_NAME: Final = expression("<([a-z]+)>")


class _Part(NamedTuple):
    source: str
    needed: frozenset[str]


def _part(written: str, lists: Lists) -> _Part:
    if written.startswith(".."):
        return _Part(f"(?: [^ .:]+){{0,{int(written[2:])}}}?", frozenset())
    sign = written[0] if written[0] in "?!" else ""
    source, longest = _choice(_NAME.sub(partial(_listed, lists), written.removeprefix(sign)))
    if sign:
        return _Part(f"(?:{source})?" if sign == "?" else f"(?!{source})", frozenset())
    return _Part(source, longest)


def _listed(lists: Lists, name: re.Match[str]) -> str:
    return name[0] if name[1] in _SHAPES else "|".join(lists[name[1]].split())


@cache
def _choice(written: str) -> _Part:
    """Return the part of a pattern that accepts any of some words and shapes."""
    shapes = [_SHAPES[one[1:-1]] for one in written.split("|") if one.startswith("<")]
    words = [plain(one) for one in written.split("|") if not one.startswith("<")]
    source = f" (?:{'|'.join([*map(_source, words), *shapes])})(?= )"
    is_open = shapes or any("*" in word for word in words)
    longest = frozenset(max(word.split("_"), key=len) for word in words)
    return _Part(source, frozenset() if is_open else longest)


def _source(word: str) -> str:
    return re.escape(word).replace(r"\*", r"[^ .:]*").replace("_", " ")
