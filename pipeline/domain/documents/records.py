"""An object of a JSON list by its names; a bad value is refused with its place in the list."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final, Literal, NamedTuple

from afterword.pipeline.clock import to_micros
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import shown
from afterword.pipeline.rules.tabular.moments import read_moment
from afterword.pipeline.rules.tabular.numbers import read_number

_COMPACT: Final = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)
_ZERO: Final = Decimal(0)
_LAST_MS: Final = 253_402_300_799_999  # the last millisecond of the year 9999


class Record(NamedTuple):
    """One object of a list.

    Args:
        place: of the object, for messages: `fills.json: [3]`.
        line: its number in the list from 1; a document of JSON has no lines that matter.
    """

    place: str
    line: int
    fields: Mapping[str, Any]

    def text(self, name: str) -> str:
        """Return a text or a whole number as text; empty if there is none."""
        value = self.fields.get(name)
        return str(value).strip() if isinstance(value, str | int) else ""

    def part(self, name: str) -> "Record":
        """Return an object inside this one; an empty one if there is none."""
        value = self.fields.get(name)
        fields = value if isinstance(value, dict) else {}
        return Record(f"{self.place}.{name}", self.line, fields)

    def number(self, name: str) -> Decimal:
        """Return a number, with its sign.

        Raises:
            InvalidInputError: it is none.
        """
        number = None if isinstance(self.fields.get(name), bool) else read_number(self.text(name))
        if number is None:
            raise self.refusal(name, "a number")
        return number

    def number_or_none(self, name: str) -> Decimal | None:
        """Return a number; None where the venue says nothing."""
        return self.number(name) if self.text(name) else None

    def number_or_zero(self, name: str) -> Decimal:
        """Return a number; 0 where the venue says nothing."""
        return self.number_or_none(name) or _ZERO

    def positive(self, name: str) -> Decimal:
        """Return a number above 0."""
        number = self.number(name)
        if number <= 0:
            raise self.refusal(name, "a number above 0")
        return number

    def side(self, name: str, buys: Iterable[str], sells: Iterable[str]) -> Literal["B", "A"]:
        """Return a side; the words are compared in small letters."""
        text = self.text(name).casefold()
        if text in buys:
            return "B"
        if text in sells:
            return "A"
        raise self.refusal(name, ", ".join((*buys, *sells)))

    def price(self, name: str) -> Decimal:
        """Return a number, not below 0: what expires or is given away costs nothing."""
        number = self.number(name)
        if number < 0:
            raise self.refusal(name, "a number from 0")
        return number

    def millis(self, name: str) -> int:
        """Return a moment as UTC milliseconds since 1970, from such a count or from ISO text."""
        text = self.text(name)
        if text.isascii() and text.isdigit() and len(text) <= 15 and int(text) <= _LAST_MS:
            return int(text)
        return to_micros(self.moment(name)) // 1_000

    def moment(self, name: str) -> datetime:
        """Return the moment in ISO text, a date with a time, as aware UTC."""
        text = self.text(name)
        moment = read_moment(text, "iso", UTC) if ":" in text else None
        if moment is None:
            raise self.refusal(name, "milliseconds since 1970, or 2025-02-11T10:15:31.512Z")
        return moment

    def is_true(self, name: str) -> bool:
        """Tell whether a value is true, as JSON or as text."""
        return str(self.fields.get(name)).lower() == "true"

    def raw(self) -> str:
        """Return the object as compact JSON text."""
        return _COMPACT.encode(self.fields)

    def refusal(self, name: str, accepted: str) -> InvalidInputError:
        """Return the error that refuses a value, with its place."""
        value = self.fields.get(name)
        problem = "is missing" if value is None else f"is {shown(str(value), label=name)}"
        return InvalidInputError(f"{self.place}.{name}", problem, accepted)


def records_of(name: str, rows: Sequence[Any]) -> Iterator[Record]:
    """Yield the objects of a list.

    Args:
        name: what messages call the list.

    Raises:
        InvalidInputError: one of them is no object.
    """
    for index, row in enumerate(rows):
        if not isinstance(row, dict):
            raise InvalidInputError(f"{name}[{index}]", f"is {shown(str(row))}", "an object")
        yield Record(f"{name}[{index}]", index + 1, row)


def has_names(rows: object, *names: str) -> bool:
    """Tell whether a value is a list of objects whose first has these names."""
    return (
        isinstance(rows, list)
        and bool(rows)
        and isinstance(rows[0], dict)
        and all(name in rows[0] for name in names)
    )
