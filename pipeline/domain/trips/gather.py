"""Read the next stretch of fills that is not settled yet."""

from sqlalchemy import Connection

from afterword.pipeline.domain.funding.rows import of_span
from afterword.pipeline.domain.prices.rows import splits_of
from afterword.pipeline.domain.trips import stretch_rows as rows
from afterword.pipeline.domain.trips.rows import trips_over
from afterword.pipeline.domain.trips.share_splits import HELD_SPLITS
from afterword.pipeline.domain.trips.stretch import MarketSpan, MarketStretch


def gather(conn: Connection, most: int) -> MarketStretch | None:
    """Read a market from the last settled point before its first fill that has no place yet.

    Args:
        most: fills read at most; in whole milliseconds, so there may be none.

    Returns:
        None if everything is settled.
    """
    unplaced = rows.first_unplaced(conn)
    if unplaced is None:
        return None
    market, first_ms = unplaced
    before, left = rows.last_trip_end(conn, market, first_ms)
    after = -1 if before is None else before.fill.time_ms
    fills, is_end = rows.fills_after(conn, market, after, most)
    span = MarketSpan(*market, after, fills[-1].fill.time_ms if fills else after)
    return MarketStretch(
        span=span,
        before=before,
        left=left,
        fills=fills,
        is_end=is_end,
        trips=trips_over(conn, span),
        gaps=rows.open_gaps(conn, span),
        funding=of_span(conn, span.account, span.venue, span.symbol, span.after, span.upto),
        mark=rows.mark(conn, span),
        splits=splits_of(conn, HELD_SPLITS, span.symbol),
    )
