"""Plain statistics of trips are exact, and claim nothing that the order of a day would decide."""

from datetime import timedelta
from decimal import Decimal
from random import Random

import pytest

from afterword.pipeline.domain.trades.statistics import closings, drawdown, statistics_by_quote
from tests.unit.trades.made_trips import HOUR, START, trip

DAY = timedelta(days=1)


def book(*nets, **changes):
    """Return trips that close an hour after each other."""
    return [trip(n, START + n * HOUR, 1, net, **changes) for n, net in enumerate(nets)]


def days(*groups):
    """Return trips of days without hours: those of a group closed on one day."""
    return [
        trip(100 * day + n, START + day * DAY, 0, net, flags=("days_only",))
        for day, nets in enumerate(groups)
        for n, net in enumerate(nets)
    ]


def test_the_statistics_of_a_book_are_those_of_a_calculation_by_hand():
    (found,) = statistics_by_quote(book("10", "-4", "6", "-2", "-5", "0", "3"))

    assert (found.won, found.lost, found.profit_factor) == (19, -11, pytest.approx(19 / 11))
    assert (found.expectancy * 7).quantize(Decimal("0.001")) == 8
    assert (found.average_win, found.average_loss) == (
        Decimal("6.333333333"),
        Decimal("-3.666666667"),
    )
    assert (found.largest_win, found.largest_loss) == (10, -5)
    assert (found.net_to_put_in, found.put_in_trips) == (pytest.approx(8 / 700), 7)
    assert (found.longest_wins, found.longest_losses, found.is_order_known) == (1, 2, True)
    assert found.winner_held_us == found.loser_held_us == HOUR // timedelta(microseconds=1)


def test_without_losers_there_is_no_profit_factor():
    (won,), (flat,) = statistics_by_quote(book("1", "2")), statistics_by_quote(book("0"))

    assert (won.profit_factor, won.average_loss, won.largest_loss, won.drawdown) == (None,) * 4
    assert (won.longest_wins, won.longest_losses) == (2, 0)
    assert (flat.profit_factor, flat.average_win, flat.expectancy) == (None, None, 0)


def test_a_trip_that_breaks_even_ends_a_streak():
    (found,) = statistics_by_quote(book("1", "1", "0", "1", "-1", "-1", "-1"))

    assert (found.longest_wins, found.longest_losses) == (2, 3)


def test_a_drawdown_has_its_days_and_says_whether_it_was_made_up():
    (found,) = statistics_by_quote(book("5", "-3", "10", "-4", "-4", "1", "-3"))
    fall = found.drawdown
    assert fall is not None
    assert (fall.amount, fall.peak_trips, fall.trough_trips) == (-10, 3, 7)
    assert (fall.peak_at, fall.trough_at) == (START + 3 * HOUR, START + 7 * HOUR)
    assert fall.recovered_at is None

    begun = drawdown(closings(book("-2", "-5", "1", "6", "-1")))
    assert begun is not None
    assert (begun.amount, begun.peak_trips, begun.peak_at) == (-7, 0, None)
    assert begun.recovered_at == START + 4 * HOUR  # the sum is 0 again, as at the start


def test_what_closed_on_one_day_is_taken_together():
    (found,) = statistics_by_quote(days(("1", "1"), ("5", "-9", "6"), ("1", "1", "1"), ("-1",)))

    # By trip the sum may have fallen by 9 on the second day, in one order, or by nothing.
    assert found.drawdown is not None and found.drawdown.amount == -1
    assert (found.longest_wins, found.longest_losses, found.is_order_known) == (3, 1, False)
    assert found.is_by_day and found.drawdown.trough_at == START + 3 * DAY + 12 * HOUR


def test_no_order_of_the_trips_of_a_day_changes_what_is_told():
    trips = days(("1", "-2"), ("-1", "-1"), ("3", "0"), ("-2", "-2", "-2"))
    told = statistics_by_quote(trips)
    for seed in range(5):
        Random(seed).shuffle(trips)
        assert statistics_by_quote(trips) == told
    assert told[0].longest_losses == 3


def test_trips_that_closed_at_one_moment_have_no_order():
    pair = [trip(1, START, 1, "4"), trip(2, START, 1, "-3", symbol="ETHUSDT")]
    (found,) = statistics_by_quote([*pair, trip(3, START + HOUR, 1, "-1")])

    assert (found.longest_wins, found.longest_losses, found.is_order_known) == (0, 1, False)
    assert found.drawdown is not None and found.drawdown.amount == -1


def test_currencies_stand_apart_the_one_with_the_most_trips_first():
    found = statistics_by_quote(
        [*book("1", quote="EUR"), *book("2", "-9"), *book("7", quote="BTC")]
    )

    assert [(one.quote, one.won, one.lost) for one in found] == [
        *(("USDT", 2, -9), ("BTC", 7, 0), ("EUR", 1, 0)),
    ]


def test_what_was_put_in_counts_where_it_is_known():
    known = trip(1, START, 1, "10", first_notional=Decimal(40))
    (found,) = statistics_by_quote([known, trip(2, START + HOUR, 1, "-1", notional=None)])

    assert (found.net_to_put_in, found.put_in_trips) == (0.25, 1)
