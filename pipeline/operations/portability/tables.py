"""The tables of an export: how their rows are named without the ids of one file, and read."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros, iso
from afterword.pipeline.core.area import Area, AreaExport, in_order
from afterword.pipeline.core.store import read_value, run_sql
from afterword.pipeline.rules.masking import mask, mask_json

_FETCHED: Final = 1_000
"""Rows that one step of a read holds."""

_COLUMNS: Final = 'SELECT name, type, "notnull" FROM pragma_table_xinfo(?) WHERE hidden = 0'

_HAS_ID: Final = "SELECT count(*) FROM pragma_table_info(?) WHERE name = 'id'"


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column of a table that is exported.

    Args:
        type: as a strict table declares it: `TEXT`, `INTEGER` or `REAL`.
        link: name of the export that has the row whose id it is; empty for none.
        is_moment: whether its number is a moment (microseconds), which a line has as text.
        speaks: whether it can hold words that somebody chose.
        is_amount: whether its text is an exact number, or nothing if `may_be_blank`.
        is_list: whether its text is a JSON list; see `AreaExport`.
    """

    name: str
    type: str
    is_required: bool
    link: str = ""
    is_moment: bool = False
    speaks: bool = False
    is_amount: bool = False
    may_be_blank: bool = False
    is_list: bool = False


class ExportTables:
    """The tables that exports declare, with what the SQL of each needs."""

    def __init__(self, areas: Sequence[Area]) -> None:
        self.exports = {one.name: one for one in in_order(areas, lambda area: area.exports)}
        self._quiet = {one.name: one.quiet.split() for area in areas for one in area.tables}

    def columns(self, conn: Connection, export: AreaExport) -> list[TableColumn]:
        """Return the columns that the lines of an export have."""
        links, left = links_of(export), export.leaves.split()
        quiet, amounts = self._quiet.get(export.table, ()), export.amounts.split()
        return [
            TableColumn(
                name,
                kind,
                bool(required),
                links.get(name, ""),
                _is_moment(name, kind),
                kind == "TEXT" and name not in links and name not in quiet,
                name in amounts or f"{name}?" in amounts,
                f"{name}?" in amounts,
                name in export.lists.split(),
            )
            for name, kind, required in run_sql(conn, _COLUMNS, (export.table,)).fetchall()
            if name not in left
        ]

    def lines(
        self, conn: Connection, export: AreaExport, columns: Sequence[TableColumn], where: str
    ) -> Iterator[dict[str, Any]]:
        """Yield the rows of an export, the oldest first, as a line has them.

        Args:
            where: SQL that is true for the rows to yield.
        """
        names = [column.name for column in columns]
        wanted = ", ".join(self._value(export, name, export.table) for name in names)
        order = "id" if has_id(conn, export) else ", ".join(export.key.split())
        query = f"SELECT {wanted} FROM {export.table} WHERE {where} ORDER BY {order}"
        moments = [place for place, column in enumerate(columns) if column.is_moment]
        words = [place for place, column in enumerate(columns) if column.speaks]
        cursor = run_sql(conn, query)
        while rows := cursor.fetchmany(_FETCHED):
            for row in rows:
                values = list(row)
                for place in moments:
                    if values[place] is not None:
                        values[place] = iso(from_micros(values[place]))
                for place in words:
                    if values[place]:
                        values[place] = masked_cell(values[place])
                yield dict(zip(names, values, strict=True))

    def _value(self, export: AreaExport, column: str, alias: str) -> str:
        """Return SQL of a column: of one that links to a row the key of that row."""
        target = self.exports.get(links_of(export).get(column, ""))
        if target is None:
            return f"{alias}.{column}"
        inner = f"{alias}_{column}"
        parts = [self._value(target, name, inner) for name in target.key.split()]
        key = parts[0] if len(parts) == 1 else f"json_array({', '.join(parts)})"
        return f"(SELECT {key} FROM {target.table} AS {inner} WHERE {inner}.id = {alias}.{column})"


def has_id(conn: Connection, export: AreaExport) -> bool:
    """Return whether the rows of a table have a number of their own."""
    return bool(read_value(conn, _HAS_ID, (export.table,)))


def masked_cell(cell: str) -> str:
    """Return a text, or JSON as text, with its secrets masked; the same text if it has none."""
    if cell[0] in "{[":
        with suppress(ValueError, RecursionError):
            value = json.loads(cell)
            masked = mask_json(value)
            return cell if masked == value else json.dumps(masked, ensure_ascii=False)
    return mask(cell)


def links_of(export: AreaExport) -> Mapping[str, str]:
    """Return the names of the exports that columns of an export link to, by column."""
    return _pairs(export.links)


def names_of(export: AreaExport) -> Mapping[str, str]:
    """Return the names of the exports whose keys columns of an export have, by column."""
    return _pairs(export.names)


def _pairs(text: str) -> dict[str, str]:
    return dict(pair.split("=") for pair in text.split())


def where_of(export: AreaExport, *, with_constraints: bool) -> str:
    """Return SQL that is true for the rows of an export that are taken along."""
    conditions = [export.where] if export.where else []
    if export.constraint and not with_constraints:
        conditions.append(f"NOT ({export.constraint})")
    return " AND ".join(conditions) or "true"


def _is_moment(name: str, kind: str) -> bool:
    return kind == "INTEGER" and (name.endswith("_at") or name in ("since", "t_open"))
