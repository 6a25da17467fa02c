"""Plain statistics of complete trips: the mean, winners and losers, streaks, the deepest fall.

Pure rules, each of which can be computed again from the trips. Trips that closed at one moment have
no order, nor have those of one day where days are all that is known: they are taken together, and
nothing is claimed that depends on their order.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from decimal import Decimal
from itertools import groupby
from operator import itemgetter
from statistics import median_low
from typing import Final, NamedTuple

from afterword.pipeline.domain.fills.model import AVERAGE, EXACT
from afterword.pipeline.domain.trades.local import local_time
from afterword.pipeline.domain.trades.measure import put_in_of
from afterword.pipeline.domain.trades.sums import by_count, costs_of, exact_total
from afterword.pipeline.domain.trades.sums_model import Drawdown, TripStatistics
from afterword.pipeline.domain.trips.trip import Trip

_MICROSECOND: Final = timedelta(microseconds=1)
_NOON: Final = time(12, tzinfo=UTC)


class Closing(NamedTuple):
    """Trips that closed together, and what all had come to then.

    Args:
        at: the moment; the noon of the day where days are all that is known. Aware UTC.
        nets: of these trips.
        trips: closed until then, these included; count.
        total: sum of their nets.
    """

    at: datetime
    nets: tuple[Decimal, ...]
    trips: int
    total: Decimal


def statistics_by_quote(trips: Iterable[Trip]) -> tuple[TripStatistics, ...]:
    """Return the statistics of trips in each quote, the one with the most trips first.

    Args:
        trips: complete ones, in any order.
    """
    groups: dict[str, list[Trip]] = defaultdict(list)
    for trip in trips:
        groups[trip.quote].append(trip)
    return tuple(_statistics(quote, groups[quote]) for quote in by_count(groups))


def closings(trips: Iterable[Trip]) -> list[Closing]:
    """Return trips of one quote as they closed, with their running sum."""
    own = list(trips)
    is_by_day = any(trip.is_day for trip in own)
    moments = [(_day(trip) if is_by_day else trip.closed_at, trip.net) for trip in own]
    closings, count, total = [], 0, Decimal(0)
    for at, together in groupby(sorted(moments), key=itemgetter(0)):
        nets = tuple(net for _, net in together)
        count += len(nets)
        total = EXACT.add(total, exact_total(nets))
        closings.append(Closing(at, nets, count, total))
    return closings


def drawdown(closings: Iterable[Closing]) -> Drawdown | None:
    """Return the deepest fall of a running sum; None if it never fell."""
    peak, peak_trips, peak_at, worst = Decimal(0), 0, None, None
    for closing in closings:
        if closing.total >= peak:
            if worst is not None and worst.recovered_at is None:
                worst = replace(worst, recovered_at=closing.at)
            peak, peak_trips, peak_at = closing.total, closing.trips, closing.at
        else:
            amount = EXACT.subtract(closing.total, peak)
            if worst is None or amount < worst.amount:
                worst = Drawdown(
                    amount=amount,
                    peak_trips=peak_trips,
                    trough_trips=closing.trips,
                    peak_at=peak_at,
                    trough_at=closing.at,
                    recovered_at=None,
                )
    return worst


def longest_streaks(closings: Iterable[Closing]) -> tuple[int, int]:
    """Return the longest runs of wins and of losses that are sure in every order.

    Trips that closed together, of which some won and some did not, end a run and begin none.
    """
    longest, run, side = {1: 0, -1: 0}, 0, 0
    for closing in closings:
        sides = set(map(_side, closing.nets))
        if len(sides) > 1 or 0 in sides:
            run = side = 0
            continue
        (now,) = sides
        run = run + len(closing.nets) if now == side else len(closing.nets)
        side = now
        longest[side] = max(longest[side], run)
    return longest[1], longest[-1]


def _statistics(quote: str, trips: Sequence[Trip]) -> TripStatistics:
    wins = [trip for trip in trips if trip.net > 0]
    losses = [trip for trip in trips if trip.net < 0]
    won, lost = (exact_total(trip.net for trip in side) for side in (wins, losses))
    entered = [(trip.net, put_in) for trip in trips if (put_in := put_in_of(trip))]
    put_in = exact_total(put_in for _, put_in in entered)
    ends = closings(trips)
    longest_wins, longest_losses = longest_streaks(ends)
    return TripStatistics(
        quote=quote,
        won=won,
        lost=lost,
        expectancy=AVERAGE.divide(EXACT.add(won, lost), len(trips)),
        net_to_put_in=float(exact_total(net for net, _ in entered) / put_in) if entered else None,
        put_in_trips=len(entered),
        profit_factor=float(won / -lost) if lost else None,
        average_win=AVERAGE.divide(won, len(wins)) if wins else None,
        average_loss=AVERAGE.divide(lost, len(losses)) if losses else None,
        largest_win=max((trip.net for trip in wins), default=None),
        largest_loss=min((trip.net for trip in losses), default=None),
        longest_wins=longest_wins,
        longest_losses=longest_losses,
        is_order_known=all(len(set(map(_side, closing.nets))) == 1 for closing in ends),
        is_by_day=any(trip.is_day for trip in trips),
        drawdown=drawdown(ends),
        winner_held_us=_median_held(wins),
        loser_held_us=_median_held(losses),
        costs=costs_of(quote, trips),
    )


def _median_held(trips: Sequence[Trip]) -> int | None:
    held = [trip.held // _MICROSECOND for trip in trips if trip.held is not None]
    return median_low(held) if held else None


def _day(trip: Trip) -> datetime:
    local = local_time(trip.closed_at, UTC, is_day=trip.is_day)
    return datetime.combine(local.date(), _NOON)


def _side(net: Decimal) -> int:
    return (net > 0) - (net < 0)
