"""How far the mirrors of a group are."""

from sqlalchemy import Connection

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.accounts import rows as account_rows
from afterword.pipeline.domain.sync import state_rows
from afterword.pipeline.domain.sync.histories import sources_of
from afterword.pipeline.domain.sync.turn import SyncState


def mirrors(conn: Connection) -> list[SyncState]:
    """Return the state of every mirror that is not paused, by account; a new one has no moments."""
    return [
        state_rows.of_account(conn, source, account)
        for account in account_rows.listed(conn)
        if account.kind == "own" and account.paused_at is None
        for source in sources_of(account)
    ]


def sync_status(store: Store) -> list[SyncState]:
    """Return how far the mirrors of a group are."""
    with reading(store) as conn:
        return mirrors(conn)
