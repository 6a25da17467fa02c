"""What the trading summary is made of, and whether there is more than the last time.

R3 names three sources, each with a cursor of its own: trades that agents recorded, fills, and what
wallets did on chains. Trades that a venue reports closed are a fourth one. Two more tell that
something was computed again without any of these: round trips, as a late page or funding changes
them, and which wallets the owner only compares with.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from afterword.pipeline.domain.rebuilds import rows
from afterword.pipeline.domain.rebuilds.model import Cursor, RebuildState
from afterword.pipeline.settings import Settings


class SummarySource(NamedTuple):
    """A source of the trading summary.

    Args:
        cursor: its name, as R3 has it.
        latest: SQL of the id of its last row.
        table: where new rows are counted; empty for what only tells that something changed.
    """

    cursor: str
    latest: str
    table: str = ""


def _of_table(cursor: str, table: str) -> SummarySource:
    return SummarySource(cursor, f"SELECT max(id) FROM {table}", table)


_PREFIX: Final = "trading_summary_last_"
RECORDED: Final = _of_table(f"{_PREFIX}trade_id_seen", "trade_history")
FILLS: Final = _of_table(f"{_PREFIX}perps_fill_id_seen", "perps_fills")
ON_CHAIN: Final = _of_table(f"{_PREFIX}external_spot_id_seen", "external_spot_activities")
CLOSED: Final = _of_table(f"{_PREFIX}closed_trade_id_seen", "closed_trades")
TRIPS: Final = SummarySource(f"{_PREFIX}trip_id_seen", "SELECT max(id) FROM round_trips")
REFERENCES: Final = SummarySource(
    f"{_PREFIX}reference_change_seen",
    "SELECT max(max(added_at, ifnull(removed_at, 0))) FROM accounts WHERE kind = 'reference'",
)
SUMMARY_SOURCES: Final = (RECORDED, FILLS, ON_CHAIN, CLOSED, TRIPS, REFERENCES)

_LATEST = text(f"SELECT {', '.join(f'ifnull(({one.latest}), 0)' for one in SUMMARY_SOURCES)}")


def trades_wait(conn: Connection, state: RebuildState, settings: Settings) -> bool:
    """Return whether there are enough new trades, or what was computed of them changed.

    A source that cannot be read counts as new: the run then says why.
    """
    seen = rows.cursors(conn, state.name)
    latest = latest_ids(conn)
    moved = [
        source for source in SUMMARY_SOURCES if _has_moved(latest.get(source.cursor), seen, source)
    ]
    counted = [source for source in moved if source.table]
    if not counted:
        return bool(moved)
    if settings.trading_summary_threshold == 1 or any(
        _is_unreadable(latest, source) or _lost_rows(latest, seen, source) for source in counted
    ):
        return True
    most = settings.trading_summary_threshold
    new = sum(_count_new(conn, source, _place(seen, source), most) for source in counted)
    return new >= most


def latest_ids(conn: Connection) -> Mapping[str, int]:
    """Return the last row of each source, by its cursor; one that cannot be read is missing."""
    try:
        row = conn.execute(_LATEST).one()
    except DBAPIError:  # one broken table must hold no other
        return {
            source.cursor: latest
            for source in SUMMARY_SOURCES
            if (latest := _latest_of(conn, source)) is not None
        }
    return {source.cursor: row[place] for place, source in enumerate(SUMMARY_SOURCES)}


def _latest_of(conn: Connection, source: SummarySource) -> int | None:
    try:
        return conn.execute(text(source.latest)).scalar_one() or 0
    except DBAPIError:
        return None


def _has_moved(latest: int | None, seen: Mapping[str, Cursor], source: SummarySource) -> bool:
    cursor = seen.get(source.cursor, Cursor(source.cursor))
    return latest != cursor.seen or cursor.error is not None


def _is_unreadable(latest: Mapping[str, int], source: SummarySource) -> bool:
    return source.cursor not in latest


def _lost_rows(
    latest: Mapping[str, int], seen: Mapping[str, Cursor], source: SummarySource
) -> bool:
    """Return whether rows that were read are gone: the summary must not tell of them any more."""
    return latest[source.cursor] < _place(seen, source)


def _place(seen: Mapping[str, Cursor], source: SummarySource) -> int:
    return seen.get(source.cursor, Cursor(source.cursor)).seen


def _count_new(conn: Connection, source: SummarySource, after: int, most: int) -> int:
    counted = f"SELECT count(*) FROM (SELECT 1 FROM {source.table} WHERE id > :after LIMIT :most)"
    return int(conn.execute(text(counted), {"after": after, "most": most}).scalar_one())
