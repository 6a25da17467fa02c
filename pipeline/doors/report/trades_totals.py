"""Sums of complete round trips: by month, by market, of winners and losers, and the worst stretch.

Pure rules: sums and medians of what the report lists, without a test. Each can be computed again
from the trades of `--json`.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import datetime
from decimal import Decimal
from statistics import median, median_low
from typing import Final, NamedTuple

from afterword.pipeline.domain.history.trip import Trip
from afterword.pipeline.domain.trades.model import QuoteSums, TripOutcome
from afterword.pipeline.domain.trades.sums import sums_by_quote

MAX_MONTHS: Final = 24
"""Months up to which each has a line of its own; of more, years have."""

MAX_MARKETS: Final = 40
"""Markets that have a line of their own: those with the most trips."""


class SumLine(NamedTuple):
    """The sums of the trips of one month, year or market, in one currency."""

    name: str
    sums: QuoteSums


class ResultLine(NamedTuple):
    """The results of the winners, or of the losers, in one currency.

    Args:
        largest: the net farthest from zero.
        held_us: the median; None where no file says when they were opened.
    """

    name: str
    currency: str
    trips: int
    net: Decimal
    mean: Decimal
    median: Decimal
    largest: Decimal
    held_us: int | None


class ExcursionLine(NamedTuple):
    """How far the price went both ways while the winners, or the losers, were open: medians.

    Args:
        against: share of the entry price, 0 or less; `favour` 0 or more.
        kept: move from entry to exit over the best move meanwhile; None if none had one.
    """

    name: str
    trips: int
    against: float
    favour: float
    kept: float | None


class Drawdown(NamedTuple):
    """The largest fall of the sum of net results from a highest point before.

    Args:
        begin: number of the trade after which the sum was highest; 0 before the first one.
        end: number of the trade after which it was lowest; it closed at `end_at`.
    """

    amount: Decimal
    begin: int
    end: int
    end_at: datetime


def by_time(trips: Sequence[TripOutcome]) -> list[SumLine]:
    """Return the sums of each month in which trips closed, in UTC; of each year if it is long."""
    months = _grouped(trips, lambda one: f"{one.closed_at:%Y-%m}")
    groups = (
        months if len(months) <= MAX_MONTHS else _grouped(trips, lambda one: f"{one.closed_at:%Y}")
    )
    return [SumLine(name, sums) for name in sorted(groups) for sums in sums_by_quote(groups[name])]


def by_market(trips: Sequence[TripOutcome]) -> list[SumLine]:
    """Return the sums of each market, the most trips first; the markets with the fewest are one."""
    groups = _grouped(trips, lambda one: one.symbol)
    names = sorted(groups, key=lambda name: (-len(groups[name]), name))
    lines = [
        SumLine(name, sums) for name in names[:MAX_MARKETS] for sums in sums_by_quote(groups[name])
    ]
    fewer = names[MAX_MARKETS:]
    rest = sums_by_quote(trip for name in fewer for trip in groups[name])
    return [*lines, *(SumLine(f"{len(fewer):,} more markets", sums) for sums in rest)]


def winners_and_losers(trips: Sequence[TripOutcome]) -> list[ResultLine]:
    """Return what winners and losers came to, and all together, by currency."""
    found = []
    for currency in sorted({one.trip.quote for one in trips}):
        own = [one for one in trips if one.trip.quote == currency]
        groups = {
            "winners": [one for one in own if one.trip.net > 0],
            "losers": [one for one in own if one.trip.net < 0],
            "all": own,
        }
        found += [_results(name, currency, group) for name, group in groups.items() if group]
    return found


def excursions(trips: Sequence[TripOutcome]) -> list[ExcursionLine]:
    """Return how far the price went both ways, of winners and losers with prices."""
    known = [one for one in trips if None not in (one.mae_sure_ppb, one.mfe_sure_ppb)]
    groups = {
        "winners": [one for one in known if one.trip.net > 0],
        "losers": [one for one in known if one.trip.net < 0],
    }
    return [_excursion(name, group) for name, group in groups.items() if group]


def drawdown(totals: Sequence[tuple[datetime, Decimal]]) -> Drawdown | None:
    """Return the largest fall of a sum; None if it never fell.

    Args:
        totals: when each trade closed, and what all had come to then.
    """
    peak, begin, worst = Decimal(0), 0, None
    for number, (at, total) in enumerate(totals, start=1):
        if total > peak:
            peak, begin = total, number
        elif total < peak and (worst is None or total - peak < worst.amount):
            worst = Drawdown(total - peak, begin, number, at)
    return worst


def _grouped(trips: Sequence[TripOutcome], name: Callable[[Trip], str]) -> dict[str, list[Trip]]:
    groups: dict[str, list[Trip]] = defaultdict(list)
    for one in trips:
        groups[name(one.trip)].append(one.trip)
    return groups


def _results(name: str, currency: str, group: Sequence[TripOutcome]) -> ResultLine:
    nets = [one.trip.net for one in group]
    held = [one.held_us for one in group if one.held_us is not None]
    (sums,) = sums_by_quote(one.trip for one in group)
    return ResultLine(
        *(name, currency, len(nets), sums.net, sums.net / len(nets), median(nets)),
        max(nets, key=abs),
        median_low(held) if held else None,
    )


def _excursion(name: str, group: Sequence[TripOutcome]) -> ExcursionLine:
    kept = [one.efficiency for one in group if one.efficiency is not None]
    return ExcursionLine(
        name,
        len(group),
        median((one.mae_sure_ppb or 0) / 1e9 for one in group),
        median((one.mfe_sure_ppb or 0) / 1e9 for one in group),
        median(kept) if kept else None,
    )
