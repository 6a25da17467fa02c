"""Statistics of round trips as words: on the terminal, on the page and in the picture alike."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from decimal import Decimal
from typing import Final

from afterword.pipeline.domain.fills.model import MarketKind
from afterword.pipeline.domain.trades.sums_model import QuoteSums, TripStatistics
from afterword.pipeline.views.numbers import count, held_words, money, percent, signed_percent
from afterword.pipeline.views.trades.costs_words import costs_words

_KINDS: Final[dict[MarketKind, str]] = {
    "spot": "Spot",
    "perp": "Perps",
    "future": "Futures",
    "option": "Options",
    "stock": "Stocks",
    "forex": "Forex",
    "cfd": "CFDs",
}


def total_words(sums: QuoteSums) -> str:
    """Return what round trips came to: `5 round trips, 2 won (40 %), net −22.84 USDC.`"""
    won = f"{sums.winners:,} won ({percent(sums.winners / sums.trips)})"
    return f"{count(sums.trips, 'round trip')}, {won}, net {money(sums.net, sums.quote)}."


def kind_words(kinds: Mapping[MarketKind, Sequence[QuoteSums]]) -> list[str]:
    """Return what spot came to beside other kinds of markets; nothing where it stands alone."""
    if "spot" not in kinds or len(kinds) < 2:
        return []
    return [
        f"{_KINDS[kind]}: {total_words(sums)}"
        for kind, of_kind in kinds.items()
        for sums in of_kind
    ]


def statistics_fields(sums: QuoteSums, statistics: TripStatistics, zone: tzinfo) -> dict[str, str]:
    """Return what an average trip brought, winners and losers, streaks, the worst fall, and costs.

    Args:
        sums: of the same trips.
        zone: that dates are told in.
    """
    return {
        "per trip": _per_trip(sums, statistics),
        "profit factor": _profit_factor(statistics),
        "average win": _win(sums, statistics),
        "average loss": _loss(sums, statistics),
        "longest streaks": _streaks(statistics),
        "worst drawdown": _drawdown(statistics, zone),
        "time held": _held(statistics),
        "costs": costs_words(statistics.costs),
    }


def _per_trip(sums: QuoteSums, statistics: TripStatistics) -> str:
    words = f"{money(statistics.expectancy, statistics.quote)} on average"
    if statistics.net_to_put_in is None:
        return words
    words += f", {signed_percent(statistics.net_to_put_in, 2)} of what the first orders put in"
    if statistics.put_in_trips < sums.trips:
        words += f" (known of {count(statistics.put_in_trips, 'trip')})"
    return words


def _profit_factor(statistics: TripStatistics) -> str:
    if statistics.profit_factor is None:
        return "no losing trips" if statistics.won else "no trip won or lost"
    return (
        f"{statistics.profit_factor:,.2f} "
        f"({money(statistics.won, statistics.quote, is_named=False)} won, "
        f"{money(statistics.lost, statistics.quote)} lost)"
    )


def _win(sums: QuoteSums, statistics: TripStatistics) -> str:
    if statistics.average_win is None:
        return "no winning trips"
    return _side(sums.winners, statistics.average_win, statistics.largest_win, statistics.quote)


def _loss(sums: QuoteSums, statistics: TripStatistics) -> str:
    if statistics.average_loss is None:
        return "no losing trips"
    return _side(sums.losers, statistics.average_loss, statistics.largest_loss, statistics.quote)


def _side(trips: int, average: Decimal, largest: Decimal | None, quote: str) -> str:
    words = f"{money(average, quote)} over {count(trips, 'trip')}"
    return words if trips == 1 else f"{words}, the largest {money(largest, quote)}"


def _streaks(statistics: TripStatistics) -> str:
    most = f"{statistics.longest_wins:,} won, {statistics.longest_losses:,} lost"
    if statistics.is_order_known:
        return most
    together = "on one day" if statistics.is_by_day else "at one moment"
    return f"{most}, or more: the order of trips that closed {together} is not known"


def _drawdown(statistics: TripStatistics, zone: tzinfo) -> str:
    fall = statistics.drawdown
    if fall is None:
        return "none: the sum of closed trips never fell"

    def day(moment: datetime) -> str:
        return f"{moment.astimezone(UTC if statistics.is_by_day else zone):%Y-%m-%d}"

    begin = "the start" if fall.peak_at is None else day(fall.peak_at)
    end = day(fall.trough_at)
    then = f"on {end}" if begin == end else f"from {begin} to {end}"
    trips = count(fall.trough_trips - fall.peak_trips, "closed trip")
    made_up = "not made up" if fall.recovered_at is None else f"made up on {day(fall.recovered_at)}"
    return f"{money(fall.amount, statistics.quote)} over {trips}, {then}, {made_up}"


def _held(statistics: TripStatistics) -> str:
    medians = (("winners", statistics.winner_held_us), ("losers", statistics.loser_held_us))
    known = [f"{name} {held_words(held)}" for name, held in medians if held is not None]
    return f"{', '.join(known)} (medians)" if known else "not known"
