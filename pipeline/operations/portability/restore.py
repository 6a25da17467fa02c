"""Write the rows of a file of data: those that are here stay as they are."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import chain, islice
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.area import AreaExport, load
from afterword.pipeline.core.store import insert_row, read_value, run_sql, writing
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.memory.carried import CarriedTrust, flag_note
from afterword.pipeline.domain.memory.flag_rows import TABLES as FLAGGED
from afterword.pipeline.domain.memory.flags import families_of, flag
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.operations.portability.model import TRUST_LEVELS, RowCounts
from afterword.pipeline.operations.portability.row_checks import (
    DataLine,
    is_plain_key,
    key_parts,
    texts_in,
    wrong_line,
)
from afterword.pipeline.operations.portability.tables import (
    ExportTables,
    TableColumn,
    links_of,
    masked_cell,
    names_of,
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
        self._names = names_of(export)
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
            CarriedTrust(self._is_own, self._trust >= TRUST_LEVELS["known"]),
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
                self._note_learned()

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
            if _find(conn, export.table, "1", key) is not None:
                self.counts.known += 1
                return
            families = self._families(values)
            if families and export.table not in FLAGGED:
                raise ValueError(f"reads like an order to the agent ({' '.join(families)})")
            row_id = insert_row(conn, export.table, values)
        except ValueError as error:
            self.counts.refuse(f"line {number} {error}")
            return
        except dbapi.IntegrityError as error:
            self.counts.refuse(f"line {number} does not fit what is here ({error})")
            return
        if families:
            flag(conn, export.table, {row_id: families}, now)  # type: ignore[arg-type]
            self.counts.note(flag_note(families))
        if self._after is not None:
            self._after(conn, self._by, row_id, values, now)
        self.counts.new += 1
        self._note_learned()

    def _note_learned(self) -> None:
        if self._learned:
            self.counts.note(f"{', '.join(self._learned)}: {_LEARNED_NOW}")

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
            if value is not None and self._is_name_of_nothing(conn, column.name, value):
                value = None
                self.counts.note(f"{column.name}: {_NOT_HERE}")
            elif column.link == self._export.name:
                value = None  # it is linked when all rows are here
            elif column.link and value is not None:
                wanted, value = value, self._linked(conn, column.link, value)
                if value is None and column.is_required:
                    raise ValueError(f"names {column.name} {wanted!r:.60}, which is not here")
                if value is None:
                    self.counts.note(f"{column.name}: {_NOT_HERE}")
            elif column.name in self._learned and value is not None:
                value = to_micros(now)
            elif column.speaks and value is not None and not self._is_own:
                masked = masked_cell(value) if value else value
                if masked != value:
                    self.counts.note(f"{column.name}: secrets in it are masked")
                value = masked
            values[column.name] = value
        return values

    def _is_name_of_nothing(self, conn: Connection, column: str, key: Any) -> bool:
        name = self._names.get(column)
        if name is None:
            return False
        target = self._tables.exports[name]
        return _find(conn, target.table, "1", {target.key: key}) is None

    def _linked(self, conn: Connection, name: str, key: Any) -> int | None:
        """Return the id of the row that has a key.

        Raises:
            ValueError: it is no key.
        """
        target = self._tables.exports[name]
        names = target.key.split()
        parts = [key] if len(names) == 1 else key_parts(key, len(names))
        links = links_of(target)
        found: DataLine = {}
        learned = () if self._is_own else target.learned_at.split()
        for column, part in zip(names, parts, strict=True):
            if column in learned:
                continue
            if column in links:
                found[column] = self._linked(conn, links[column], part)
                if found[column] is None:
                    return None
            elif isinstance(part, list) or not is_plain_key(part):
                raise ValueError(f"names {part!a:.60}, which is no key")
            else:
                found[column] = part
        return _find(conn, target.table, "id", found)

    def _self_links(self) -> list[str]:
        links = links_of(self._export)
        return [column for column, name in links.items() if name == self._export.name]

    def _link(self, conn: Connection, batch: Sequence[NumberedLine]) -> None:
        for _, line in batch:
            for column in self._self_links() if isinstance(line, dict) else ():
                with suppress(ValueError):  # the line was refused before
                    self._link_line(conn, column, line)  # type: ignore[arg-type]

    def _link_line(self, conn: Connection, column: str, line: DataLine) -> None:
        name, other = self._export.name, line.get(column)
        target = self._linked(conn, name, other) if other else None
        if target is None:
            return
        own = [line.get(part) for part in self._export.key.split()]
        row = self._linked(conn, name, own[0] if len(own) == 1 else own)
        if row is not None and row != target:
            statement = (
                f"UPDATE {self._export.table} SET {column} = ? WHERE id = ? AND {column} IS NULL"
                f" AND {column.removesuffix('_by')}_at IS NOT NULL"
            )
            run_sql(conn, statement, (target, row))


_NOT_HERE: Final = "empty, since what it named is not here"
_LEARNED_NOW: Final = (
    "this store learned of it now, so a read as of an earlier moment has none of it"
)


def _batches(
    lines: Iterable[NumberedLine],
) -> Iterator[list[NumberedLine]]:
    iterator = iter(lines)
    while batch := list(islice(iterator, ROWS_AT_ONCE)):
        yield batch


def _find(conn: Connection, table: str, wanted: str, key: Mapping[str, Any]) -> int | None:
    """Return a column of the row with a key; None without such a row."""
    where = " AND ".join(f"{name} IS ?" for name in key)
    query = f"SELECT {wanted} FROM {table} WHERE {where}"
    found = read_value(conn, query, tuple(key.values()))
    return None if found is None else int(found)
