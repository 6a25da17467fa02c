"""Round trips of a replay as the fills tell them: what they really came to."""

from collections import Counter
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.decisions.from_trips import why_left_out
from afterword.pipeline.domain.trades.sums import sums_by_quote
from afterword.pipeline.domain.trips.read import trips
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.operations.replay.model import ReplaySettings
from afterword.pipeline.operations.replay_report.model import RoundTripsPart

OUTSIDE: Final = "outside the span"
"""Why a trip does not decide: it closed before the replay begins, or after it ends."""


def trips_part(conn: Connection, settings: ReplaySettings, cursor: int) -> RoundTripsPart:
    """Return what the round trips that closed before a moment came to.

    Args:
        conn: on the replay's file.
        cursor: microseconds.
    """
    decided: list[Trip] = []
    left_out = Counter[str]()
    for trip in trips(conn):
        closed_at, reason = to_micros(trip.closed_at), why_left_out(trip, trip.closed_at)
        if not settings.begins_at <= closed_at < settings.ends_at:
            left_out[OUTSIDE] += 1
        elif reason is not None:
            left_out[reason] += 1
        elif closed_at < cursor:
            decided.append(trip)
    return RoundTripsPart(len(decided), sums_by_quote(decided), dict(left_out))
