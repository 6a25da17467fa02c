"""Which bars are asked for: those decisions wait for and nobody keeps yet, and no others."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.domain.prices.bar_gaps import (
    LONGEST_REST,
    BarNeed,
    BarRequest,
    KeptSpan,
    missing,
    wanted,
)
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.prices.hyperliquid import KEPT_CANDLES, HyperliquidCandles
from afterword.pipeline.domain.prices.hyperliquid_markets import market_of
from afterword.pipeline.domain.prices.wanted import Need
from afterword.pipeline.gateway.venue.info import HyperliquidInfo
from afterword.pipeline.settings import load
from afterword.pipeline.testing.clock import ManualClock

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NOW = datetime(2026, 1, 5, 10, 20, tzinfo=UTC)
CLOSED = datetime(2026, 1, 5, 10, tzinfo=UTC)
SOL = Series("hyperliquid", "SOL", HOUR)


@pytest.fixture(scope="module")
def feed():
    feed = HyperliquidCandles(HyperliquidInfo("http://127.0.0.1:9", 1, ManualClock()))
    yield feed
    feed.close()


def need(asset="SOL", first=NOW - 2 * DAY, due=NOW - DAY, back=DAY):
    return Need(asset, first, due, back)


def at(hours):
    return CLOSED + hours * HOUR


def sides(want, span):
    return [
        (one.side, (one.start - CLOSED) / HOUR, (one.end - CLOSED) / HOUR)
        for one in missing({SOL: want}, {SOL: span} if span else {})
    ]


@pytest.mark.parametrize(
    ("asset", "market"),
    [
        ("SOL", "SOL"),
        ("solusdt", "SOL"),
        ("BTC-PERP", "BTC"),
        ("WBTC", "BTC"),
        ("pepe", "kPEPE"),
        ("1000PEPEUSDT", "kPEPE"),
        ("TSLA", "xyz:TSLA"),
        ("km:GOLD", "xyz:GOLD"),
        ("US500", "km:US500"),
        ("EUR/USD", "xyz:EUR"),
        ("BTCD", "para:BTCD"),
        ("XAUT0", "@182"),
        ("@107", "HYPE"),
        ("nobody knows", None),
        ("NEWCOIN", "NEWCOIN"),
        ("ETHBTC", None),
        ("0x" + "a" * 40, None),
        ("Buy it: the owner's name is Ann", None),
        ("", None),
    ],
)
def test_an_asset_is_asked_for_by_the_venues_name_and_free_text_never(asset, market):
    assert market_of(asset) == market


def test_it_begins_with_the_lookback_and_ends_when_the_outcome_is_sure(feed):
    (want,) = wanted([need()], feed, HOUR, NOW).values()

    # A week before it, and the bar open then; two hours that the entry may be late, two that the
    # exit may be, and one bar that proves that there was none.
    assert want.start == CLOSED - 9 * DAY - HOUR
    assert want.end == CLOSED - DAY + (2 + 2 + 1) * HOUR


def test_a_window_longer_than_the_lookback_is_read_for_the_move_before(feed):
    (want,) = wanted([need(back=30 * DAY)], feed, HOUR, NOW).values()

    assert want.start == CLOSED - 32 * DAY - HOUR


def test_no_bar_is_wanted_that_is_open_or_that_the_source_keeps_no_more(feed):
    (want,) = wanted([need(first=NOW - 900 * DAY, due=NOW)], feed, HOUR, NOW).values()

    assert (want.start, want.end) == (CLOSED - KEPT_CANDLES * HOUR, CLOSED)
    assert wanted([need(first=NOW - 900 * DAY, due=NOW - 800 * DAY)], feed, HOUR, NOW) == {}


def test_needs_of_one_market_are_one_however_it_is_written(feed):
    needs = [need("SOL-USD"), need("SOLUSDT", due=NOW), need("ETHBTC")]

    ((series, want),) = wanted(needs, feed, HOUR, NOW).items()
    assert series == SOL
    assert want.end == CLOSED


@pytest.mark.parametrize(
    ("kept", "asked"),
    [
        (None, [("since", -50, -5)]),
        ((-50, -6), []),
        ((-90, -1), []),
        ((-50, -20), [("since", -20, -5)]),
        ((-30, -6), [("before", -50, -30)]),
        ((-30, -20), [("before", -50, -30), ("since", -20, -5)]),
        # What lies between is asked for too: a hole would never be seen again.
        ((-90, -80), [("since", -80, -5)]),
        ((-3, -1), [("before", -50, -3)]),
        # Unless the source has it no more.
        ((-400, -300), [("since", -200, -5)]),
    ],
)
def test_what_is_kept_is_not_asked_for_but_for_its_last_bar(kept, asked):
    want = BarNeed(at(-50), at(-5), kept=at(-200))

    assert sides(want, kept and KeptSpan(*map(at, kept))) == asked


@given(
    start=st.integers(-150, -1),
    length=st.integers(1, 150),
    kept=st.none() | st.tuples(st.integers(-150, -1), st.integers(0, 100)),
)
def test_once_asked_for_all_of_it_is_kept_without_a_hole(start, length, kept):
    end = min(start + length, 0)
    want = BarNeed(at(start), at(end), kept=at(-200))
    span = kept and KeptSpan(at(kept[0]), at(min(kept[0] + kept[1], -1)))
    have = set()
    if span:
        have = {span.first + n * HOUR for n in range((span.last - span.first) // HOUR + 1)}

    for one in missing({SOL: want}, {SOL: span} if span else {}):
        assert one.start < one.end
        have |= {one.start + n * HOUR for n in range((one.end - one.start) // HOUR)}

    assert {at(hour) for hour in range(start, end)} <= have
    assert len(have) == (max(have) - min(have)) // HOUR + 1
    again = KeptSpan(min(have), max(have))
    assert missing({SOL: want}, {SOL: again}) == []


def test_the_oldest_need_comes_first_and_who_was_just_asked_for_last():
    eth, doge = (Series("hyperliquid", name, HOUR) for name in ("ETH", "DOGE"))
    want = BarNeed(at(-50), at(0), kept=at(-200))
    wants = {SOL: want, eth: want._replace(start=at(-60)), doge: want._replace(start=at(-90))}

    found = missing(wants, {doge: KeptSpan(at(-90), at(-2))})

    assert [one.series.symbol for one in found] == ["ETH", "SOL", "DOGE"]


def test_what_is_late_is_waited_for_as_long_again_and_what_is_not_there_for_hours():
    def rest(last, now, side="since"):
        return BarRequest(SOL, side, at(-9), at(0), last).rests_until(now) - now

    minute = timedelta(minutes=1)
    assert rest(at(-2), CLOSED) == minute
    assert rest(at(-2), CLOSED + 20 * minute) == 20 * minute
    assert rest(at(-99), CLOSED) == LONGEST_REST
    assert rest(None, CLOSED) == rest(at(-2), CLOSED, "before") == LONGEST_REST


def test_the_default_asks_nobody():
    assert load().price_source == "disabled"
