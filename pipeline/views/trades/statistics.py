"""Statistics of round trips as words: on the terminal, on the page and in the picture alike."""

from datetime import UTC, datetime, tzinfo
from decimal import Decimal

from afterword.pipeline.domain.trades.model import QuoteSums, TripStatistics
from afterword.pipeline.views.numbers import (
    count,
    held_words,
    money,
    percent,
    signed_percent,
)
from afterword.pipeline.views.trades.costs_words import costs_words


def total_words(one: QuoteSums) -> str:
    """Return what round trips came to: `5 round trips, 2 won (40 %), net −22.84 USDC.`"""
    won = f"{one.winners:,} won ({percent(one.winners / one.trips)})"
    return f"{count(one.trips, 'round trip')}, {won}, net {money(one.net, one.quote)}."


def statistics_fields(sums: QuoteSums, one: TripStatistics, zone: tzinfo) -> dict[str, str]:
    """Return what an average trip brought, winners and losers, streaks, the worst fall, and costs.

    Args:
        sums: of the same trips.
        zone: that dates are told in.
    """
    return {
        "per trip": _per_trip(sums, one),
        "profit factor": _profit_factor(one),
        "average win": _win(sums, one),
        "average loss": _loss(sums, one),
        "longest streaks": _streaks(one),
        "worst drawdown": _drawdown(one, zone),
        "time held": _held(one),
        "costs": costs_words(one.costs),
    }


def _per_trip(sums: QuoteSums, one: TripStatistics) -> str:
    said = f"{money(one.expectancy, one.quote)} on average"
    if one.net_to_put_in is None:
        return said
    said += f", {signed_percent(one.net_to_put_in, 2)} of what the first orders put in"
    if one.put_in_trips < sums.trips:
        said += f" (known of {count(one.put_in_trips, 'trip')})"
    return said


def _profit_factor(one: TripStatistics) -> str:
    if one.profit_factor is None:
        return "no losing trips" if one.won else "no trip won or lost"
    return (
        f"{one.profit_factor:,.2f} ({money(one.won, one.quote, is_named=False)} won, "
        f"{money(one.lost, one.quote)} lost)"
    )


def _win(sums: QuoteSums, one: TripStatistics) -> str:
    if one.average_win is None:
        return "no winning trips"
    return _side(sums.winners, one.average_win, one.largest_win, one.quote)


def _loss(sums: QuoteSums, one: TripStatistics) -> str:
    if one.average_loss is None:
        return "no losing trips"
    return _side(sums.losers, one.average_loss, one.largest_loss, one.quote)


def _side(trips: int, average: Decimal, largest: Decimal | None, quote: str) -> str:
    said = f"{money(average, quote)} over {count(trips, 'trip')}"
    return said if trips == 1 else f"{said}, the largest {money(largest, quote)}"


def _streaks(one: TripStatistics) -> str:
    most = f"{one.longest_wins:,} won, {one.longest_losses:,} lost"
    if one.is_order_known:
        return most
    together = "on one day" if one.is_by_day else "at one moment"
    return f"{most}, or more: the order of trips that closed {together} is not known"


def _drawdown(one: TripStatistics, zone: tzinfo) -> str:
    fall = one.drawdown
    if fall is None:
        return "none: the sum of closed trips never fell"

    def day(moment: datetime) -> str:
        return f"{moment.astimezone(UTC if one.is_by_day else zone):%Y-%m-%d}"

    begin = "the start" if fall.peak_at is None else day(fall.peak_at)
    end = day(fall.trough_at)
    then = f"on {end}" if begin == end else f"from {begin} to {end}"
    trips = count(fall.trough_trips - fall.peak_trips, "closed trip")
    made_up = "not made up" if fall.recovered_at is None else f"made up on {day(fall.recovered_at)}"
    return f"{money(fall.amount, one.quote)} over {trips}, {then}, {made_up}"


def _held(one: TripStatistics) -> str:
    medians = (("winners", one.winner_held_us), ("losers", one.loser_held_us))
    known = [f"{name} {held_words(held)}" for name, held in medians if held is not None]
    return f"{', '.join(known)} (medians)" if known else "not known"
