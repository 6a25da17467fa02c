"""What became of a trip: from its own prices and the bars around it, unknown where these lack."""

from datetime import timedelta
from decimal import Decimal

import pytest

from afterword.pipeline.domain.trades.measure import measure_trips
from tests.unit.trades.made_trips import HOUR, START, bars, prices, trip

CALM = ["100", "101"] * 24
"""Two days that only swing."""
ENTRY = START + len(CALM) * HOUR
END = ENTRY + 40 * HOUR


def measured(one, after, **series):
    book = prices(BTCUSDT=bars([*CALM, *after]), **series)
    (found,) = measure_trips(book, [one], END)
    return found


def test_only_bars_wholly_inside_a_trip_are_sure():
    # Bars (wick 0.5): 101>90, 90>104, 104>103, 103>80. Entered and left at half past the hour.
    one = trip(1, ENTRY + HOUR / 2, 3, "3")
    found = measured(one, ["90", "104", "103", "80", "100"])

    # Sure: the close of 90, the bars to 104 and 103 (89.5 .. 104.5), the exit at 103.
    assert (found.mae_sure_ppb, found.mfe_sure_ppb) == (-105_000_000, 45_000_000)
    # Possible: the wick of the entry's bar to 101.5 adds nothing; the last bar's 79.5 does.
    assert (found.mae_possible_ppb, found.mfe_possible_ppb) == (-205_000_000, 45_000_000)
    assert found.efficiency == pytest.approx(3 / 4.5)


def test_the_range_of_the_entry_bar_before_the_fill_is_never_sure():
    # It fell to 90 before the trip began in the last minute of the bar, and rose only then.
    one = trip(1, ENTRY + timedelta(minutes=59), 1, "1")
    found = measured(one, ["90", "101", "102"])
    assert found.mae_sure_ppb == -100_000_000  # the close of 90 is a minute later: inside it
    inside = trip(2, ENTRY + timedelta(minutes=30), 0.25, "1")
    found = measured(inside, ["90", "101", "102"])
    assert (found.mae_sure_ppb, found.mae_possible_ppb) == (0, -105_000_000)
    assert (found.mfe_sure_ppb, found.mfe_possible_ppb) == (10_000_000, 15_000_000)


def test_a_short_loses_where_a_long_earns():
    long = measured(trip(1, ENTRY, 2, "3"), ["102", "103", "100"])
    short = measured(
        trip(1, ENTRY, 2, "-3", direction="short", exit_px=Decimal(103)), ["102", "103", "100"]
    )
    assert (long.result_ppb, short.result_ppb) == (30_000_000, -30_000_000)
    assert (long.move_ppb, short.move_ppb) == (30_000_000, -30_000_000)
    assert short.mae_sure_ppb == -long.mfe_sure_ppb
    assert short.efficiency is None  # it never went with it


def test_without_prices_a_trip_keeps_its_own_figures_and_says_why_the_rest_is_unknown():
    (found,) = measure_trips(prices(), [trip(1, ENTRY, 2, "3", symbol="AAPL", quote="USD")], END)
    assert (found.asset, found.asset_class, found.result_ppb) == ("AAPL", "stock", 30_000_000)
    assert [(one.part, one.reason) for one in found.unknown] == [("sigma", "no_series")]
    assert found.score is None and found.mae_sure_ppb is None


def test_a_missing_bar_leaves_the_excursions_unknown():
    book = prices(
        BTCUSDT=[one for one in bars([*CALM, *["101"] * 9]) if one.t_open != ENTRY + HOUR]
    )
    (found,) = measure_trips(book, [trip(1, ENTRY, 4, "1")], END)
    assert found.sigma_ppb and found.mae_sure_ppb is None
    assert ("excursions", "no_exit") in [(one.part, one.reason) for one in found.unknown]


def test_an_entry_far_from_its_bar_is_in_other_units():
    one = trip(1, ENTRY, 2, "30", entry_px=Decimal(1000), exit_px=Decimal(1030))
    found = measured(one, ["101"] * 5)
    assert ("excursions", "no_entry") in [(gap.part, gap.reason) for gap in found.unknown]


def test_a_contract_on_a_thousand_coins_is_measured_by_the_price_of_the_coin():
    cents = [f"0.0{close}" for close in [*CALM, "101", "102", "102"]]
    book = prices(PEPEUSDT=bars(cents, wick="0.0001"))
    one = trip(1, ENTRY, 2, "1", symbol="kPEPE", quote="USDC", entry_px=Decimal("10.1"),
               exit_px=Decimal("10.2"))  # fmt: skip
    (found,) = measure_trips(book, [one], END)
    assert found.asset == "PEPE"
    assert found.mae_sure_ppb == -9_900_990  # from 0.0101 to 0.0100


def test_what_the_leader_did_is_taken_off():
    own = bars([*CALM, "104.04", "104.04", "104.04"])
    (found,) = measure_trips(
        prices(SOLUSDT=own, BTCUSDT=bars([*CALM, "104.04", "104.04", "104.04"])),
        [trip(1, ENTRY, 1, "4", symbol="SOLUSDT")],
        END,
    )
    assert found.market_symbol is None  # too few days for a beta
    assert [(gap.part, gap.reason) for gap in found.unknown if gap.part == "market"] == [
        ("market", "no_market")
    ]


def test_an_incomplete_trip_is_marked_and_has_no_score():
    found = measured(trip(1, ENTRY, 2, "3", is_incomplete=True), ["101"] * 5)
    assert [(gap.part, gap.reason) for gap in found.unknown] == [("result", "incomplete")]
    assert (found.result_ppb, found.score, found.sigma_ppb) == (None, None, None)


def test_adding_at_later_prices_does_not_change_what_a_result_is_measured_by():
    """Over all that was entered, averaging down would look good and adding to winners bad."""
    one = trip(1, ENTRY, 2, "-20", notional=Decimal(400), first_notional=Decimal(100))
    assert measured(one, ["101"] * 5).result_ppb == -200_000_000
