"""Fold the older blocks of a chain into one, so that it stays as long as the rows need."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from afterword.pipeline.core.store.chain.blocks import (
    ChainEnd,
    ChainLine,
    block_bytes,
    fold_into,
    packed,
    written_layout,
)
from afterword.pipeline.core.store.chain.fold import ChainState, fold
from afterword.pipeline.core.store.chain.seal import ABSENT
from afterword.pipeline.core.store.chain.verify import (
    against_anchors,
    anchors_since_announced,
    key_of,
)
from afterword.pipeline.core.store.file import Store
from afterword.pipeline.core.store.transaction import reading, writing

SHORTEST_BYTES: Final = 250_000
"""A chain whose later blocks hold less than this is left as it is; some 3,000 writes; bytes."""


def shorten_chain(
    instance: Store, group: Store, now: datetime, shortest_bytes: int = SHORTEST_BYTES
) -> bool:
    """Fold all blocks of a chain into one if the later ones hold more than the folded one.

    What is found afterwards is the same: each row keeps its last digest and its moment. What it was
    before is forgotten. A chain in which something is wrong keeps all its blocks for the owner.
    Call it just after an anchor.

    Args:
        shortest_bytes: leave it while the blocks after the folded one hold less.

    Returns:
        Whether it was folded.

    Raises:
        PipelineError: as `reading`, `writing` and `secret_key` do.
    """
    with reading(group) as conn:
        folded, later = block_bytes(conn.connection.dbapi_connection)
    if later < max(folded, shortest_bytes):
        return False
    key, anchors = key_of(instance, group), anchors_since_announced(instance, group)
    with reading(group) as conn:
        raw = conn.connection.dbapi_connection
        state = fold(raw, key)
        is_wrong = state.faults or state.breaks or state.key_id != key.id
        if is_wrong or any(against_anchors(raw, anchors, state, now)):
            return False
    assert state.since is not None, "a chain with a key has begun"
    with writing(group) as conn:
        return fold_into(
            conn.connection.dbapi_connection,
            key,
            ChainEnd(state.blocks, state.head),
            state.since,
            packed(_lines(state)),
            written_layout(key, state.layout),
        )


def _lines(state: ChainState) -> Iterator[ChainLine]:
    for (table, row), (digest, told_at) in sorted(state.rows.items()):
        yield ChainLine(table, row, ABSENT, digest, told_at)
