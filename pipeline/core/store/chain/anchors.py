"""Anchors: how long the chain of each group was, kept in the instance file at known moments."""

from datetime import datetime
from typing import Final, Literal, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store.chain.blocks import NO_BLOCK, ChainEnd, tail
from afterword.pipeline.core.store.chain.seal import ChainKey
from afterword.pipeline.core.store.file import Store
from afterword.pipeline.core.store.key import secret_key
from afterword.pipeline.core.store.transaction import driver_cursor, reading, run_sql, writing

AnchorCause = Literal["scheduled", "backup", "export", "restored", "accepted", "moved"]

ANNOUNCED: Final = frozenset({"restored", "accepted", "moved"})
"""Causes after which a chain may be another one than before: this program itself replaced it."""

_COLUMNS: Final = "id, group_name, at, cause, blocks, head, link"
_ALL: Final = f"SELECT {_COLUMNS} FROM chain_anchors ORDER BY id"
_LAST: Final = "SELECT id, link FROM chain_anchors ORDER BY id DESC LIMIT 1"
_LAST_OF: Final = """
SELECT blocks, head FROM chain_anchors WHERE group_name = ? ORDER BY id DESC LIMIT 1
"""
_ADD: Final = f"INSERT INTO chain_anchors ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)"


class Anchor(NamedTuple):
    """The length and the end of a group's chain at one moment, as it is stored."""

    number: int
    group: str
    at: int
    cause: str
    blocks: int
    head: bytes
    link: bytes


def anchor(instance: Store, group: Store, cause: AnchorCause, now: datetime) -> ChainEnd:
    """Keep the end of a group's chain in the instance file, and return it.

    Every edit of what the chain covers now can be told from then on, also if an older copy of the
    file takes its place. Call it at each moment from which a copy of the group exists elsewhere.

    Raises:
        PipelineError: as `reading` and `writing` do.
    """
    with reading(group) as conn:
        end = tail(driver_cursor(conn))
    with writing(instance) as conn:
        last = run_sql(conn, _LAST_OF, (group.name,)).fetchone() or NO_BLOCK
        if cause in ANNOUNCED or last != end:
            key = anchor_key(instance)
            number, link = run_sql(conn, _LAST).fetchone() or NO_BLOCK
            added = Anchor(number + 1, group.name, to_micros(now), cause, *end, b"")
            run_sql(conn, _ADD, added._replace(link=_link(key, link, added)))
    return end


def anchors_of(conn: Connection) -> list[Anchor]:
    """Return all anchors of the installation, in their order."""
    return [Anchor._make(row) for row in run_sql(conn, _ALL).fetchall()]


def faults_of(anchors: list[Anchor], key: ChainKey) -> list[tuple[str, int]]:
    """Return what is wrong with the anchors since the owner last accepted what was found.

    Each fault has its moment, in microseconds since 1970.
    """
    faults: list[tuple[str, int]] = []
    number, link = 0, b""
    for each in anchors:
        if each.number != number + 1:
            faults.append((f"anchors before anchor {each.number:,} are missing", each.at))
        elif _link(key, link, each) != each.link:
            faults.append((f"anchor {each.number:,} is not as it was written", each.at))
        elif each.cause == "accepted":
            faults.clear()
        number, link = each.number, each.link
    return faults


def anchor_key(instance: Store) -> ChainKey:
    """Return the key of the anchors."""
    return ChainKey(secret_key(instance.path.parent), "anchors")


def _link(key: ChainKey, before: bytes, each: Anchor) -> bytes:
    parts = each.group.encode(), each.cause.encode(), str(each.blocks).encode(), each.head
    return key.link(before, each.number, each.at, *parts)
