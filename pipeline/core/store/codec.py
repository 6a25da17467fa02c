"""How a record is written in the columns of a table: read, written and inserted by one declaration.

    LESSON = Codec(Lesson, names={"text": "lesson"}, moments=("decided_at", "reflected_at"))
    f"SELECT {LESSON.columns} FROM role_memory"
    [LESSON.read(row) for row in rows]

A field is stored in the column of its name, as it is; the declaration names the exceptions. None is
NULL, whatever the field.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from decimal import Decimal
from operator import attrgetter
from typing import Any, Final, Generic, NamedTuple, TypeVar

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.rules.market.decimals import plain

Record = TypeVar("Record")


class Coding(NamedTuple):
    """How the values of a field are stored.

    Args:
        read: from what SQLite returns; never given None.
        write: to what SQLite stores; never given None.
    """

    read: Callable[[Any], Any]
    write: Callable[[Any], Any]


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _listed(text: str) -> tuple[Any, ...]:
    return tuple(json.loads(text))


MOMENT: Final = Coding(from_micros, to_micros)
"""An aware moment, in microseconds since 1970."""

AMOUNT: Final = Coding(Decimal, plain)
"""An exact decimal number, as text."""

FLAG: Final = Coding(bool, int)
"""A bool, as 0 or 1."""

ITEMS: Final = Coding(_listed, _written)
"""A tuple, as a JSON array."""

JSON: Final = Coding(json.loads, _written)
"""What JSON can say, as text."""


class Codec(Generic[Record]):
    """How a record is written in the columns of a table.

    Args:
        record: a frozen dataclass or a NamedTuple.
        names: columns with another name than their field's.
        given: fields that are in no column; `read` is given them.
        moments: fields stored as `MOMENT`; so for `amounts`, `flags`, `items` and `json`.
        codings: how other fields are stored, by field.

    Raises:
        ValueError: the record has no field of a name that is declared.
    """

    def __init__(
        self,
        record: Callable[..., Record],
        *,
        names: Mapping[str, str] | None = None,
        given: Sequence[str] = (),
        moments: Sequence[str] = (),
        amounts: Sequence[str] = (),
        flags: Sequence[str] = (),
        items: Sequence[str] = (),
        json: Sequence[str] = (),
        codings: Mapping[str, Coding] | None = None,
    ) -> None:
        declared = {
            **dict.fromkeys(moments, MOMENT),
            **dict.fromkeys(amounts, AMOUNT),
            **dict.fromkeys(flags, FLAG),
            **dict.fromkeys(items, ITEMS),
            **dict.fromkeys(json, JSON),
            **(codings or {}),
        }
        known = _fields(record)
        unknown = {*declared, *(names or {}), *given}.difference(known)
        if unknown:
            raise ValueError(f"{record!r} must have the fields {', '.join(sorted(unknown))}")
        self._record = record
        self._fields = tuple(name for name in known if name not in given)
        self._is_prefix = self._fields == known[: len(self._fields)]
        """Whether the given fields come last, so that values are passed by place: twice as fast."""
        self.names: Final = tuple((names or {}).get(name, name) for name in self._fields)
        """The columns, in the order of the fields."""
        self._codings = tuple(
            (place, *declared[name]) for place, name in enumerate(self._fields) if name in declared
        )
        # Of one name attrgetter returns the value alone.
        self._values_of = attrgetter(*self._fields, self._fields[0])

    @property
    def columns(self) -> str:
        """The columns, as a SELECT names them."""
        return ", ".join(self.names)

    def columns_of(self, table: str, **instead: str) -> str:
        """Return the columns of a table's alias, as a SELECT of several tables names them.

        Args:
            instead: what is read in place of a column, by its name: SQL, such as `survivor.uid`.
        """
        return ", ".join(
            f"{instead[name]} AS {name}" if name in instead else f"{table}.{name}"
            for name in self.names
        )

    def read(self, row: Sequence[Any], **given: object) -> Record:
        """Return the record of a row that begins with `columns`.

        Args:
            given: the fields that are in no column.
        """
        values = list(row[: len(self.names)])
        for place, read, _ in self._codings:
            if values[place] is not None:
                values[place] = read(values[place])
        if self._is_prefix:
            return self._record(*values, **given)
        return self._record(**dict(zip(self._fields, values, strict=True)), **given)

    def write(self, record: Record) -> tuple[Any, ...]:
        """Return what the columns hold of a record, in the order of `names`."""
        values = list(self._values_of(record)[:-1])
        for place, _, write in self._codings:
            if values[place] is not None:
                values[place] = write(values[place])
        return tuple(values)

    def insert(self, table: str, *more: str, otherwise: str = "") -> str:
        """Return the INSERT of `write(record)`, and of further columns after it.

        Args:
            otherwise: what follows the values, such as an ON CONFLICT.
        """
        names = (*self.names, *more)
        places = ", ".join("?" * len(names))
        return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({places}) {otherwise}".rstrip()


def _fields(record: Any) -> tuple[str, ...]:
    if is_dataclass(record):
        return tuple(field.name for field in fields(record))
    names: tuple[str, ...] = record._fields
    return names
