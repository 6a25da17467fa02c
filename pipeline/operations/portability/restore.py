"""Write the rows of a file of data: those that are here stay as they are."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain, islice
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.area import AreaExport, load
from afterword.pipeline.core.store import run_sql, writing
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.memory.flag_rows import TABLES as FLAGGED
from afterword.pipeline.domain.memory.flags import families_of, flag
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.operations.portability.model import TRUST_LEVELS, RowCounts
from afterword.pipeline.operations.portability.row_checks import (
    DataLine,
    key_parts,
    texts_in,
    wrong_line,
)
from afterword.pipeline.operations.portability.tables import (
    ExportTables,
    TableColumn,
    links_of,
    masked_cell,
)

ROWS_AT_ONCE: Final = 1_000
"""Rows that one transaction writes; it holds the only writer for some 40 ms."""

NumberedLine = tuple[int, DataLine | str]
NumberedLines = Callable[[], Iterable[NumberedLine]]
"""Returns the lines of a file from its beginning, or why one is not read."""


class Restorer:
    """Writes the rows of one file of data, in batches.

    Args:
        trust: how far the file is believed; see `TRUST_LEVELS`.
    """

    def __init__(self, by: Writer, tables: ExportTables, export: AreaExport, trust: int) -> None:
        self._by, self._tables, self._export, self._trust = by, tables, export, trust
        self._is_own = trust >= TRUST_LEVELS["own"]
        self._learned = () if self._is_own else tuple(export.learned_at.split())
        self._after = load(export.after) if export.after else None
        self.counts = RowCounts()

    def run(self, numbered: NumberedLines) -> RowCounts:
        """Write all lines, then the links between them."""
        for batch in _batches(numbered()):
            with writing(self._by.store) as conn:
                self._write(conn, batch)
            emit("import.rows_written", name=self._export.name)
        if self._self_links():
            for batch in _batches(numbered()):
                with writing(self._by.store) as conn:
                    self._link(conn, batch)
        return self.counts

    def _write(self, conn: Connection, batch: Sequence[NumberedLine]) -> None:
        columns = self._tables.columns(conn, self._export)
        now = self._by.clock()
        checked: list[tuple[int, DataLine]] = []
        for number, line in batch:
            problem = line if isinstance(line, str) else wrong_line(line, columns)
            if problem:
                self.counts.refuse(f"line {number} {problem}")
            elif isinstance(line, dict):
                checked.append((number, line))
        if self._export.write:
            self._carry(conn, checked, now)
            return
        for number, line in checked:
            self._insert(conn, columns, number, line, now)

    def _carry(
        self, conn: Connection, lines: Sequence[tuple[int, DataLine]], now: datetime
    ) -> None:
        results = load(self._export.write)(
            conn,
            self._by,
            [line for _, line in lines],
            now,
            is_own=self._is_own,
            is_known=self._trust >= TRUST_LEVELS["known"],
        )
        for (number, _), result in zip(lines, results, strict=True):
            if result.outcome == "refused":
                self.counts.refuse(f"line {number}: {result.problem}")
            elif result.outcome == "known":
                self.counts.known += 1
            else:
                self.counts.new += 1
                for words in result.notes:
                    self.counts.note(words)
                if not self._is_own:
                    self.counts.note(_LEARNED_NOW)

    def _insert(
        self,
        conn: Connection,
        columns: Sequence[TableColumn],
        number: int,
        line: DataLine,
        now: datetime,
    ) -> None:
        export = self._export
        try:
            values = self._values(conn, columns, line, now)
            # When a row became known names it in the group that knew it then, and nowhere else.
            key = {name: values[name] for name in export.key.split() if name not in self._learned}
            if _row_of(conn, export.table, key) is not None:
                self.counts.known += 1
                return
            spoken = [value for value in values.values() if isinstance(value, str)]
            is_scanned = export.table in FLAGGED or not self._is_own
            families = (
                families_of(*chain.from_iterable(map(texts_in, spoken))) if is_scanned else ()
            )
            if families and export.table not in FLAGGED:
                raise ValueError(f"reads like an order to the agent ({' '.join(families)})")
            names = ", ".join(values)
            places = ", ".join("?" * len(values))
            statement = f"INSERT INTO {export.table} ({names}) VALUES ({places})"
            cursor = run_sql(conn, statement, tuple(values.values()))
        except ValueError as error:
            self.counts.refuse(f"line {number} {error}")
            return
        except dbapi.IntegrityError as error:
            self.counts.refuse(f"line {number} does not fit what is here ({error})")
            return
        row_id = cursor.lastrowid
        if families and row_id is not None:
            flag(conn, export.table, {row_id: families}, now)  # type: ignore[arg-type]
            self.counts.note(f"it reads like an order to the agent ({' '.join(families)}): flagged")
        if self._after is not None:
            self._after(conn, row_id, values)
        self.counts.new += 1
        if self._learned:
            self.counts.note(_LEARNED_NOW)

    def _families(self, values: DataLine) -> tuple[str, ...]:
        """Return what the texts of a row look like, unless this group had it without a flag."""
        if self._is_own and self._export.table not in FLAGGED:
            return ()
        cells = (value for value in values.values() if isinstance(value, str))
        return families_of(*chain.from_iterable(map(texts_in, cells)))

    def _values(
        self, conn: Connection, columns: Sequence[TableColumn], line: DataLine, now: datetime
    ) -> DataLine:
        """Return the row of a line.

        Raises:
            ValueError: it needs a row that is not here.
        """
        values: DataLine = {}
        for column in columns:
            value = line[column.name]
            if column.link == self._export.name:
                value = None  # it is linked when all rows are here
            elif column.link and value is not None:
                wanted, value = value, self._linked(conn, column.link, value)
                if value is None and column.is_required:
                    raise ValueError(f"names {column.name} {wanted!r:.60}, which is not here")
                if value is None:
                    self.counts.note(f"{column.name} is empty: what it named is not here")
            elif column.name in self._learned and value is not None:
                value = to_micros(now)
            elif column.speaks and value is not None and not self._is_own:
                masked = masked_cell(value) if value else value
                if masked != value:
                    self.counts.note("secrets in it are masked")
                value = masked
            values[column.name] = value
        return values

    def _linked(self, conn: Connection, name: str, key: Any) -> int | None:
        """Return the id of the row that has a key."""
        target = self._tables.exports[name]
        names = target.key.split()
        parts = [key] if len(names) == 1 else key_parts(key, len(names))
        links = links_of(target)
        found: DataLine = {}
        for column, part in zip(names, parts, strict=True):
            found[column] = self._linked(conn, links[column], part) if column in links else part
            if found[column] is None and column in links:
                return None
        return _row_of(conn, target.table, found)

    def _self_links(self) -> list[str]:
        links = links_of(self._export)
        return [column for column, name in links.items() if name == self._export.name]

    def _link(self, conn: Connection, batch: Sequence[NumberedLine]) -> None:
        table = self._export.table
        for _, line in batch:
            for column in self._self_links() if isinstance(line, dict) else ():
                other = line.get(column)  # type: ignore[union-attr]
                target = None if not other else self._linked(conn, self._export.name, other)
                if target is None:
                    continue
                own = [line.get(name) for name in self._export.key.split()]  # type: ignore[union-attr]
                row = self._linked(conn, self._export.name, own[0] if len(own) == 1 else own)
                if row is not None and row != target:
                    statement = (
                        f"UPDATE {table} SET {column} = ? WHERE id = ? AND {column} IS NULL"
                        f" AND {column.removesuffix('_by')}_at IS NOT NULL"
                    )
                    run_sql(conn, statement, (target, row))


_LEARNED_NOW: Final = (
    "this store learned of it now, so a read as of an earlier moment has none of it"
)


def _batches(
    lines: Iterable[NumberedLine],
) -> Iterator[list[NumberedLine]]:
    iterator = iter(lines)
    while batch := list(islice(iterator, ROWS_AT_ONCE)):
        yield batch


def _row_of(conn: Connection, table: str, key: Mapping[str, Any]) -> int | None:
    """Return the number of the row with a key; None without one."""
    where = " AND ".join(f"{name} IS ?" for name in key)
    # The first column of each table with a number of its own is that number.
    row = run_sql(conn, f"SELECT * FROM {table} WHERE {where}", tuple(key.values())).fetchone()
    return None if row is None else int(row[0])
