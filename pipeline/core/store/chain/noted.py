"""The rows that the open transaction wrote: temporary triggers note which, and what they were.

The triggers exist in the connections of this program alone: another program that edits the file is
neither hindered nor followed, and so its edit differs from the chain.
"""

import json
from collections.abc import Collection, Iterable, Iterator
from operator import ne
from typing import Any, Final

from afterword.pipeline.core.store.chain.blocks import ChainLine, packed, packed_run
from afterword.pipeline.core.store.chain.cover import CoveredTable
from afterword.pipeline.core.store.chain.seal import ABSENT, CellValue, ChainKey, row_digest

_ADDED: Final = "afterword_added"
_MET: Final = "afterword_met"

_RowKey = tuple[CellValue, ...]


class NotedRows:
    """The covered rows that a transaction wrote, with their digests before it and after it.

    Nothing of it needs to be taken back when SQLite takes back a statement, as it does with one
    that breaks a constraint: an added row counts only if it is there at the end, and a row that was
    changed or removed is read again then.

    Args:
        conn: the writing connection (raw).
    """

    def __init__(self, conn: Any, key: ChainKey, layout: tuple[CoveredTable, ...]) -> None:
        self._digest = key.row
        self._tables = [_NotedTable(number, table) for number, table in enumerate(layout)]
        self._touched: set[_NotedTable] = set()  # a write meets two tables of some sixty
        conn.create_function(_ADDED, -1, self._note_added)
        conn.create_function(_MET, -1, self._note_met)
        conn.execute("PRAGMA temp_store = MEMORY")
        triggers = (trigger for noted in self._tables for trigger in noted.triggers())
        # As a script: `execute` would fill the driver's cache, which then keeps nothing else.
        conn.executescript(";".join(("BEGIN", *triggers, "COMMIT")))

    def clear(self) -> None:
        """Forget all."""
        for noted in self._touched:
            noted.added.clear()
            noted.before.clear()
        self._touched.clear()

    def entries(self, conn: Any, at: int) -> bytes:
        """Return what became of the noted rows, as a block holds it; empty if nothing.

        The connection is raw, and inside their transaction.

        Args:
            at: the present, microseconds since 1970.
        """
        touched = sorted(self._touched, key=_number)
        runs = [noted for noted in touched if noted.added and noted.is_run()]
        are_there = bool(runs) and _are_there(conn, runs)
        return b"".join(
            [
                noted.entries(conn, self._digest, at, are_there and noted in runs)
                for noted in touched
            ]
        )

    def _note_added(self, *cells: CellValue) -> None:
        noted = self._tables[cells[0]]  # type: ignore[index]  # the number of the table
        self._touched.add(noted)
        if noted.has_id and not noted.before:
            noted.added[cells[1]] = self._digest(cells)
        else:
            noted.before.setdefault(cells[1 : noted.width], ABSENT)

    def _note_met(self, *cells: CellValue) -> None:
        noted = self._tables[cells[0]]  # type: ignore[index]  # the number of the table
        self._touched.add(noted)
        key = cells[1 : noted.width]
        if noted.added.pop(cells[1], None) is not None:
            noted.before[key] = ABSENT
        elif key not in noted.before:
            noted.before[key] = self._digest(cells)


class _NotedTable:
    """The rows of one table.

    Args:
        added: the digest of each row that was added before any other write, by its id; none in a
            table without ids.
        before: the digest of each other row before the transaction, by its key.
    """

    def __init__(self, number: int, table: CoveredTable) -> None:
        self.number, self.table = number, table
        self.has_run = (
            f"(SELECT count(*) FROM {table.name} WHERE {table.key[0]} BETWEEN ? AND ?) = ?"
        )
        self.has_id, self.width = table.has_id, 1 + len(table.key)
        self.added: dict[Any, bytes] = {}
        self.before: dict[_RowKey, bytes] = {}

    def is_run(self) -> bool:
        """Return whether the ids of the added rows, at least one, follow one another."""
        count = len(self.added)
        first = next(iter(self.added))
        return count == 1 or not any(map(ne, self.added, range(first, first + count)))

    def entries(self, conn: Any, digest: Any, at: int, are_there: bool) -> bytes:
        """Return what became of the rows, as a block holds it.

        Args:
            are_there: the added rows are a run, and the table has all of them.
        """
        run = b""
        if are_there:
            run = packed_run(self.number, next(iter(self.added)), self.added.values(), at)
        else:
            self.before |= {(row,): ABSENT for row in self.added}
        return run + packed(self._lines(conn, digest, at)) if self.before else run

    def _lines(self, conn: Any, digest: Any, at: int) -> Iterator[ChainLine]:
        """Yield what became of the rows that are read again."""
        number, table = self.number, self.table
        present = {
            cells[: self.width - 1]: digest((number, *cells))
            for cells in _present(conn, table, self.before)
        }
        for key, before in self.before.items():
            after = present.get(key, ABSENT)
            if before != after:
                named: Any = key[0] if table.has_id else row_digest(*key)
                yield ChainLine(number, named, before, after, at)

    def triggers(self) -> Iterator[str]:
        """Yield the temporary triggers; no verb changes the key of a row."""
        columns = self.table.values()
        for event, function, of in (
            ("INSERT", _ADDED, "NEW."),
            (f"UPDATE OF {columns}", _MET, "OLD."),
            ("DELETE", _MET, "OLD."),
        ):
            yield (
                f"CREATE TEMP TRIGGER chain_{self.number}_{event[:2]} "
                f"AFTER {event} ON main.{self.table.name} "
                f"BEGIN SELECT {function}({self.number}, {self.table.values(of)}); END"
            )


def _number(noted: _NotedTable) -> int:
    return noted.number


def _are_there(conn: Any, runs: list[_NotedTable]) -> bool:
    """Return whether the tables have all added rows: one statement, however many tables."""
    places: list[int] = []
    for noted in runs:
        first, count = next(iter(noted.added)), len(noted.added)
        places += first, first + count - 1, count
    query = "SELECT " + " AND ".join([noted.has_run for noted in runs])
    return bool(conn.execute(query, places).fetchone()[0])


def _present(
    conn: Any, table: CoveredTable, keys: Collection[_RowKey]
) -> Iterable[tuple[CellValue, ...]]:
    """Yield the covered columns of each row that is there; they begin with its key."""
    query = f"SELECT {table.values()} FROM {table.name} WHERE "
    if table.has_id and len(keys) > 1:
        ids = json.dumps([row for (row,) in keys])
        query += f"{table.key[0]} IN (SELECT value FROM json_each(?))"
        rows: Iterable[tuple[CellValue, ...]] = conn.execute(query, (ids,))
        return rows
    one = query + " AND ".join(f"{column} = ?" for column in table.key)
    return (row for key in keys for row in conn.execute(one, key))
