"""The round trips that a decision led to, as far as asset, side and time tell."""

from collections.abc import Iterable
from datetime import timedelta

from afterword.pipeline.domain.decisions.model import Decision
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.rules.market.symbols import normalise_symbol


def trips_of_decision(
    decision: Decision, trips: Iterable[Trip], within: timedelta
) -> tuple[Trip, ...]:
    """Return the trips that a decision led to, the earliest first.

    Of a decision made from a trip it is that one. Else those of its asset and direction that opened
    at its moment or after it; nothing proves that they carry it out.

    Args:
        within: how long after the decision a trip may open, such as the window of its role.
    """
    if decision.from_trip_uid is not None:
        return tuple(one for one in trips if one.trip_uid == decision.from_trip_uid)
    until = decision.decided_at + within
    found = [
        (one.opened_at, one.trip_uid, one)
        for one in trips
        if one.opened_at is not None
        and decision.decided_at <= one.opened_at <= until
        and one.direction == decision.direction
        and normalise_symbol(one.symbol) == decision.asset_key
    ]
    return tuple(one for _at, _uid, one in sorted(found, key=lambda it: it[:2]))
