"""Stored prices: kept once, revised and never overwritten, read as they were known."""

import os
import threading
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from sqlalchemy import text

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.core.store.content_hash import content_hash
from afterword.pipeline.domain.outcomes.probes import Claim, PriceDelta, Probes
from afterword.pipeline.domain.prices import keep
from afterword.pipeline.domain.prices.csv_file import read_factors, read_prices
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.prices.keep import keep_bars, keep_splits
from afterword.pipeline.domain.prices.model import PriceCounts
from afterword.pipeline.domain.prices.overview import list_series
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.rules.market.splits import Split

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
OHLCV = SHARED / "data" / "ohlcv"
real_data = pytest.mark.skipif(not OHLCV.is_dir(), reason="no shared folder with real prices")

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
START = datetime(2026, 1, 1, tzinfo=UTC)
SOL = Series("file", "SOLUSDT", HOUR)


def a_bar(place: int, close: object = 100) -> Bar:
    price = Decimal(str(close))
    return Bar(START + place * HOUR, HOUR, price, price, price, price, Decimal(0))


def digest(store: Store) -> list[str]:
    with reading(store) as conn:
        return [content_hash(conn, name) for name in ("price_series", "prices", "price_splits")]


def close_at(store: Store, moment: datetime, **sight: datetime) -> Decimal | None:
    """Return the close of the last bar by a moment, as it was known by another one."""
    with reading(store) as conn:
        prices = StoredPrices(conn, sight.get("as_of"))
        bar = prices.close_at(SOL, moment, sight.get("known_by", moment))
    return None if bar is None else bar.close


def test_keeping_bars_again_changes_nothing(store, clock):
    bars = [a_bar(place, "100.50") for place in range(5)]
    assert keep_bars(store, SOL, bars, clock) == PriceCounts(bars_new=5)
    before = digest(store)
    clock.advance(hours=1)

    assert keep_bars(store, SOL, [a_bar(n, "100.5") for n in range(5)], clock) == PriceCounts(
        bars_known=5
    )
    assert digest(store) == before


def test_prices_are_stored_as_exact_text(store, clock):
    keep_bars(store, SOL, [a_bar(0, "1.30e-06"), a_bar(1, "123456789012345.000000001")], clock)

    with reading(store) as conn:
        assert conn.execute(text("SELECT close FROM prices ORDER BY t_open")).scalars().all() == [
            "0.0000013",
            "123456789012345.000000001",
        ]


def test_a_revision_supersedes_and_is_not_known_before(store, clock):
    moment = START + HOUR
    known = clock()
    keep_bars(store, SOL, [a_bar(0, 100)], clock)
    clock.advance(days=1)
    assert keep_bars(store, SOL, [a_bar(0, 90)], clock) == PriceCounts(bars_revised=1)
    clock.advance(days=1)
    assert keep_bars(store, SOL, [a_bar(0, 80)], clock) == PriceCounts(bars_revised=1)

    seen = [close_at(store, moment, known_by=known + days * DAY) for days in (0, 1, 2)]
    assert seen == [100, 90, 80]
    assert (list_series(store)[0].bars, list_series(store)[0].revised) == (1, 1)


def test_of_history_brought_in_later_the_revision_that_stands_is_read(store, clock):
    """Nobody heard of the bar by then, so no revision of it is more honest than the last one."""
    imported = clock()
    keep_bars(store, SOL, [a_bar(0, 100)], clock)
    clock.advance(days=1)
    keep_bars(store, SOL, [a_bar(0, 90)], clock)
    decided = START + 2 * HOUR
    assert decided < imported

    assert close_at(store, decided) == 90
    assert close_at(store, decided, as_of=imported) == 100
    assert close_at(store, decided, as_of=imported - HOUR) is None


@pytest.mark.parametrize(("symbol", "interval"), [("SOLUSDT", HOUR), ("AAPL", DAY)])
def test_a_decision_is_judged_from_the_entry_it_knew(store, clock, symbol, interval):
    series = Series("file", symbol, interval)
    bars = [
        a_bar(0, 100 + place % 2)._replace(
            t_open=START + (place - 100) * interval, interval=interval
        )
        for place in range(101)
    ]
    decided = bars[-1].closed_at
    clock.set(decided)
    keep_bars(store, series, bars, clock)
    clock.advance(days=3)
    after = [bars[-1]._replace(t_open=decided + place * interval) for place in range(3)]
    keep_bars(store, series, after, clock)
    low = {name: Decimal(50) for name in ("open", "high", "low", "close")}
    assert keep_bars(store, series, [bars[-1]._replace(**low)], clock).bars_revised == 1

    hours = interval // HOUR
    with reading(store) as conn:
        claim = Claim({"asset": symbol}, "long", decided)
        found = Probes().outcome(PriceDelta(hours), claim, StoredPrices(conn), clock())
    assert (found.entry.price, found.change) == (100, 0)


def test_two_revisions_in_one_moment_leave_one_price(store, clock):
    for close in (100, 90, 80):
        keep_bars(store, SOL, [a_bar(0, close)], clock)

    assert close_at(store, clock()) == 80
    assert list_series(store)[0].bars == 1


@pytest.mark.parametrize(
    "bars",
    [
        [a_bar(0, "NaN")],
        [a_bar(0, "Infinity")],
        [a_bar(0, 0)],
        [a_bar(0, -1)],
        [a_bar(0)._replace(volume=Decimal(-1))],
        [a_bar(0)._replace(high=Decimal(99))],
        [a_bar(0)._replace(interval=DAY)],
        [a_bar(1), a_bar(0)],
        [a_bar(0), a_bar(0)],
        [a_bar(96)],  # opens now, and is not closed
    ],
)
def test_what_is_no_closed_bar_of_the_series_is_refused_before_any_write(store, clock, bars):
    before = digest(store)

    with pytest.raises(InvalidInputError, match="bars"):
        keep_bars(store, SOL, bars, clock)
    assert digest(store) == before


@pytest.mark.parametrize("source", ["", "A", "../x", "x" * 33, "a b"])
def test_a_source_is_a_plain_word(store, clock, source):
    with pytest.raises(InvalidInputError, match="source"):
        keep_bars(store, Series(source, "SOL", HOUR), [a_bar(0)], clock)


def test_a_series_longer_than_a_transaction_is_kept_whole(store, clock, monkeypatch):
    monkeypatch.setattr(keep, "WRITE_BARS", 7)

    assert keep_bars(store, SOL, [a_bar(n) for n in range(50)], clock) == PriceCounts(bars_new=50)


def test_two_imports_at_once_keep_each_bar_once(store, clock):
    bars = [a_bar(place) for place in range(90)]
    ways = [threading.Thread(target=keep_bars, args=(store, SOL, bars, clock)) for _ in range(4)]
    for way in ways:
        way.start()
    for way in ways:
        way.join()

    assert list_series(store)[0].bars == 90
    assert list_series(store)[0].revised == 0


def test_who_waits_for_prices_is_told_in_the_transaction_that_changes_them(store, clock):
    told: list[tuple[list[str], int]] = []

    def arrived(conn, symbols, now):
        bars = conn.execute(text("SELECT count(*) FROM prices")).scalar()
        told.append((list(symbols), bars))
        if bars == 3:
            raise RuntimeError("a job could not be added")

    keep_bars(store, SOL, [a_bar(0)], clock, arrived)
    keep_bars(store, SOL, [a_bar(0)], clock, arrived)
    keep_bars(store, SOL, [a_bar(0, 99)], clock, arrived)
    with pytest.raises(RuntimeError):
        keep_bars(store, SOL, [a_bar(1)], clock, arrived)

    assert told == [(["SOLUSDT"], 1), (["SOLUSDT"], 2), (["SOLUSDT"], 3)]
    assert list_series(store)[0].bars == 1  # the job and its cause: both, or neither


def test_a_newer_factor_file_replaces_what_it_no_longer_says(store, clock):
    two, four = Split(START, Fraction(2)), Split(START + DAY, Fraction(4))
    assert keep_splits(store, "file", "AAPL", [two], clock).splits_new == 1
    assert keep_splits(store, "file", "AAPL", [two], clock) == PriceCounts()
    clock.advance(days=1)

    changed = keep_splits(store, "file", "AAPL", [two._replace(ratio=Fraction(3)), four], clock)

    assert (changed.splits_new, changed.splits_gone) == (2, 1)
    aapl = Series("file", "AAPL", DAY)
    with reading(store) as conn:
        assert [one.ratio for one in StoredPrices(conn).splits(aapl)] == [3, 4]
        assert StoredPrices(conn, clock() - DAY).splits(aapl) == (two,)


def test_the_list_tells_spans_and_gaps(store, clock):
    keep_bars(store, SOL, [a_bar(n) for n in (0, 1, 2, 5, 6, 8)], clock)

    (found,) = list_series(store, "sol")

    assert (found.bars, found.gaps, found.missing) == (6, 2, 3)
    assert (found.first, found.last) == (START, START + 9 * HOUR)
    assert list_series(store, "BTC") == []


@real_data
def test_every_real_file_is_read_kept_once_and_told(store, clock):
    files = sorted(OHLCV.glob("*.csv.gz"))
    read = [one for file in files for one in read_prices(file, "file", known_by=clock())]
    for _ in range(2):
        kept = PriceCounts()
        for one in read:
            kept += keep_bars(store, one.series, one.bars, clock)

    assert (kept.bars_known, kept.bars_new, kept.bars_revised) == (
        sum(len(one.bars) for one in read),
        0,
        0,
    )
    gaps = {(one.symbol, one.interval): one.gaps for one in list_series(store)}
    assert (gaps["EURUSD", "1h"], gaps["BTCUSDT", "1h"], gaps["AAPL", "1d"]) == (239, 1, 613)


@real_data
def test_real_splits_are_no_losses_and_a_silent_one_is_not_believed(store, clock):
    for name in ("AAPL", "USO"):
        for one in read_prices(OHLCV / f"{name}_raw_2010_2021_1d.csv.gz", "file", known_by=clock()):
            keep_bars(store, one.series, one.bars, clock)
    keep_splits(store, "file", *read_factors(OHLCV / "AAPL_factor_file.csv"), clock)

    def change(asset: str, day: str) -> tuple[str | None, Decimal | None]:
        claim = Claim({"asset": asset}, "long", datetime.fromisoformat(f"{day}T00:00:00Z"))
        with reading(store) as conn:
            found = Probes().outcome(PriceDelta(336), claim, StoredPrices(conn), clock())
        return found.reason, found.change

    # 634 at the open of 2 June, 92.20 at the close of the 16th; 7 for 1 on the 9th.
    assert change("AAPL", "2014-06-01")[1] == pytest.approx(Decimal("0.0180"), abs=Decimal("1e-4"))
    # 498.80 at the open of 25 August, 112.82 at the close of 8 September; 4 for 1 on 31 August.
    assert change("AAPL", "2020-08-25")[1] == pytest.approx(Decimal("-0.0953"), abs=Decimal("1e-4"))
    assert change("USO", "2020-04-20") == ("unexplained_jump", None)
    keep_splits(
        store, "file", "USO", [Split(datetime(2020, 4, 29, tzinfo=UTC), Fraction(1, 8))], clock
    )
    assert change("USO", "2020-04-20")[0] is None


@real_data
def test_a_real_decision_on_sol_is_judged_and_one_without_prices_is_not(store, clock):
    (one,) = read_prices(OHLCV / "SOLUSDT_2025-10_1h.csv.gz", "file", known_by=clock())
    keep_bars(store, one.series, one.bars, clock)
    at = datetime(2025, 10, 28, 6, 14, 18, tzinfo=UTC)

    def reason(asset: str, hours: int) -> str | None:
        with reading(store) as conn:
            claim = Claim({"coin": asset}, "long", at)
            spec = PriceDelta(hours, asset_field="coin")
            return Probes().outcome(spec, claim, StoredPrices(conn), clock()).reason

    assert (reason("SOL", 72), reason("SOL", 168), reason("XRP", 24)) == (
        None,
        "no_exit",
        "no_series",
    )
