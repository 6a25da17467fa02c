"""Mistakes by rule are counts and sums, with the losing trade itself as the reference."""

from datetime import timedelta
from decimal import Decimal

from afterword.pipeline.domain.trades.measure import measure_trips
from afterword.pipeline.domain.trades.mistakes import mistakes_of
from afterword.pipeline.domain.trades.sums import sums_by_quote
from tests.unit.trades.made_trips import HOUR, START, prices, trip

MINUTE = timedelta(minutes=1)


def mistakes(*trips):
    found = mistakes_of(measure_trips(prices(), trips, START + 999 * HOUR))
    return {one.rule: one for one in found}


def test_a_larger_re_entry_is_larger_than_the_losing_trade():
    loss = trip(1, START, 1, "-2", notional=Decimal(50))
    # Larger than the loser, though smaller than usual; then as large as it; then too late.
    larger = trip(2, START + 70 * MINUTE, 0.1, "-3", notional=Decimal(60))
    equal = trip(3, START + 80 * MINUTE, 0.1, "1", notional=Decimal(60))
    late = trip(4, START + 9 * HOUR, 1, "-3", notional=Decimal(900))
    found = mistakes(loss, larger, equal, late)["larger_re_entry"]
    assert (found.trips, found.of, found.trip_uids) == (1, 2, (larger.trip_uid,))
    assert [(one.quote, one.net) for one in found.sums] == [("USDT", Decimal(-3))]


def test_the_name_of_an_account_changes_no_count():
    """Of two trips that close together the market tells which was last; names hold the account."""
    gain = {"symbol": "AAAUSDT", "notional": Decimal(50)}
    loss = {"symbol": "BBBUSDT", "notional": Decimal(50)}
    later = trip(9, START + 70 * MINUTE, 0.1, "-3", notional=Decimal(60))
    found = [
        mistakes(trip(a, START, 1, "2", **gain), trip(b, START, 1, "-2", **loss), later)
        for a, b in ((1, 2), (2, 1))
    ]
    assert [one["larger_re_entry"].trips for one in found] == [1, 1]


def test_after_a_win_nothing_is_a_re_entry():
    found = mistakes(trip(1, START, 1, "2"), trip(2, START + HOUR, 1, "-1", notional=Decimal(900)))
    assert (found["larger_re_entry"].trips, found["larger_re_entry"].of) == (0, 0)


def test_adds_and_eaten_profits_are_counted():
    added = trip(1, START, 1, "-9", losing_adds=2)
    eaten = trip(2, START + 9 * HOUR, 1, "-1", gross=Decimal(2), fees=Decimal(3))
    found = mistakes(added, eaten, trip(3, START + 20 * HOUR, 1, "5", fees=Decimal(1)))
    assert (found["added_to_loser"].trips, found["added_to_loser"].of) == (1, 3)
    assert (found["fees_took_profit"].trip_uids, found["fees_took_profit"].of) == (
        (eaten.trip_uid,),
        2,
    )


def test_an_incomplete_trip_breaks_no_rule():
    found = mistakes(trip(1, START, 1, "-9", losing_adds=2, is_incomplete=True))
    assert [one.trips for one in found.values()] == [0, 0, 0]


def test_sums_are_exact_and_by_quote():
    trips = [trip(n, START, 1, "0.1", fees=None if n else Decimal("0.3")) for n in range(3)]
    euro = trip(9, START, 1, "-1", quote="EUR", other_fees=(("BNB", Decimal("0.01")),))
    dollars, euros = sorted(sums_by_quote([*trips, euro]), key=lambda one: one.quote, reverse=True)
    assert (dollars.net, dollars.fees, dollars.fees_unknown) == (Decimal("0.3"), Decimal("0.3"), 2)
    assert (euros.losers, euros.other_fees) == (1, (("BNB", Decimal("0.01")),))
