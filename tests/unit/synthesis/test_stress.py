"""Market stress: from the bars in memory, and the same numbers when it is asked for again."""

import csv
import os
import random
from datetime import UTC, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import pytest

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.prices.csv_file import read_prices
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.prices.keep import keep_bars, keep_splits
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.synthesis.freeze import (
    SPAN,
    YEAR,
    daily_closes,
    frozen_groups,
    market_stress,
    stress_at,
)
from afterword.pipeline.domain.synthesis.stress_watch import StressWatch
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.rules.market.splits import Split, change
from afterword.schedules.demo.prices import SPLITS

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
HOURS = SHARED / "data" / "ohlcv" / "BTCUSDT_2024_1h.csv.gz"
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
START = datetime(2024, 1, 1, tzinfo=UTC)
BTC = Series("test", "BTCUSDT", HOUR)


def made_bars(count, interval=HOUR, *, seed=1, gaps=0.0, swing=0.01, start=START):
    """Return bars of a price that walks at random; some are missing."""
    chance = random.Random(seed)
    price, bars = 100.0, []
    for place in range(count):
        price *= 1 + chance.gauss(0, swing)
        if chance.random() >= gaps:
            close = Decimal(f"{price:.2f}")
            bars.append(Bar(start + place * interval, interval, *[close] * 4, Decimal(1)))
    return bars


def plainly(prices, series, now):
    """Return the moves between daily closes as a reader of bars counts them."""
    bars = prices.bars(series, now - timedelta(days=YEAR + SPAN), now, now)
    if not bars or now - bars[-1].closed_at > 4 * DAY:
        return []
    days = list({bar.t_open.date(): bar for bar in bars}.values())
    splits = prices.splits(series)
    return [float(change(splits, *pair)) for pair in pairwise(days)]


def moves(closes):
    return [after / before - 1 for before, after in pairwise(closes)]


@pytest.fixture
def keep(store, clock):
    def keep(bars, series=BTC):
        clock.set(max(clock(), bars[-1].closed_at))
        keep_bars(store, series, bars, clock)

    return keep


@pytest.mark.parametrize("interval", [HOUR, 4 * HOUR, DAY])
def test_the_daily_closes_are_those_of_the_bars(store, keep, interval):
    series = Series("test", "BTCUSDT", interval)
    bars = made_bars(500 * 24 // (interval // HOUR), interval, gaps=0.1)
    keep(bars, series)
    with reading(store) as conn:
        prices = StoredPrices(conn)
        for hours in range(0, 600 * 24, 97):
            now = START + timedelta(hours=hours, minutes=hours % 60)
            found = moves(daily_closes(prices, "BTC", now))
            assert found == pytest.approx(plainly(prices, series, now), abs=1e-12)
        assert not daily_closes(prices, "BTC", bars[-1].closed_at + 5 * DAY)


def test_a_split_is_no_fall(store, keep, clock):
    series = Series("test", "SPY", DAY)
    bars = made_bars(80, DAY)
    prices = ("open", "high", "low", "close")
    halved = [one._replace(**dict.fromkeys(prices, one.close / 2)) for one in bars[70:]]
    keep([*bars[:70], *halved], series)
    keep_splits(store, "test", "SPY", [Split(bars[70].t_open, Fraction(2))], clock)
    with reading(store) as conn:
        found = daily_closes(StoredPrices(conn), "SPY", bars[-1].closed_at)
    assert moves(found) == pytest.approx(moves([float(bar.close) for bar in bars]), abs=1e-4)


@pytest.mark.parametrize(
    ("interval", "gaps", "swing"), [(HOUR, 0.0, 0.01), (HOUR, 0.3, 0.03), (DAY, 0.2, 0.05)]
)
def test_a_watch_tells_the_same_at_every_moment(store, keep, interval, gaps, swing):
    series = Series("test", "BTCUSDT", interval)
    keep(made_bars(420 * 24 // (interval // HOUR), interval, gaps=gaps, swing=swing), series)
    # A year in steps, and then hour by hour; further than the year that counts.
    check_moments(store, "BTC", START - DAY, START + 330 * DAY, 50 * HOUR)
    check_moments(store, "BTC", START + 380 * DAY, START + 426 * DAY, HOUR)


def test_a_watch_tells_the_same_over_real_closes_with_splits(store, clock):
    """Those of Apple, under the name of the market that freezes stocks."""
    text = (files("afterword.schedules.demo") / "data" / "prices.csv").read_text("ascii")
    series, bars = Series("test", "SPY", DAY), []
    for row in csv.DictReader(text.splitlines()):
        if row["ticker"] == "AAPL" and row["date"] < "2006":
            close = Decimal(row["close"])
            opened = datetime.fromisoformat(row["date"]).replace(tzinfo=UTC)
            bars.append(Bar(opened, DAY, *[close] * 4, Decimal(1)))
    keep_bars(store, series, bars, clock)
    splits = [
        Split(datetime.combine(day, time(), UTC), Fraction(ratio))
        for ticker, day, ratio in SPLITS
        if ticker == "AAPL"
    ]
    keep_splits(store, "test", "SPY", splits, clock)
    check_moments(store, "SPY", bars[0].closed_at - DAY, bars[-1].closed_at + 6 * DAY, 17 * HOUR)


@pytest.mark.skipif(not HOURS.is_file(), reason="no shared folder with prices of coins")
def test_a_watch_tells_the_same_over_real_hours(store, clock):
    (found,) = read_prices(HOURS, "file", known_by=clock())
    keep_bars(store, found.series, found.bars, clock)
    end = found.bars[-1].closed_at
    check_moments(store, "BTC", end - 60 * DAY, end + 5 * DAY, HOUR)


def check_moments(store, asset, now, last, step):
    """Compare a watch that goes on with plain readings; there is stress, and there is none."""
    watch, told = StressWatch(), set()
    with reading(store) as conn:
        prices = StoredPrices(conn)
        while now < last:
            stress = watch.stress_at(prices, asset, now)
            assert stress == stress_at(prices, asset, now)
            if stress is not None and stress.is_stress:
                plain = frozen_groups(prices, {"crypto", "stock"}, now)
                assert plain == frozen_groups(prices, {"crypto", "stock"}, now, watch.stress_at)
            told.add(None if stress is None else stress.is_stress)
            now += step
    assert told == {None, False, True}


def test_a_watch_follows_bars_that_come_later_revisions_and_steps_back(store, keep, clock):
    bars = made_bars(200 * 24, swing=0.03)
    watch = StressWatch()

    def check(*moments):
        with reading(store) as conn:
            prices = StoredPrices(conn)
            for now in moments:
                assert watch.stress_at(prices, "BTC", now) == stress_at(prices, "BTC", now)

    keep(bars[: 150 * 24])
    clock.set(bars[-1].closed_at)
    check(bars[100].closed_at, bars[150 * 24 - 1].closed_at)
    keep(bars[150 * 24 :])
    check(bars[151 * 24].closed_at, bars[190 * 24].closed_at, bars[120 * 24].closed_at)
    midnight = next(bar for bar in bars[189 * 24 :] if bar.t_open.hour == 23)
    wild = midnight._replace(close=midnight.low * 2, high=midnight.low * 2)
    clock.advance(hours=1)
    keep([wild])
    check(bars[190 * 24].closed_at, clock())
    with reading(store) as conn:
        found = daily_closes(StoredPrices(conn), "BTC", clock())
    # Known by now, it is the revised close; at its own time it was the first one.
    assert float(wild.close) in found


def test_the_stress_is_that_of_its_closes(store, keep):
    keep(made_bars(100 * 24))
    with reading(store) as conn:
        prices, now = StoredPrices(conn), from_micros(0) + (START - from_micros(0)) + 90 * DAY
        assert stress_at(prices, "BTC", now) == market_stress(daily_closes(prices, "BTC", now))
        assert stress_at(prices, "ETH", now) is None
