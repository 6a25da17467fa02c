"""Write the changes of a stretch of fills: places, gaps, trips and their memories."""

from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.clock import iso, to_micros
from afterword.pipeline.domain.fills.rows import place
from afterword.pipeline.domain.fills.secrets import hold_no_secret
from afterword.pipeline.domain.memory.delete import retire
from afterword.pipeline.domain.memory.flags import families_of
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.supersede import supersede
from afterword.pipeline.domain.memory.write import insert_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.trips import rows, stretch_rows
from afterword.pipeline.domain.trips.describe import describe_trip
from afterword.pipeline.domain.trips.model import RoundTrip
from afterword.pipeline.domain.trips.settlement import Settlement
from afterword.pipeline.rules.market.decimals import plain


def settle(
    conn: Connection, by: Writer, settlement: Settlement, now: datetime, *, remembers: bool = True
) -> int:
    """Store a settlement in one transaction, and return how many memories it wrote.

    Args:
        remembers: False writes no memories, in a store that nobody will ask.
    """
    at = to_micros(now)
    place(conn, settlement.places)
    # The filled ones first: a fill has one gap before it at most.
    stretch_rows.end_gaps(conn, settlement.gaps_filled, at)
    stretch_rows.report_gaps(conn, settlement.gaps_found, at)
    memories = _tell(conn, by, settlement, now) if remembers else {}
    trips = (*settlement.changes.new, *settlement.changes.changed)
    rows.end_trips(conn, [settlement.known[uid].id for uid in settlement.successors], at)
    with_ends = [
        (trip, settlement.ends[trip.trip_uid], memories.get(trip.trip_uid)) for trip in trips
    ]
    rows.insert_trips(conn, with_ends, at)
    return len(memories)


def _tell(conn: Connection, by: Writer, settlement: Settlement, now: datetime) -> dict[str, int]:
    """Write the memories of new and changed trips, retire the old ones; return ids by trip_uid.

    A deleted or forgotten memory is not written again, even if its trip changes.
    """
    successors = settlement.successors
    old = {uid: trip.memory_id for uid, trip in settlement.known.items() if uid in successors}
    visible = rows.visible_memories(conn, list(old.values()))
    written_anew = [
        *settlement.changes.new,
        *(trip for trip in settlement.changes.changed if old[trip.trip_uid] in visible),
    ]
    news = [_memory(trip) for trip in written_anew]
    by_names = {_names(trip): new for trip, new in zip(written_anew, news, strict=True)}
    are_known = all(_is_plain(names, new) for names, new in by_names.items())
    written = insert_memories(conn, by, news, now, are_known=are_known)
    memories = {trip.trip_uid: row.id for trip, row in zip(written_anew, written, strict=True)}
    for uid, memory_id in old.items():
        if memory_id is not None and memory_id in visible:
            _retire(conn, by, memory_id, memories.get(successors[uid] or ""), now)
    return memories


def _names(trip: RoundTrip) -> tuple[str, ...]:
    """Return the texts of a trip that come from outside; all else in its memory is counted."""
    tokens = (token for token, _ in trip.other_fees)
    return (trip.market.account, trip.market.symbol, trip.quote, *tokens)


def _is_plain(names: tuple[str, ...], new: NewMemory) -> bool:
    """Return whether no memory of trips with these names needs a search: all else is counted."""
    return hold_no_secret(*names) and not families_of(new.content, *names)


def _memory(trip: RoundTrip) -> NewMemory:
    rate = trip.return_on_entry
    return NewMemory(
        category="trade_outcome",
        content=describe_trip(trip),
        metadata={
            "trip_uid": trip.trip_uid,
            "account": trip.market.account,
            "symbol": trip.market.symbol,
            "direction": trip.direction,
            "opened_at": iso(trip.opened_at),
            "closed_at": iso(trip.closed_at),
            "gross_micro_usd": trip.gross_micro_usd,
            "fee_micro_usd": trip.fees_micro_usd,
            "net_micro_usd": trip.net_micro_usd,
            "return_on_entry": None if rate is None else plain(rate),
            "liquidated": trip.liquidated,
            "flags": list(trip.flags),
        },
        origin="import",
        occurred_at=trip.closed_at,
    )


def _retire(
    conn: Connection, by: Writer, memory_id: int, successor_id: int | None, now: datetime
) -> None:
    """Supersede a memory by that of another trip, or delete it if there is none.

    A trip without successor lost its end to a late page: it did not close there, and no other trip
    contains it. A read of the past still sees the deleted memory.
    """
    if successor_id is not None:
        supersede(conn, by, memory_id, successor_id, now)
        return
    reason = {"reason": "a late page took the end of its trip away"}
    retire(conn, by, memory_id, now, reason)
