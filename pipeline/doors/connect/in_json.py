"""Entries in JSON: the scanner of the standard library says where they stand."""

import json
import re
from collections.abc import Iterator, Sequence
from json.decoder import JSONDecoder
from typing import Any, Final, NamedTuple

from afterword.pipeline.doors.connect.config_entry import ConfigFormat, TextSplice

_BLANK: Final = re.compile(r"[ \t\r\n]*")
_DECODER: Final = JSONDecoder()


class _Pair(NamedTuple):
    """An entry of an object: where its name begins, its value begins, and its value ends."""

    name: str
    start: int
    value: int
    end: int


class _Json:
    """JSON without comments; a file with comments is refused, since it cannot be read."""

    def parse(self, text: str) -> Any:
        """Return what the file says; an empty one says nothing."""
        return json.loads(text.removeprefix("\ufeff")) if text.strip() else {}

    def whole(self, keys: Sequence[str], value: Any) -> str:
        """Return a file with this entry alone."""
        return _dumped(_nested(keys, value), "\n") + "\n"

    def insertion(self, text: str, keys: Sequence[str], value: Any) -> TextSplice | None:
        """Put the entry first into the innermost object that exists."""
        at = _after_blanks(text, text.startswith("\ufeff"))
        if at == len(text):
            return TextSplice(at, "", self.whole(keys, value))
        rest = list(keys)
        while rest and (pair := _pair_of(text, at, rest[0])):
            at = pair.value
            rest.pop(0)
        if not rest:  # null, or an empty text
            end = _DECODER.raw_decode(text, at)[1]
            return TextSplice(at, text[at:end], json.dumps(value))
        if text[at] != "{":
            return None
        inside = _BLANK.match(text, at + 1)
        assert inside is not None
        is_empty, space = text[inside.end()] == "}", inside.group()
        if is_empty:
            outer = _indent_of(text, at)
            space = f"\n{outer}  "
        pair_text = f"{json.dumps(rest[0])}: {_dumped(_nested(rest[1:], value), space)}"
        if is_empty:
            return TextSplice(at + 1, inside.group(), f"{space}{pair_text}\n{outer}")
        return TextSplice(at + 1, "", f"{space}{pair_text},{'' if space else ' '}")

    def deletion(self, text: str, keys: Sequence[str]) -> TextSplice | None:
        """Take out the entry, with the comma that parts it from the next one or the one before."""
        at = _after_blanks(text, text.startswith("\ufeff"))
        pair = None
        for name in keys:
            outer = at
            pair = _pair_of(text, at, name)
            if pair is None:
                return None
            at = pair.value
        if pair is None:
            return None
        start, end = pair.start, _after_blanks(text, pair.end)
        if text[end] == ",":
            end = _after_blanks(text, end + 1)
        else:
            end = pair.end
            before = text[outer:start].rstrip()
            start = outer + len(before) - before.endswith(",")
        return TextSplice(start, text[start:end], "")


JSON_CONFIG: Final[ConfigFormat] = _Json()
"""The format of `mcp.json`."""


def _pairs(text: str, at: int) -> Iterator[_Pair]:
    """Yield the entries of the object that begins at a place; nothing if none does."""
    if text[at] != "{":
        return
    at = _after_blanks(text, at + 1)
    while text[at] != "}":
        name, end = _DECODER.raw_decode(text, at)
        value = _after_blanks(text, _after_blanks(text, end) + 1)
        pair = _Pair(name, at, value, _DECODER.raw_decode(text, value)[1])
        yield pair
        at = _after_blanks(text, pair.end)
        if text[at] == ",":
            at = _after_blanks(text, at + 1)


def _pair_of(text: str, at: int, name: str) -> _Pair | None:
    return next((pair for pair in _pairs(text, at) if pair.name == name), None)


def _after_blanks(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return at if match is None else match.end()


def _indent_of(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())]


def _nested(keys: Sequence[str], value: Any) -> Any:
    for key in reversed(keys):
        value = {key: value}
    return value


def _dumped(value: Any, space: str) -> str:
    """Return JSON whose lines begin below the blank that stands before its entry."""
    if "\n" not in space:
        return json.dumps(value, ensure_ascii=False)
    return json.dumps(value, indent=2, ensure_ascii=False).replace(
        "\n", space.replace("\r\n", "\n")
    )
