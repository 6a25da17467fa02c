"""The blocks of a chain, and the lines in them: which row had which digest before and after."""

import json
import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from afterword.pipeline.core.store.chain.cover import ROW_DIGEST, CoveredTable
from afterword.pipeline.core.store.chain.seal import ABSENT, ChainKey, row_digest

_LINE: Final = struct.Struct("<Hq16s16s")
_TAIL: Final = "SELECT id, link FROM chain_blocks ORDER BY id DESC LIMIT 1"
_ADD: Final = """
INSERT INTO chain_blocks (id, at, kind, layout, entries, link) VALUES (?, ?, ?, ?, ?, ?)
"""
_BLOCKS: Final = "SELECT id, at, kind, layout, entries, link FROM chain_blocks"
_ALL: Final = f"{_BLOCKS} ORDER BY id"
_LAST_WHOLE: Final = f"{_BLOCKS} WHERE layout IS NOT NULL ORDER BY id DESC LIMIT 1"
_LINK: Final = "SELECT link FROM chain_blocks WHERE id = ?"


class ChainLine(NamedTuple):
    """What a block says of one row.

    Args:
        table: the number of the table in the layout.
        row: its id, or the digest of its key.
        before: its digest before the write; `ABSENT` of a new row.
        after: its digest after it; `ABSENT` of a deleted row.
    """

    table: int
    row: int
    before: bytes
    after: bytes


class Block(NamedTuple):
    """One block of a chain, as it is stored."""

    number: int
    at: int
    kind: str
    layout: str | None
    entries: bytes
    link: bytes


class ChainEnd(NamedTuple):
    """The end of a chain: the number of its last block, and the link of that block."""

    blocks: int
    head: bytes


NO_BLOCK: Final = ChainEnd(0, b"")


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
    return link_of(key, link_at(conn, block.number - 1), block) == block.link


def lines_of(entries: bytes) -> Iterator[ChainLine]:
    """Return the lines of a block; none of one that another program cut."""
    whole = entries if len(entries) % _LINE.size == 0 else b""
    return map(ChainLine._make, _LINE.iter_unpack(whole))


def add_block(
    conn: Any, key: ChainKey, at: int, kind: str, lines: Iterable[Sequence[Any]], layout: str | None
) -> None:
    """Add a block (raw connection or cursor, inside a transaction).

    Args:
        lines: the values of `ChainLine`.
        layout: see `written_layout`; None of an ordinary write.
    """
    before, head = tail(conn)
    entries = b"".join(_LINE.pack(*line) for line in lines)
    block = Block(before + 1, at, kind, layout, entries, b"")
    conn.execute(_ADD, block._replace(link=link_of(key, head, block)))


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


def whole_state(conn: Any, key: ChainKey, layout: Sequence[CoveredTable]) -> Iterator[ChainLine]:
    """Yield a line for every row as it is now, as if all were new (raw connection)."""
    conn.create_function(ROW_DIGEST, -1, row_digest, deterministic=True)
    for number, table in enumerate(layout):
        rows = conn.execute(f"SELECT {table.row()}, {table.values()} FROM {table.name}")
        for row, *values in rows:
            yield ChainLine(number, row, ABSENT, key.row(number, *values))
