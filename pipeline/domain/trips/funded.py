"""Which trip a payment of funding belongs to."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import reduce

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.fills.model import EXACT
from afterword.pipeline.domain.trips.model import RoundTrip


def with_funding(
    trips: Sequence[RoundTrip], payments: Sequence[tuple[int, Decimal]]
) -> Iterator[RoundTrip]:
    """Yield the trips of one market, each with the payments that were made while it was held.

    A payment at the moment of an entry was for what was held before it, and one at the moment of an
    exit for what the exit closed.

    Args:
        payments: as (UTC milliseconds, amount), in order of time.
    """
    for trip in trips:
        first, last = (
            bisect_right(payments, to_micros(moment), key=_micros)
            for moment in (trip.opened_at, trip.closed_at)
        )
        amounts = [amount for _, amount in payments[first:last]]
        yield replace(trip, funding=reduce(EXACT.add, amounts)) if amounts else trip


def _micros(payment: tuple[int, Decimal]) -> int:
    return payment[0] * 1000
