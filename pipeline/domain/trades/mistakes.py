"""Mistakes by rule: counts and sums of the trips that broke one; they say nothing about skill."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

from afterword.pipeline.domain.trades.labels import QUICK
from afterword.pipeline.domain.trades.measure import entered, exited
from afterword.pipeline.domain.trades.model import Mistake, Rule, TripOutcome
from afterword.pipeline.domain.trades.sums import sums_by_quote
from afterword.pipeline.domain.trips.trip import Trip


def mistakes_of(outcomes: Iterable[TripOutcome]) -> tuple[Mistake, ...]:
    """Return the complete trips that broke each rule."""
    complete = sorted(
        (one for one in outcomes if not one.trip.is_incomplete), key=lambda one: entered(one.trip)
    )
    larger, followed = _larger_re_entries(complete)
    adds = [one.trip for one in complete if one.trip.losing_adds]
    added_of = sum(one.trip.fills > 0 for one in complete)
    paid = [one.trip for one in complete if one.trip.gross is not None and one.trip.fees]
    eaten = [trip for trip in paid if trip.gross is not None and trip.gross > 0 >= trip.net]
    return (
        _mistake("larger_re_entry", larger, followed),
        _mistake("added_to_loser", adds, added_of),
        _mistake("fees_took_profit", eaten, len(paid)),
    )


def _larger_re_entries(outcomes: Sequence[TripOutcome]) -> tuple[list[Trip], int]:
    """Return trips soon after a loss and larger than it; and how many were soon after a loss.

    The loss is the last trip of the account that had closed by then, in the same quote.
    """
    closed: dict[tuple[str, str], list[TripOutcome]] = defaultdict(list)
    for one in outcomes:
        closed[one.trip.account, one.trip.quote].append(one)
    moments: dict[tuple[str, str], list[datetime]] = {}
    for key, every in closed.items():
        every.sort(key=lambda one: exited(one.trip))
        moments[key] = [one.trip.closed_at for one in every]
    larger, followed = [], 0
    for one in outcomes:
        opened, key = one.trip.opened_at, (one.trip.account, one.trip.quote)
        if opened is None:
            continue
        place = bisect_right(moments[key], opened) - 1
        # A trip that closed in the moment it was entered is not before itself.
        while place >= 0 and closed[key][place].trip.trip_uid == one.trip.trip_uid:
            place -= 1
        last = closed[key][place] if place >= 0 else None
        if last is None or last.trip.net >= 0 or opened - last.trip.closed_at > QUICK:
            continue
        if one.trip.is_day or last.trip.is_day:  # on one day: nobody knows how soon
            continue
        if one.put_in is None or last.put_in is None:
            continue
        followed += 1
        if one.put_in > last.put_in:
            larger.append(one.trip)
    return larger, followed


def _mistake(rule: Rule, trips: Sequence[Trip], of: int) -> Mistake:
    return Mistake(
        rule=rule,
        trips=len(trips),
        of=of,
        sums=sums_by_quote(trips),
        trip_uids=tuple(trip.trip_uid for trip in trips),
    )
