"""Every number of an outcome is the one a second, naive computation finds, from bars in memory."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from afterword.pipeline.domain.outcomes.measure import OutcomeMeasurer
from afterword.pipeline.domain.outcomes.model import LADDER_HOURS, Subject
from afterword.pipeline.domain.outcomes.obstacles import OutcomeObstacle
from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.prices.csv_file import read_factors, read_prices
from afterword.pipeline.rules.market.outcome import STANCES
from tests.unit.outcomes import recomputed
from tests.unit.outcomes.made_files import MADE, days, write_bars
from tests.unit.outcomes.recomputed import DAY, HOUR, Call, Market, compared, recompute
from tests.unit.outcomes.shared_prices import OHLCV, real_data

LATER = datetime(2026, 1, 1, tzinfo=UTC)


class File(NamedTuple):
    """A file of prices, and how its market trades."""

    name: str
    step: int
    is_stock: bool = False
    never_closes: bool = False
    factors: str | None = None
    leader: str | None = None

    @property
    def oldest(self) -> int:
        return 2 * self.step if self.never_closes else self.step + 4 * DAY


REAL = (
    File("SOLUSDT_2024_1h", HOUR, never_closes=True, leader="BTCUSDT_2024_1h"),
    File("BTCUSDT_2023_1h", HOUR, never_closes=True),
    File("ETHUSDT_2020_2023_1d", DAY, never_closes=True),
    File("EURUSD_2017_2021_1h", HOUR),
    File("XAUUSD_mid_2006_2015_1d", DAY, is_stock=True),
    File("USO_raw_2010_2021_1d", DAY, is_stock=True, leader="SPY_raw_2010_2021_1d"),
    File(
        "AAPL_raw_2010_2021_1d",
        DAY,
        is_stock=True,
        factors="AAPL_factor_file.csv",
        leader="SPY_raw_2010_2021_1d",
    ),
)
MOST_BARS = 900  # the naive way reads them all for each question


def markets(folder: Path, file: File) -> tuple[Market, Market | None, PriceBook]:
    """Return the last bars of a file and of its leader, for both computations."""
    book, splits = {}, {}
    naive: list[Market | None] = []
    for one in (file.name, file.leader):
        if one is None:
            naive.append(None)
            continue
        path = folder / f"{one}.csv.gz"
        path = path if path.exists() else path.with_suffix("")
        factors = folder / file.factors if file.factors and one == file.name else None
        market = recomputed.read(path, file.step, file.oldest, factors)
        naive.append(replace(market, bars=market.bars[-MOST_BARS:], is_stock=file.is_stock))
        (found,) = read_prices(path, "file", known_by=LATER)
        book[found.series] = found.bars[-MOST_BARS:]
        if factors is not None:
            symbol, known = read_factors(factors)
            splits[symbol] = known
    own, leader = naive
    assert own is not None
    return own, leader, PriceBook(book, splits)


def questions(market: Market, asset: str, number: int) -> Iterator[Subject]:
    """Return decisions at random moments, most of them with a stop, a target, or both."""
    random = Random(f"{asset} {number}")
    first, last = market.bars[0][0], market.bars[-1][0]
    for place in range(number):
        micros = random.randrange(first, last)
        micros -= micros % (HOUR if place % 2 else 60_000_000)
        at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=micros)
        before = market.last(micros)
        price = float(market.bars[before or 0][3])
        stop, target = (
            None if random.random() < 0.2 else Decimal(f"{price * random.uniform(*near):.6g}")
            for near in ((0.9, 1.02), (0.98, 1.1))
        )
        stance = STANCES[place % 3]
        if stance == "short":
            stop, target = target, stop
        yield Subject("decision", place, asset, stance, at, stop, target)


def call_of(subject: Subject) -> Call:
    """Return a decision as the naive computation takes it."""
    plan = (subject.stop_price, subject.target_price, subject.size_usd)
    numbers = [None if one is None else Fraction(one) for one in plan]
    return Call(recomputed.micros(subject.decided_at), subject.stance, *numbers)


def check(
    market: Market, leader: Market | None, book: PriceBook, asset: str, number: int
) -> dict[str, int]:
    """Hold every outcome against the naive one; return how many of them had each thing."""
    measurer = OutcomeMeasurer(book, LATER)
    seen = dict.fromkeys(("outcome", "plan", "residual_ppb", "volatility", "trend"), 0)
    leaders = [] if leader is None else [leader]
    for subject in questions(market, asset, number):
        for hours, found in zip(LADDER_HOURS, measurer.over(subject, LADDER_HOURS), strict=True):
            naive = recompute(call_of(subject), hours, [market], leaders)
            if naive is None:
                assert isinstance(found, OutcomeObstacle), (subject, found)
                continue
            assert not isinstance(found, OutcomeObstacle), (subject, found)
            assert compared(found._asdict(), naive) == naive, (subject, hours)
            seen["outcome"] += 1
            for name in list(seen)[1:]:
                seen[name] += naive[name] is not None
    return seen


@real_data
@pytest.mark.parametrize("file", REAL, ids=lambda file: file.name)
def test_every_number_of_real_outcomes_is_recomputed(file):
    asset = file.name.split("_")[0]
    market, leader, book = markets(OHLCV, file)

    seen = check(market, leader, book, asset, 24)

    assert seen["outcome"] > 30
    assert seen["plan"] > 5
    assert (seen["residual_ppb"] > 5) == (leader is not None)


def a_file(folder: Path, name: str, step: int, bars: Sequence[tuple[int, str]]) -> None:
    """Write a file of bars: each one's moment and close; its range holds the one before."""
    lines, last = ["t_open_ms,open,high,low,close,volume"], bars[0][1]
    for opened, close in bars:
        high, low = max(last, close, key=Decimal), min(last, close, key=Decimal)
        lines.append(f"{opened // 1000},{last},{high},{low},{close},0")
        last = close
    (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("seed", range(3))
def test_every_number_of_made_outcomes_is_recomputed(tmp_path, seed):
    random, start = Random(seed), 19_000 * DAY
    for name, lost in (("SOLUSDT_1h", 0.01), ("BTCUSDT_1h", 0.01)):
        price, bars = 100.0, []
        for place in range(900):
            price *= 1 + random.gauss(0, 0.01)
            if random.random() > lost:
                bars.append((start + place * HOUR, f"{price:.4f}"))
        a_file(tmp_path, name, HOUR, bars)
    file = File("SOLUSDT_1h", HOUR, never_closes=True, leader="BTCUSDT_1h")

    seen = check(*markets(tmp_path, file), "SOL", 20)

    assert seen["outcome"] > 10
    assert min(seen["plan"], seen["residual_ppb"], seen["trend"]) > 3


def test_every_number_is_recomputed_from_the_first_day_on(tmp_path):
    """Where there is just enough: moves for a deviation, pairs for a beta, days for terciles."""
    chance = Random(1)
    write_bars(tmp_path / "AAPL_1d.csv", days(chance, 140))
    write_bars(tmp_path / "SPY_1d.csv", days(chance, 140)[10:])
    market, leader, book = markets(tmp_path, File("AAPL_1d", DAY, is_stock=True, leader="SPY_1d"))
    assert leader is not None
    measurer, seen = OutcomeMeasurer(book, LATER), []
    for day in range(1, 130):
        at = datetime.fromtimestamp(MADE // 1_000_000 + (day * DAY + 9 * HOUR) // 1_000_000, UTC)
        subject = Subject("decision", day, "AAPL", STANCES[day % 3], at)
        naive = recompute(call_of(subject), 24, [market], [leader])
        (found,) = measurer.over(subject, [24])
        assert (naive is None) == isinstance(found, OutcomeObstacle), day
        if naive is not None and not isinstance(found, OutcomeObstacle):
            assert compared(found._asdict(), naive) == naive, day
            seen.append((found.beta_ppb is not None, found.volatility is not None))

    assert set(seen) == {(False, False), (True, False), (True, True)}
