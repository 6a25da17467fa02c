"""The blocks of a chain, and the lines in them: which row had which digest before and after."""

import json
import struct
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from afterword.pipeline.core.store.chain.cover import ROW_DIGEST, CoveredTable
from afterword.pipeline.core.store.chain.seal import ABSENT, DIGEST_BYTES, ChainKey, row_digest

_HEAD: Final = struct.Struct("<HqqI")
"""What stands before digests: the table, the first row, the moment, and how many rows were added
one after the other; 0 before the two digests of one row that was there, or is no more."""

_TAIL: Final = "SELECT id, link FROM chain_blocks ORDER BY id DESC LIMIT 1"
_ADD: Final = """
INSERT INTO chain_blocks (id, at, kind, layout, entries, link) VALUES (?, ?, ?, ?, ?, ?)
"""
_BLOCKS: Final = "SELECT id, at, kind, layout, entries, link, seal FROM chain_blocks"
_ALL: Final = f"{_BLOCKS} ORDER BY id"
_LAST_WHOLE: Final = f"{_BLOCKS} WHERE layout IS NOT NULL ORDER BY id DESC LIMIT 1"
_FOLD: Final = """
UPDATE chain_blocks SET at = ?, kind = ?, layout = ?, entries = ?, seal = ? WHERE id = ?
"""
_BYTES: Final = """
SELECT coalesce(sum(length(entries)) FILTER (WHERE kind = 'folded'), 0),
  coalesce(sum(length(entries)) FILTER (WHERE kind <> 'folded'), 0)
FROM chain_blocks
"""
_DROP_BEFORE: Final = "DELETE FROM chain_blocks WHERE id < ?"
_HAS_TABLE: Final = "SELECT 1 FROM sqlite_schema WHERE name = 'chain_blocks'"
_LINK: Final = "SELECT link FROM chain_blocks WHERE id = ?"


class ChainLine(NamedTuple):
    """What a block says of one row.

    Args:
        table: the number of the table in the layout.
        row: its id, or the digest of its key.
        before: its digest before the write; `ABSENT` of a new row.
        after: its digest after it; `ABSENT` of a deleted row.
        at: when it was written; microseconds since 1970.
    """

    table: int
    row: int
    before: bytes
    after: bytes
    at: int


class Block(NamedTuple):
    """One block of a chain, as it is stored.

    Args:
        at: microseconds since 1970; of a folded block, when the chain began.
        seal: of a folded block, whose link is that of the last block which was folded into it.
    """

    number: int
    at: int
    kind: str
    layout: str | None
    entries: bytes
    link: bytes
    seal: bytes | None = None


class ChainEnd(NamedTuple):
    """The end of a chain: the number of its last block, and the link of that block."""

    blocks: int
    head: bytes


NO_BLOCK: Final = ChainEnd(0, b"")

NO_TABLE: Final = "another program removed the table chain_blocks"


def has_chain(conn: Any) -> bool:
    """Return whether the file has the table of blocks (raw connection)."""
    return conn.execute(_HAS_TABLE).fetchone() is not None


def tail(cursor: Any) -> ChainEnd:
    """Return the end of the chain (raw connection or cursor)."""
    row = cursor.execute(_TAIL).fetchone()
    return NO_BLOCK if row is None else ChainEnd(*row)


def all_blocks(conn: Any) -> Iterator[Block]:
    """Yield the blocks in their order (raw connection)."""
    return map(Block._make, conn.execute(_ALL))


def last_whole(conn: Any) -> Block | None:
    """Return the last block that holds a whole state (raw connection); None without a chain."""
    row = conn.execute(_LAST_WHOLE).fetchone()
    return None if row is None else Block._make(row)


def link_at(conn: Any, number: int) -> bytes:
    """Return the link of a block (raw connection); empty if there is none."""
    row = conn.execute(_LINK, (number,)).fetchone()
    return b"" if row is None else bytes(row[0])


def is_linked(conn: Any, key: ChainKey, block: Block) -> bool:
    """Return whether a block follows the one before it (raw connection), by this key."""
    return is_right(key, link_at(conn, block.number - 1), block)


def is_right(key: ChainKey, before: bytes, block: Block) -> bool:
    """Return whether a block is as it was written.

    Args:
        before: the link before it.
    """
    if block.kind == "folded":
        return block.seal == link_of(key, block.link, block)
    return block.link == link_of(key, before, block)


def lines_of(entries: bytes) -> Iterator[ChainLine]:
    """Yield the lines of a block; short digests of one that another program cut."""
    place = 0
    while len(entries) - place >= _HEAD.size:
        table, row, at, added = _HEAD.unpack_from(entries, place)
        place += _HEAD.size
        digests = entries[place : place + (added or 2) * DIGEST_BYTES]
        place += len(digests)
        if not added:
            yield ChainLine(table, row, digests[:DIGEST_BYTES], digests[DIGEST_BYTES:], at)
            continue
        for nth, start in enumerate(range(0, len(digests), DIGEST_BYTES)):
            after = digests[start : start + DIGEST_BYTES]
            yield ChainLine(table, row + nth, ABSENT, after, at)


def packed(lines: Iterable[ChainLine]) -> bytes:
    """Return lines as a block holds them."""
    parts = []
    for _run, numbered in groupby(enumerate(lines), _run_of):
        run = [line for _place, line in numbered]
        table, row, before, after, at = run[0]
        if before == ABSENT:
            parts.append(packed_run(table, row, [line.after for line in run], at))
        else:
            parts += _HEAD.pack(table, row, at, 0), before, after
    return b"".join(parts)


def packed_run(table: int, first: int, digests: Collection[bytes], at: int) -> bytes:
    """Return rows that were added one after the other as a block holds them."""
    return b"".join((_HEAD.pack(table, first, at, len(digests)), *digests))


def _run_of(numbered: tuple[int, ChainLine]) -> tuple[int, int, int]:
    """Return what is the same for all rows that were added one after the other."""
    place, line = numbered
    if line.before != ABSENT:
        return -1, place, 0
    return line.table, line.row - place, line.at


def block_bytes(conn: Any) -> tuple[int, int]:
    """Return how many bytes the folded block holds, and the others (raw connection)."""
    folded, later = conn.execute(_BYTES).fetchone()
    return folded, later


def add_block(
    conn: Any, key: ChainKey, at: int, kind: str, entries: bytes, layout: str | None
) -> None:
    """Add a block (raw connection or cursor, inside a transaction).

    Args:
        entries: see `packed`.
        layout: see `written_layout`; None of an ordinary write.
    """
    before, head = tail(conn)
    number = before + 1
    link = key.link(head, number, at, kind.encode(), (layout or "").encode(), entries)
    conn.execute(_ADD, (number, at, kind, layout, entries, link))


def fold_into(
    conn: Any, key: ChainKey, end: ChainEnd, since: int, entries: bytes, layout: str
) -> bool:
    """Put one block in the place of all up to the end (raw connection, inside a transaction).

    Args:
        since: when the chain began; microseconds since 1970.
        entries: every row as the chain has it at that end; see `packed`.

    Returns:
        False if the chain has another block there.
    """
    if link_at(conn, end.blocks) != end.head:
        return False
    block = Block(end.blocks, since, "folded", layout, entries, end.head)
    seal = link_of(key, end.head, block)
    conn.execute(_FOLD, (since, block.kind, layout, block.entries, seal, end.blocks))
    conn.execute(_DROP_BEFORE, (end.blocks,))
    return True


def link_of(key: ChainKey, before: bytes, block: Block) -> bytes:
    """Return the link that a block must have after the link before it."""
    kind, layout = block.kind.encode(), (block.layout or "").encode()
    return key.link(before, block.number, block.at, kind, layout, block.entries)


def written_layout(key: ChainKey, layout: Sequence[CoveredTable]) -> str:
    """Return the layout of a file as a block holds it."""
    return json.dumps({"key": key.id, "tables": layout})


def read_layout(written: str) -> tuple[str, tuple[CoveredTable, ...]]:
    """Return the id of the key and the layout of a block."""
    told = json.loads(written)
    tables = (CoveredTable(name, tuple(key), tuple(cols)) for name, key, cols in told["tables"])
    return told["key"], tuple(tables)


def key_id_of(block: Block) -> str:
    """Return the id of the key of a block with a layout; empty if it cannot be read."""
    try:
        return read_layout(block.layout or "")[0]
    except (ValueError, TypeError, KeyError):
        return ""


def whole_state(
    conn: Any, key: ChainKey, layout: Sequence[CoveredTable], at: int = 0
) -> Iterator[ChainLine]:
    """Yield a line for every row as it is now, as if all were new (raw connection)."""
    conn.create_function(ROW_DIGEST, -1, row_digest, deterministic=True)
    for number, table in enumerate(layout):
        rows = conn.execute(f"SELECT {table.row()}, {table.values()} FROM {table.name}")
        for row, *values in rows:
            yield ChainLine(number, row, ABSENT, key.row((number, *values)), at)
