"""Mistakes by rule: counts and sums of the trips that broke one; they say nothing about skill."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

from afterword.pipeline.domain.trades.labels import QUICK
from afterword.pipeline.domain.trades.measure import entered, exited
from afterword.pipeline.domain.trades.model import Mistake, MistakeRule, TripOutcome
from afterword.pipeline.domain.trades.sums import sums_by_quote
from afterword.pipeline.domain.trips.trip import Trip


def mistakes_of(outcomes: Iterable[TripOutcome]) -> tuple[Mistake, ...]:
    """Return the complete trips that broke each rule."""
    complete = sorted(
        (outcome for outcome in outcomes if not outcome.trip.is_incomplete),
        key=lambda outcome: entered(outcome.trip),
    )
    larger, followed = _larger_re_entries(complete)
    adds = [outcome.trip for outcome in complete if outcome.trip.losing_adds]
    added_of = sum(outcome.trip.fills > 0 for outcome in complete)
    paid = [
        outcome.trip for outcome in complete if outcome.trip.gross is not None and outcome.trip.fees
    ]
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
    for outcome in outcomes:
        closed[outcome.trip.account, outcome.trip.quote].append(outcome)
    moments: dict[tuple[str, str], list[datetime]] = {}
    for key, own in closed.items():
        own.sort(key=lambda outcome: exited(outcome.trip))
        moments[key] = [outcome.trip.closed_at for outcome in own]
    larger, followed = [], 0
    for outcome in outcomes:
        opened, key = outcome.trip.opened_at, (outcome.trip.account, outcome.trip.quote)
        if opened is None:
            continue
        place = bisect_right(moments[key], opened) - 1
        # A trip that closed in the moment it was entered is not before itself.
        while place >= 0 and closed[key][place].trip.trip_uid == outcome.trip.trip_uid:
            place -= 1
        last = closed[key][place] if place >= 0 else None
        if last is None or last.trip.net >= 0 or opened - last.trip.closed_at > QUICK:
            continue
        if outcome.trip.is_day or last.trip.is_day:  # on one day: nobody knows how soon
            continue
        if outcome.put_in is None or last.put_in is None:
            continue
        followed += 1
        if outcome.put_in > last.put_in:
            larger.append(outcome.trip)
    return larger, followed


def _mistake(rule: MistakeRule, trips: Sequence[Trip], of: int) -> Mistake:
    return Mistake(
        rule=rule,
        trips=len(trips),
        of=of,
        sums=sums_by_quote(trips),
        trip_uids=tuple(trip.trip_uid for trip in trips),
    )
