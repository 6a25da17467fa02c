"""The demo's trades: real prices, one small rule, and no look into tomorrow."""

import hashlib
from collections import Counter
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import pytest

import afterword.schedules.demo
from afterword.pipeline.clock import from_millis
from afterword.pipeline.domain.history.import_fills import import_fills
from afterword.pipeline.domain.trips.chain import chain_fills
from afterword.pipeline.domain.trips.round_trips import round_trips
from afterword.pipeline.domain.venues.hyperliquid_api import parse_fills
from afterword.schedules.demo.prices import DailyBar, demo_bars
from afterword.schedules.demo.rule import SLOW, wanted_side
from afterword.schedules.demo.trades import FEE_RATE, LOT, demo_fills, rule_fills


@pytest.fixture(scope="module")
def bars() -> dict[str, list[DailyBar]]:
    return demo_bars()


def days(*closes: float) -> list[DailyBar]:
    """Return consecutive days that open a dollar above the close before."""
    opens = (closes[0], *(close + 1 for close in closes))
    return [
        DailyBar(
            date.fromordinal(date(2010, 1, 1).toordinal() + n), Decimal(str(o)), Decimal(str(c))
        )
        for n, (o, c) in enumerate(zip(opens, closes, strict=False))
    ]


def test_the_rule_is_long_in_a_rise_short_in_a_fall_and_silent_before_it_knows():
    rise = [Decimal(n) for n in range(1, SLOW + 1)]

    assert wanted_side(rise) == 1
    assert wanted_side(rise[::-1]) == -1
    assert wanted_side(rise[:-1]) == 0
    assert wanted_side([Decimal("0.1")] * SLOW) == 0


def test_a_decision_on_a_close_is_executed_at_the_next_open():
    rise = days(*range(100, 100 + SLOW + 1))

    (fill,) = rule_fills("xyz:X", rise)

    assert fill["px"] == str(rise[-1].open)
    # 31 January 2010, half past nine in New York
    assert from_millis(fill["time"]) == datetime(2010, 1, 31, 14, 30, tzinfo=UTC)
    assert fill["sz"] == str(int(10_000 / rise[-2].close))


def test_a_large_order_is_filled_in_parts_and_one_of_them_flips_the_position():
    rise_then_fall = [*range(20, 60), *range(60, 20, -1)]

    fills = list(rule_fills("xyz:X", days(*rise_then_fall)))

    words = [fill["dir"] for fill in fills]
    assert words == [
        *["Open Long"] * 3,
        *["Close Long"] * 2,
        "Long > Short",
        *["Open Short"] * 2,
    ]
    assert max(int(fill["sz"]) for fill in fills) == LOT
    assert len({fill["time"] for fill in fills}) == 2
    assert Decimal(fills[0]["fee"]) == Decimal(fills[0]["px"]) * LOT * FEE_RATE


def test_the_venues_profit_is_that_of_the_prices():
    fills = parse_fills(
        list(rule_fills("xyz:X", days(*range(20, 60), *range(60, 20, -1)))), "me", "f"
    )

    (chain,) = chain_fills(fills)
    (trip,) = round_trips(chain).closed

    assert chain.breaks == ()
    assert trip.entry_px is not None
    assert trip.gross_pnl == (trip.exit_px - trip.entry_px) * trip.max_size


def test_nothing_that_happens_later_changes_an_earlier_fill(bars):
    apple = bars["AAPL"]
    known, unknown = apple[:700], apple[700:]
    crash = [replace(bar, open=bar.open / 9, close=bar.close / 9) for bar in unknown]

    fills = list(rule_fills("xyz:AAPL", known))

    for future in (unknown, crash):
        assert list(rule_fills("xyz:AAPL", [*known, *future]))[: len(fills)] == fills


def test_the_prices_are_adjusted_for_three_splits_and_no_other_day_jumps_by_half(bars):
    assert {ticker: len(days) for ticker, days in bars.items()} == {
        "AAPL": 3270,
        "GOOG": 2148,
        "IBM": 3270,
        "MSFT": 3270,
    }
    jumps = [
        (ticker, str(today.day))
        for ticker, days in bars.items()
        for yesterday, today in pairwise(days)
        if not Decimal("0.6") < today.open / yesterday.close < Decimal("1.6")
    ]
    assert jumps == [("AAPL", "2000-09-29")]  # a profit warning, not a split
    # Prices are those of the last day's shares: four of them were one on the first day, at 130.31.
    assert (bars["AAPL"][0].close, bars["AAPL"][-1].close) == (
        Decimal("130.31") / 4,
        Decimal("430.47"),
    )
    assert bars["MSFT"][-1].close == Decimal("27.95")


def test_the_notice_beside_the_prices_names_their_source_their_status_and_this_very_file():
    folder = Path(afterword.schedules.demo.__file__).parent / "data"
    notice = (folder / "NOTICE.md").read_text()

    assert "Quandl WIKI Prices" in notice and "public domain" in notice
    assert hashlib.sha256((folder / "prices.csv").read_bytes()).hexdigest() in notice


def test_the_demo_closes_423_trips_and_is_the_same_every_time(bars, store, clock, ids):
    rows = demo_fills()

    assert rows == demo_fills()
    assert len({row["tid"] for row in rows}) == len(rows)
    assert rows == sorted(rows, key=lambda row: row["time"])
    assert Counter(row["coin"] for row in rows).keys() == {f"xyz:{name}" for name in bars}
    done = import_fills(store, parse_fills(rows, "demo", "fills"), clock, ids)
    assert (done.fills_new, done.gaps_found, done.trips_new, done.memories) == (2511, 0, 423, 423)
