"""A record is read from the columns that it was written in."""

import sqlite3
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, NamedTuple

import pytest

from afterword.pipeline.core.store.codec import Codec, Coding

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Note:
    uid: str
    text: str
    known_at: datetime
    ended_at: datetime | None
    size: Decimal | None
    is_open: bool
    tags: tuple[str, ...]
    details: dict[str, Any]


NOTE = Codec(
    Note,
    names={"text": "body"},
    moments=("known_at", "ended_at"),
    amounts=("size",),
    flags=("is_open",),
    items=("tags",),
    json=("details",),
)
FULL = Note("n1", "a", NOON, NOON, Decimal("1E+2"), True, ("x", "é"), {"a": [1, None]})
BARE = Note("n2", "", NOON, None, None, False, (), {})


def table() -> sqlite3.Connection:
    conn = sqlite3.connect(":memory:")
    conn.execute(f"CREATE TABLE notes (id INTEGER PRIMARY KEY, {NOTE.columns}, place)")
    return conn


@pytest.mark.parametrize("note", [FULL, BARE], ids=["full", "bare"])
def test_a_record_is_read_as_it_was_written(note: Note) -> None:
    conn = table()
    conn.execute(NOTE.insert("notes", "place"), (*NOTE.write(note), 7))
    row = conn.execute(f"SELECT {NOTE.columns_of('n')}, n.place FROM notes AS n").fetchone()
    assert NOTE.read(row) == note
    assert row[-1] == 7


def test_a_column_may_be_read_from_elsewhere() -> None:
    conn = table()
    conn.execute(NOTE.insert("notes", "place"), (*NOTE.write(FULL), 7))
    columns = NOTE.columns_of("n", body="upper(n.body)", ended_at="NULL")
    row = conn.execute(f"SELECT * FROM (SELECT {columns} FROM notes AS n)").fetchone()
    assert NOTE.read(row) == replace(FULL, text="A", ended_at=None)


def test_columns_hold_microseconds_plain_numbers_and_json() -> None:
    conn = table()
    conn.execute(NOTE.insert("notes"), NOTE.write(FULL))
    row = conn.execute("SELECT body, known_at, size, is_open, tags, details FROM notes").fetchone()
    micros = int(NOON.timestamp()) * 1_000_000
    assert row == ("a", micros, "100", 1, '["x", "é"]', '{"a": [1, null]}')


def test_a_repeated_row_does_what_the_insert_says() -> None:
    conn = table()
    conn.execute("CREATE UNIQUE INDEX one_of_a_uid ON notes (uid)")
    statement = NOTE.insert("notes", otherwise="ON CONFLICT (uid) DO NOTHING")
    for note in (BARE, BARE):
        conn.execute(statement, NOTE.write(note))
    assert conn.execute("SELECT count(*) FROM notes").fetchone() == (1,)


def test_a_field_that_no_column_holds_is_given() -> None:
    class Turn(NamedTuple):
        session: str
        text: str

    turn = Codec(Turn, given=("session",))
    assert turn.columns == "text"
    assert turn.read(("hello",), session="s1") == Turn("s1", "hello")
    assert turn.write(Turn("s1", "hello")) == ("hello",)


def test_a_field_may_have_a_coding_of_its_own() -> None:
    class Side(NamedTuple):
        is_buy: bool

    side = Codec(Side, codings={"is_buy": Coding(lambda word: word == "B", "SB".__getitem__)})
    assert side.write(Side(True)) == ("B",)
    assert side.read(("S",)) == Side(False)


def test_a_declaration_of_a_field_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="must have the fields pieces"):
        Codec(Note, amounts=("pieces",))
