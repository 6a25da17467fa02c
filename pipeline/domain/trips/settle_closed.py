"""Settle closed trades: one whose fills are known is a check beside them, any other a memory."""

from collections import Counter
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, iso, to_micros
from afterword.pipeline.core.jobs.add import check_backlog
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.fills.money import is_dollar, to_micro_usd
from afterword.pipeline.domain.memory.area import EXTRACT_EDGES
from afterword.pipeline.domain.memory.delete import retire
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import insert_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.trips import closed_rows
from afterword.pipeline.domain.trips.describe import describe_closed
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.rules.market.decimals import plain

_SETTLED_AT_ONCE: Final = 200
"""Closed trades that one transaction settles."""


def settle_closed(store: Store, by: Writer, clock: Clock, max_ready: int) -> Counter[str]:
    """Settle every closed trade that is new, or whose fills came later; count what that changed."""
    done: Counter[str] = Counter()
    with reading(store) as conn:
        covered = closed_rows.newly_covered(conn)
    for start in range(0, len(covered), _SETTLED_AT_ONCE):
        with writing(store) as conn:
            done["closed_trades_covered"] += _cover(
                conn, by, covered[start : start + _SETTLED_AT_ONCE], clock()
            )
    while True:
        with reading(store) as conn:
            trades = closed_rows.unsettled(conn, _SETTLED_AT_ONCE)
        if not trades:
            return done
        with writing(store) as conn:
            check_backlog(conn, EXTRACT_EDGES, max_ready)
            done["memories"] += _remember(conn, by, trades, clock())
        done["disagreements"] += sum("ledger_disagrees" in trip.flags for _, trip in trades)


def _cover(conn: Connection, by: Writer, trade_ids: list[int], now: datetime) -> int:
    """Let the fills count in place of closed trades, and retire what was told of these."""
    count, memory_ids = closed_rows.cover(conn, trade_ids, to_micros(now))
    for memory_id in memory_ids:
        retire(conn, by, memory_id, now, {"reason": "the fills of its trade are known now"})
    return count


def _remember(conn: Connection, by: Writer, trades: list[tuple[int, Trip]], now: datetime) -> int:
    """Write a memory of each closed trade."""
    still = closed_rows.still_unsettled(conn, [trade_id for trade_id, _ in trades])
    told = [(trade_id, trip) for trade_id, trip in trades if trade_id in still]
    written = insert_memories(conn, by, [_memory(trip) for _, trip in told], now)
    pairs = [(one[0], row.id) for one, row in zip(told, written, strict=True)]
    closed_rows.settle_trades(conn, pairs, to_micros(now))
    return len(written)


def _memory(trip: Trip) -> NewMemory:
    in_dollars = is_dollar(trip.quote)
    fees = trip.fees if in_dollars else None
    return NewMemory(
        category="trade_outcome",
        content=describe_closed(trip),
        metadata={
            "trip_uid": trip.trip_uid,
            "account": trip.account,
            "symbol": trip.symbol,
            "direction": trip.direction,
            "opened_at": None if trip.opened_at is None else iso(trip.opened_at),
            "closed_at": iso(trip.closed_at),
            "net_micro_usd": to_micro_usd(trip.net) if in_dollars else None,
            "fee_micro_usd": None if fees is None else to_micro_usd(fees),
            "net": plain(trip.net),
            "quote": trip.quote,
            "liquidated": trip.is_liquidated,
            "flags": list(trip.flags),
        },
        origin="import",
        occurred_at=trip.closed_at,
    )
