"""SQL of the pages of an export."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros, iso
from afterword.pipeline.core.store import run_sql

_ASSETS: Final = """
SELECT DISTINCT dst_entity_key FROM memory_edges WHERE dst_entity_kind = 'ticker' ORDER BY 1
"""
_MEMORIES: Final = """
SELECT uid, category, coalesce(occurred_at, created_at), content, origin FROM memories
WHERE superseded_at IS NULL AND {where} ORDER BY category, id
"""
_DIFFERENCES: Final = """
SELECT iif(line.detail ->> 'file' LIKE 'data/%', line.detail ->> 'file',
    substr(line.detail ->> 'file', 1, instr(line.detail ->> 'file', '/'))) AS place,
  note.key, sum(note.value), max(line.at)
FROM audit_log AS line, json_each(line.detail -> 'differs') AS note
WHERE line.tool_call IN ('memory_import.signed', 'memory_import.unsigned')
GROUP BY place, note.key ORDER BY place, note.key
"""
_FETCHED: Final = 1_000


class CaseRow(NamedTuple):
    """A decision that was reflected on; moments as text."""

    uid: str
    role_id: str
    asset_key: str | None
    direction: str
    decided_at: str
    reflected_at: str
    outcome: str
    classification: str | None
    methods: str
    decision: str
    reflection: str


_CASES: Final = f"""
SELECT {", ".join(CaseRow._fields)} FROM role_memory WHERE state = 'reflected' ORDER BY id
"""


class MemoryRow(NamedTuple):
    """A memory as a line of a page; `day` is that on which it happened, or was written."""

    uid: str
    category: str
    day: str
    content: str
    origin: str


class DifferenceRow(NamedTuple):
    """What differs from files that were imported: which fields, why, and in how many rows.

    Args:
        place: a file of data, or a folder of pages.
        day: of the last import of such rows.
    """

    place: str
    words: str
    rows: int
    day: str


def cases(conn: Connection) -> Iterator[CaseRow]:
    """Yield the decisions that were reflected on, the oldest first."""
    for row in _rows(conn, _CASES):
        case = CaseRow(*row)
        moments = [iso(from_micros(int(at))) for at in (case.decided_at, case.reflected_at)]
        yield case._replace(decided_at=moments[0], reflected_at=moments[1])


def assets(conn: Connection) -> list[str]:
    """Return the keys of the assets that something is known about."""
    return [str(key) for (key,) in run_sql(conn, _ASSETS).fetchall()]


def memories(conn: Connection, where: str) -> Iterator[MemoryRow]:
    """Yield the memories that stand, by category, the oldest first.

    Args:
        where: SQL that is true for those that are taken along.
    """
    for uid, category, at, content, origin in _rows(conn, _MEMORIES.format(where=where)):
        yield MemoryRow(uid, category, from_micros(at).date().isoformat(), content, origin)


def differences(conn: Connection) -> list[DifferenceRow]:
    """Return what imports noted that differs from their files, by file."""
    return [
        DifferenceRow(place, words, rows, from_micros(at).date().isoformat())
        for place, words, rows, at in run_sql(conn, _DIFFERENCES).fetchall()
    ]


def _rows(conn: Connection, query: str) -> Iterator[Any]:
    cursor = run_sql(conn, query)
    while rows := cursor.fetchmany(_FETCHED):
        yield from rows
