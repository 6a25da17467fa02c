"""SQL over how far each mirror is."""

from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.core.store.codec import Codec
from afterword.pipeline.domain.accounts.model import Account
from afterword.pipeline.domain.sync.turn import SyncSource, SyncState

_STATE: Final = Codec(SyncState, moments=("last_synced_at", "last_tried_at"))
_FIND = text(f"""
SELECT {_STATE.columns} FROM minara_history_sync_state
WHERE source = :source AND sub_account_id = :account
""")
_CHANGED: Final = ", ".join(f"{name} = excluded.{name}" for name in _STATE.names[2:])
_SAVE: Final = _STATE.insert(
    "minara_history_sync_state",
    otherwise=f"ON CONFLICT (source, sub_account_id) DO UPDATE SET {_CHANGED}",
)
# A gap that was found since the last run: a page is missing, or came late.
_NEW_GAP = text("""
SELECT min(from_ms) FROM fill_gaps
WHERE sub_account_id = :account AND filled_at IS NULL AND known_at >= :since
""")
# What the value of an account follows from; a source that never ended well covers nothing.
_UPTO = text("""
SELECT min(last_synced_at), max(whole_since_ms) FROM minara_history_sync_state
WHERE sub_account_id = :account AND source IN ('perps_fills', 'funding', 'transfers')
HAVING count(last_synced_at) = 3
""")
_NEWEST_SINCE = text("""
SELECT ts_ms FROM perps_fills WHERE sub_account_id = :account
ORDER BY ts_ms DESC LIMIT 1 OFFSET :place
""")


def find(conn: Connection, source: SyncSource, account: str) -> SyncState:
    """Return how far a mirror is; a new one has no moments."""
    row = conn.execute(_FIND, {"source": source, "account": account}).one_or_none()
    return SyncState(source, account) if row is None else _STATE.read(row)


def of_account(conn: Connection, source: SyncSource, account: Account) -> SyncState:
    """Return how far the mirror of an account is.

    One that ran before the account was added was of a removed account of that name, perhaps with
    another address: this one begins anew.
    """
    state = find(conn, source, account.name)
    is_older = state.last_tried_at is not None and state.last_tried_at < account.added_at
    return SyncState(source, account.name) if is_older else state


def save(conn: Connection, state: SyncState) -> None:
    """Store how far a mirror is."""
    conn.exec_driver_sql(_SAVE, _STATE.write(state))


def new_gap(conn: Connection, account: str, since: int) -> int | None:
    """Return where the first gap begins that was found since a moment (microseconds)."""
    from_ms: int | None = conn.execute(_NEW_GAP, {"account": account, "since": since}).scalar_one()
    return from_ms


def synced_upto(conn: Connection, account: str) -> tuple[int, int] | None:
    """Return when the oldest last run of an account's sources was, and since when all are whole.

    Returns:
        Microseconds and UTC milliseconds; None if a source was never mirrored.
    """
    row = conn.execute(_UPTO, {"account": account}).one_or_none()
    return None if row is None else (int(row[0]), int(row[1] or 0))


def newest_since(conn: Connection, account: str, fills: int) -> int:
    """Return when the newest fills begin, so many of them; 0 if there are fewer. UTC milliseconds.

    Args:
        fills: count, 1 or more.
    """
    values = {"account": account, "place": fills - 1}
    return int(conn.execute(_NEWEST_SINCE, values).scalar() or 0)
