"""What a chain says of every row, and where a write met a row that was not as it was left."""

from dataclasses import dataclass, field
from typing import Any

from afterword.pipeline.core.store.chain.blocks import (
    Block,
    ChainLine,
    all_blocks,
    is_right,
    lines_of,
    read_layout,
)
from afterword.pipeline.core.store.chain.cover import CoveredTable
from afterword.pipeline.core.store.chain.seal import ABSENT, ChainKey

RowName = tuple[int, int]
"""The number of a table, and the number of a row in it."""


@dataclass(frozen=True, slots=True)
class RowBreak:
    """A row that differs from what the chain said of it.

    Args:
        told: its digest by the chain; `ABSENT` if there should be no row.
        present: its digest as it was; `ABSENT` if there was no row.
        told_at: when the chain said so, microseconds since 1970; None of a row it never had.
        met_at: when this program met it, the same; None of a row as it is now.
    """

    row: RowName
    told: bytes
    present: bytes
    told_at: int | None
    met_at: int | None


@dataclass(slots=True)
class ChainState:
    """The end of a chain, and what is wrong with it.

    Args:
        rows: the digest of each row, and when it was written (microseconds since 1970).
        breaks: rows that a write of this program met changed.
        faults: what is wrong with the blocks themselves, each with its moment.
        since: when the rows were last taken as they were, microseconds since 1970.
        key_id: of the key that the chain names.
        first: the number of the folded block that it begins with; 0 of a whole chain.
    """

    layout: tuple[CoveredTable, ...] = ()
    rows: dict[RowName, tuple[bytes, int]] = field(default_factory=dict)
    breaks: list[RowBreak] = field(default_factory=list)
    faults: list[tuple[str, int]] = field(default_factory=list)
    since: int | None = None
    key_id: str = ""
    first: int = 0
    blocks: int = 0
    head: bytes = b""


def fold(conn: Any, key: ChainKey) -> ChainState:
    """Return what the chain of a file says (raw connection, inside one read)."""
    state = ChainState()
    for block in all_blocks(conn):
        if block.kind in ("begun", "accepted", "folded"):
            state = _begun(block, state)
        is_right = _check_link(state, key, block)
        if block.layout is not None:
            state.key_id, layout = _layout(block, state)
            if not is_right:  # its names would stand in our SQL
                layout = state.layout
            if block.kind == "upgraded":
                _upgrade(state, layout)
            state.layout = layout
        lines = [line for line in lines_of(block.entries) if line.table < len(state.layout)]
        if block.kind == "upgraded":
            _drop_missing(state, lines, block.at)
        for line in lines:
            _apply(state, line, block)
        state.blocks, state.head = block.number, block.link
    return state


def _begun(block: Block, before: ChainState) -> ChainState:
    """Return the state in which the owner, or the first use, took the rows as they were.

    So does a folded block, which was made of a chain in which nothing was wrong.
    """
    first = block.number if block.kind == "folded" else before.first
    return ChainState(since=block.at, first=first, blocks=block.number - 1, head=before.head)


def _check_link(state: ChainState, key: ChainKey, block: Block) -> bool:
    """Return whether a block is the one that was written there; note what is wrong."""
    if not state.layout and block.layout is None and not state.faults:
        state.faults.append(("the beginning of the chain is missing", block.at))
    if block.number != state.blocks + 1:
        missing = f"{block.number - state.blocks - 1:,} blocks before block {block.number:,}"
        state.faults.append((f"{missing} are missing", block.at))
        return False
    if not is_right(key, state.head, block):
        state.faults.append((f"block {block.number:,} is not as it was written", block.at))
        return False
    return True


def _layout(block: Block, state: ChainState) -> tuple[str, tuple[CoveredTable, ...]]:
    try:
        return read_layout(block.layout or "")
    except (ValueError, TypeError, KeyError):  # the link says so already
        return state.key_id, state.layout


def _upgrade(state: ChainState, layout: tuple[CoveredTable, ...]) -> None:
    """Number the rows by the tables of the new layout."""
    numbers = {table.name: number for number, table in enumerate(layout)}
    state.rows = {
        (numbers[state.layout[table].name], row): told
        for (table, row), told in state.rows.items()
        if state.layout[table].name in numbers
    }


def _drop_missing(state: ChainState, lines: list[ChainLine], at: int) -> None:
    """Note the rows that an upgrade did not find any more."""
    there = {(line.table, line.row) for line in lines}
    for row in state.rows.keys() - there:
        digest, told_at = state.rows.pop(row)
        state.breaks.append(RowBreak(row, digest, ABSENT, told_at, at))


def _apply(state: ChainState, line: ChainLine, block: Block) -> None:
    row = line.table, line.row
    told, told_at = state.rows.get(row, (ABSENT, None))
    is_new_table = block.kind == "upgraded" and line.before == ABSENT
    if line.before != told and not is_new_table:
        state.breaks.append(RowBreak(row, told, line.before, told_at, line.at))
    if line.after == ABSENT:
        state.rows.pop(row, None)
    else:
        state.rows[row] = line.after, line.at
