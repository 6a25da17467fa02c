"""Compare the rows of a file with its chain, and say of each difference what was done."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Final

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.store.chain.blocks import all_blocks, lines_of, whole_state
from afterword.pipeline.core.store.chain.cover import CoveredTable
from afterword.pipeline.core.store.chain.fold import ChainState, RowBreak, RowName
from afterword.pipeline.core.store.chain.model import Edit, EditKind
from afterword.pipeline.core.store.chain.seal import ABSENT, ChainKey

MOST_COMPARED: Final = 200
"""Changed rows of one table that are compared with each other, to tell a new order; count."""

_SAYS: Final[dict[EditKind, str]] = {
    "changed": "it is not as Afterword wrote it",
    "removed": "it was removed",
    "added": "Afterword did not write it",
    "replayed": "it was put back to an older state",
    "reordered": "it holds what another row held",
}


def edits_of_rows(conn: Any, key: ChainKey, state: ChainState, now: datetime) -> list[Edit]:
    """Return what other programs did to the covered rows (raw connection, inside one read)."""
    present = [*_differences(conn, key, state)]
    breaks = [*state.breaks, *present]
    if not breaks:
        return []
    older = _older(conn, breaks)
    moved = _moved(conn, key, state.layout, present)
    return [_edit(conn, state.layout, each, older, moved, now) for each in breaks]


def _differences(conn: Any, key: ChainKey, state: ChainState) -> Iterator[RowBreak]:
    """Yield the rows that differ from the end of the chain, without keeping the rows."""
    missing = dict(state.rows)
    for line in whole_state(conn, key, state.layout):
        row = line.table, line.row
        told, told_at = missing.pop(row, (ABSENT, None))
        if told != line.after:
            yield RowBreak(row, told, line.after, told_at, None)
    for row, (told, told_at) in missing.items():
        yield RowBreak(row, told, ABSENT, told_at, None)


def _older(conn: Any, breaks: Sequence[RowBreak]) -> set[tuple[RowName, bytes]]:
    """Return every digest that the broken rows ever had by the chain."""
    wanted = {each.row for each in breaks}
    return {
        ((line.table, line.row), line.after)
        for block in all_blocks(conn)
        for line in lines_of(block.entries)
        if (line.table, line.row) in wanted
    }


def _moved(
    conn: Any, key: ChainKey, layout: Sequence[CoveredTable], present: Sequence[RowBreak]
) -> set[RowName]:
    """Return the changed rows that are another row's of the same table but for their id."""
    by_table: dict[int, list[RowBreak]] = defaultdict(list)
    for each in present:
        if layout[each.row[0]].has_id and each.present != ABSENT:
            by_table[each.row[0]].append(each)
    copies: set[RowName] = set()
    for number, changed in by_table.items():
        table, ids = layout[number], [each.row[1] for each in changed[:MOST_COMPARED]]
        told = {each.row[1]: each.told for each in changed}
        for row_id in ids:
            values = _values(conn, table, row_id)
            place = table.columns.index(table.key[0])
            for other in (other for other in ids if other != row_id):
                values[place] = other
                if key.row((number, *values)) == told[other]:
                    copies.add((number, row_id))
    return copies


def _values(conn: Any, table: CoveredTable, row_id: int) -> list[Any]:
    query = f"SELECT {table.values()} FROM {table.name} WHERE {table.key[0]} = ?"
    return list(conn.execute(query, (row_id,)).fetchone())


def _edit(
    conn: Any,
    layout: Sequence[CoveredTable],
    each: RowBreak,
    older: set[tuple[RowName, bytes]],
    moved: set[RowName],
    now: datetime,
) -> Edit:
    table = layout[each.row[0]]
    what: EditKind = "changed"
    if each.told == ABSENT:
        what = "added" if (each.row, each.present) not in older else "replayed"
    elif each.present == ABSENT:
        what = "removed"
    elif each.row in moved:
        what = "reordered"
    elif (each.row, each.present) in older:
        what = "replayed"
    return Edit(
        table.name,
        each.row[1] if table.has_id else None,
        _uid(conn, table, each.row[1]),
        what,
        _SAYS[what],
        None if each.told_at is None else from_micros(each.told_at),
        now if each.met_at is None else from_micros(each.met_at),
    )


def _uid(conn: Any, table: CoveredTable, row_id: int) -> str | None:
    """Return the public name of a row, or the key of one without an id; None if it is gone."""
    if table.has_id and "uid" not in table.columns:
        return None
    name = "uid" if table.has_id else " || '/' || ".join(table.key)
    query = f"SELECT {name} FROM {table.name} WHERE {table.row()} = ?"
    row = conn.execute(query, (row_id,)).fetchone()
    return None if row is None else str(row[0])
