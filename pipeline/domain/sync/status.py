"""How far the mirrors of a group are."""

from sqlalchemy import Connection

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.sync.plan import mirrored
from afterword.pipeline.domain.sync.turn import SyncState


def mirrors(conn: Connection) -> list[SyncState]:
    """Return the state of every mirror that is not paused, by account; a new one has no moments."""
    return [turn.state for turn in mirrored(conn)]


def sync_status(store: Store) -> list[SyncState]:
    """Return how far the mirrors of a group are."""
    with reading(store) as conn:
        return mirrors(conn)
