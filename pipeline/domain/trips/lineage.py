"""The trip that a memory tells of, and the fills that a trip is made of."""

from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.lineage.model import Cause, LineageStep
from afterword.pipeline.domain.trips.read import fill_ids_of_trip, trip
from afterword.pipeline.domain.trips.share_splits import held_splits
from afterword.pipeline.rules.market.decimals import plain

_REMEMBERED: Final = text("""
SELECT t.trip_uid FROM round_trips AS t JOIN memories AS m ON m.id = t.memory_id
WHERE m.id = :key OR m.uid = :key
UNION
SELECT t.trip_uid FROM closed_trades AS t JOIN memories AS m ON m.id = t.memory_id
WHERE m.id = :key OR m.uid = :key
ORDER BY 1
""")


def remembered_trip(conn: Connection, key: str | int, at: int | None) -> LineageStep | None:
    """Return the trip that a memory tells of, as its cause; see `ReadLineageStep`."""
    del at
    uids = conn.execute(_REMEMBERED, {"key": key}).scalars().all()
    return LineageStep(causes=[Cause("tells of", "trip", uid) for uid in uids])


def trip_lineage(conn: Connection, key: str | int, at: int | None) -> LineageStep | None:
    """Return a trip and its fills."""
    known = trip(conn, str(key))
    if known is None:
        return None
    size, net = plain(known.size), plain(known.net)
    says = f"{known.direction} {size} {known.symbol} on {known.venue}, account {known.account}"
    since, until = known.opened_at or known.closed_at, known.closed_at
    for split in held_splits(conn, to_micros(until), at).get(known.symbol, ()):
        if since < split.effective_at:
            ratio = f"{split.ratio.numerator}:{split.ratio.denominator}"
            says += f", split {ratio} on {split.effective_at:%Y-%m-%d}"
    causes = [Cause("made of", "fill", row_id) for row_id in fill_ids_of_trip(conn, known.trip_uid)]
    return LineageStep(
        f"trip {known.trip_uid}", f"{says}: net {net} {known.quote}", known.closed_at, causes
    )
