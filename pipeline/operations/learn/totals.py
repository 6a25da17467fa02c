"""Sums of complete round trips by month and by market, and how far the price went meanwhile.

Pure rules: sums and medians of what the report lists, without a test. Each can be computed again
from the trades of `--json`.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import tzinfo
from statistics import median
from typing import Final, NamedTuple

from afterword.pipeline.domain.trades.local import local_time
from afterword.pipeline.domain.trades.model import TripOutcome
from afterword.pipeline.domain.trades.sums import by_count, sums_by_quote
from afterword.pipeline.domain.trades.sums_model import QuoteSums
from afterword.pipeline.domain.trips.trip import Trip

MAX_MONTHS: Final = 24
"""Months up to which each has a line of its own; of more, years have."""

MAX_MARKETS: Final = 40
"""Markets that have a line of their own: those that brought or cost the most."""


class SumLine(NamedTuple):
    """The sums of the trips of one month, year or market, in one currency."""

    name: str
    sums: QuoteSums


class ExcursionLine(NamedTuple):
    """How far the price went both ways while the winners, or the losers, were open: medians.

    Args:
        against: share of the entry price, 0 or less; `favour` 0 or more.
        taken: move from entry to exit over the best move meanwhile; None if none had one.
    """

    name: str
    trips: int
    against: float
    favour: float
    taken: float | None


def by_time(outcomes: Sequence[TripOutcome], zone: tzinfo) -> list[SumLine]:
    """Return the sums of each month in which trips closed, or of each year if there are many.

    Args:
        zone: that months begin in.
    """

    def month(trip: Trip) -> str:
        closed = local_time(trip.closed_at, zone, is_day=trip.is_day)
        return f"{closed.year:04}-{closed.month:02}"

    groups = _grouped(outcomes, month)
    if len(groups) > MAX_MONTHS:
        groups = _grouped(outcomes, lambda trip: month(trip)[:4])
    return [SumLine(name, sums) for name in sorted(groups) for sums in sums_by_quote(groups[name])]


def by_market(outcomes: Sequence[TripOutcome]) -> list[SumLine]:
    """Return the sums of each market, those that brought or cost the most first; the rest are one.

    Currencies stand below each other: their amounts cannot be compared.
    """
    groups = _grouped(outcomes, lambda trip: trip.symbol)
    lines = [SumLine(name, sums) for name in groups for sums in sums_by_quote(groups[name])]
    quotes = by_count(_grouped(outcomes, lambda trip: trip.quote))
    lines.sort(key=lambda line: (quotes.index(line.sums.quote), -abs(line.sums.net), line.name))
    fewer = {line.name for line in lines[MAX_MARKETS:]}
    rest = sums_by_quote(
        trip
        for line in lines[MAX_MARKETS:]
        for trip in groups[line.name]
        if trip.quote == line.sums.quote
    )
    more = f"{len(fewer):,} more market{'s' * (len(fewer) > 1)}"
    return [*lines[:MAX_MARKETS], *(SumLine(more, sums) for sums in rest)]


def excursions(outcomes: Sequence[TripOutcome]) -> list[ExcursionLine]:
    """Return how far the price went both ways, of winners and losers with prices."""
    known = [
        outcome for outcome in outcomes if None not in (outcome.mae_sure_ppb, outcome.mfe_sure_ppb)
    ]
    groups = {
        "winners": [outcome for outcome in known if outcome.trip.net > 0],
        "losers": [outcome for outcome in known if outcome.trip.net < 0],
    }
    return [_excursion(name, group) for name, group in groups.items() if group]


def _grouped(outcomes: Sequence[TripOutcome], name: Callable[[Trip], str]) -> dict[str, list[Trip]]:
    groups: dict[str, list[Trip]] = defaultdict(list)
    for outcome in outcomes:
        groups[name(outcome.trip)].append(outcome.trip)
    return groups


def _excursion(name: str, group: Sequence[TripOutcome]) -> ExcursionLine:
    taken = [outcome.efficiency for outcome in group if outcome.efficiency is not None]
    return ExcursionLine(
        name,
        len(group),
        median((outcome.mae_sure_ppb or 0) / 1e9 for outcome in group),
        median((outcome.mfe_sure_ppb or 0) / 1e9 for outcome in group),
        median(taken) if taken else None,
    )
