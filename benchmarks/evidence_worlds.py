"""Decisions on real prices and on their block-shuffled twins, as votes for the evidence engine."""

import gzip
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from afterword.pipeline.rules.evidence.model import SETUPS, Hypothesis, Vote
from afterword.pipeline.rules.evidence.rates import PSEUDO_VOTES
from afterword.pipeline.rules.market.trend_base import SETUP_WEIGHT

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Chance = np.random.Generator
Style = Literal["random", "fixed", "momentum", "reversal", "long"]

HOUR_MS: Final = 3_600_000
DAY_MS: Final = 24 * HOUR_MS

DAILY: Final = (
    *("AAPL_raw_2010_2021_1d", "IBM_raw_2010_2021_1d", "QQQ_raw_2010_2021_1d"),
    *("SPY_raw_2010_2021_1d", "USO_raw_2010_2021_1d", "SP500_index_close_1990_2015_1d"),
    *("BTCUSD_bitstamp_2014_2020_1d", "ETHUSD_bitstamp_2014_2020_1d", "ETHUSDT_2020_2023_1d"),
    *("GBPUSD_mid_2007_2018_1d", "XAUUSD_mid_2006_2015_1d"),
    *("SOLUSDT_2020_2023_1h", "EURUSD_2017_2021_1h"),  # hourly, long enough for days
)
COINS: Final = tuple(
    f"{coin}USDT_2024_1h"
    for coin in ("BTC", "ETH", "SOL", "AVAX", "LINK", "UNI", "AAVE", "DOGE", "PEPE", "SUI")
)
HOURLY: Final = (*COINS, "BTCUSDT_2023_1h")
US: Final = DAILY[:5]

SEED: Final = 20240601

SPLIT: Final = 1.8
"""A larger ratio of two closes of a raw stock series is a split, no move."""

BLOCK: Final = 20
"""Bars of a block that a twin keeps together: volatility stays, memory of directions goes."""

FIRST: Final = 60
"""Bars before the first decision."""


class Closes(NamedTuple):
    """The closes of one series.

    Args:
        at: close of each bar; milliseconds.
        per_day: bars of a day. Decisions last a bar: a day, for two years of 504 trading days;
            or eight hours, for 720 of them.
    """

    name: str
    at: Ints
    prices: Floats
    per_day: int

    @property
    def symbol(self) -> str:
        """Its market."""
        return self.name.partition("_")[0]

    @property
    def is_daily(self) -> bool:
        """Whether a bar is a day."""
        return self.per_day == 1

    @property
    def moves(self) -> Floats:
        """The move into each bar, without splits; 0 into the first."""
        ratios = self.prices[1:] / self.prices[:-1]
        ratios[(ratios > SPLIT) | (ratios < 1 / SPLIT)] = 1.0
        return np.concatenate([[0.0], ratios - 1])

    @property
    def span(self) -> int:
        """Bars of a run: two years, or eight months of a coin."""
        return 504 if self.is_daily else 240 * self.per_day

    @property
    def week(self) -> int:
        """Bars between two looks."""
        return 5 if self.is_daily else 7 * self.per_day

    @property
    def month(self) -> int:
        """Bars of thirty days."""
        return 21 if self.is_daily else 30 * self.per_day


@dataclass(frozen=True, slots=True)
class Market:
    """What is known of a market at the close of each bar, and the move that follows.

    Args:
        moves: from this close over the window.
        bands: as known at this close.
        trends: of the window before; 0 down, 1 flat, 2 up.
        rises: share of rises among the moves beyond the band that were known, shrunk.
        after: the same after such a move as was before, drawn to `rises`.
        drift: move over the last five bars, which momentum follows.
        window: bars of a decision.
    """

    name: str
    moves: Floats
    bands: Floats
    trends: Ints
    rises: Floats
    after: Floats
    drift: Floats
    window: int


@dataclass(frozen=True, slots=True)
class Flaw:
    """An effect that decisions of one setup have.

    Args:
        share: of the hits (failing) or misses (works) that are turned.
        asset: that has it; None for all.
    """

    hypothesis: Hypothesis
    share: float
    asset: str | None = None


class Run(NamedTuple):
    """Decisions of one role on the prices of some assets.

    Args:
        together: the prices; all assets have the same moments.
        start: the first bar that is decided on.
        window: bars of a decision.
        votes: of each bar from the first one on, all assets together.
    """

    together: Sequence[Closes]
    start: int
    window: int
    votes: Sequence[list[Vote]]

    @property
    def week(self) -> int:
        """Bars between two looks."""
        return self.together[0].week


def chance_of(*words: str) -> Chance:
    """Return the chance of one world; other words give another one."""
    return np.random.default_rng([SEED, *"/".join(words).encode()])


def series(folder: Path, name: str, per_day: int | None = None) -> Closes:
    """Read the closes of one file, in days or in eight hours.

    Args:
        per_day: bars of a day; as its decisions need it if None.
    """
    with gzip.open(folder / f"{name}.csv.gz") as file:
        rows: Any = np.loadtxt(file, delimiter=",", skiprows=1, usecols=(0, 4))
    at, prices = rows[:, 0].astype(np.int64), rows[:, 1]
    per_day = per_day or (1 if name in DAILY else 3)
    if name.endswith("_1d"):
        return Closes(name, at + DAY_MS, prices, per_day)
    at += HOUR_MS
    length = DAY_MS // per_day
    bars = (at - 1) // length
    is_last = np.append(bars[1:] != bars[:-1], True)  # the last close of a day, with gaps too
    return Closes(name, (bars[is_last] + 1) * length, prices[is_last], per_day)


def aligned(together: Sequence[Closes]) -> list[Closes]:
    """Keep the moments at which every series has a close."""
    moments = together[0].at
    for one in together[1:]:
        moments = np.intersect1d(moments, one.at)
    return [
        Closes(one.name, moments, one.prices[np.isin(one.at, moments)], one.per_day)
        for one in together
    ]


def shuffled(bars: int, chance: Chance) -> Ints:
    """Return the order of bars in a twin: blocks in another order, the same for every asset."""
    starts = np.arange(1, bars, BLOCK)
    chance.shuffle(starts)
    order = np.concatenate(
        [np.arange(start, min(start + BLOCK, bars)) for start in starts.tolist()]
    )
    return np.concatenate([[0], order])


def twin(closes: Closes, order: Ints) -> Closes:
    """Return the series with its moves in another order."""
    return closes._replace(prices=(100 * np.cumprod(1 + closes.moves[order])).astype(np.float64))


def market(closes: Closes, window: int = 1) -> Market:
    """Compute what is known at every close.

    Args:
        window: bars of a decision.
    """
    steps = closes.moves
    prices = np.cumprod(1 + steps)
    n = len(steps)
    squares = np.concatenate([[0.0], np.cumsum(steps**2)])
    month = closes.month
    since = np.maximum(0, np.arange(n) + 1 - month)
    known = np.arange(n) + 1 - since
    sigma = np.sqrt((squares[np.arange(n) + 1] - squares[since]) / known * window)
    bands = 0.25 * sigma + 0.0013
    moves = np.full(n, np.nan)
    moves[:-window] = prices[window:] / prices[:-window] - 1
    before = np.zeros(n)
    before[window:] = moves[:-window]
    trends = np.where(before > bands, 2, np.where(before < -bands, 0, 1))
    # Of a move that began a window ago, the outcome is known now.
    earlier = np.full(n, np.nan)
    earlier[window:] = bands[:-window]
    ups = np.cumsum(before > earlier) / window
    votes = np.cumsum(np.abs(before) > earlier) / window
    rises = (ups + PSEUDO_VOTES / 2) / (votes + PSEUDO_VOTES)
    drift = np.zeros(n)
    drift[5:] = prices[5:] / prices[:-5] - 1
    after = _after(moves, bands, trends, rises, window)
    return Market(closes.name, moves, bands, trends, rises, after, drift, window)


def _after(moves: Floats, bands: Floats, trends: Ints, rises: Floats, window: int) -> Floats:
    """Return the share of rises after the trend of each close, of windows that do not overlap."""
    n = len(moves)
    starts = np.arange(0, n - window, window)
    starts = starts[np.abs(moves[starts]) > bands[starts]]
    counts = np.zeros((n, 3, 2))
    counts[starts + window, trends[starts], 0] = 1  # each close ends one window of the grid
    counts[starts + window, trends[starts], 1] = moves[starts] > 0
    known = np.cumsum(counts, axis=0)[np.arange(n), trends]
    return (known[:, 1] + SETUP_WEIGHT * rises) / (known[:, 0] + SETUP_WEIGHT)


def decide(
    markets: Sequence[Market],
    bars: Sequence[int] | Ints,
    style: Style,
    chance: Chance,
    flaws: Sequence[Flaw] = (),
    share: float = 0.8,
    step_us: int = 1,
) -> Iterator[list[Vote]]:
    """Yield the votes of each bar, all assets together.

    Args:
        bars: that are decided on, in order; an outcome exists for each.
        flaws: planted effects; a turned result is the opposite move.
        share: chance that an asset is decided on at a bar.
        step_us: microseconds of a bar.
    """
    at = np.asarray(bars)
    columns = []
    for one in markets:
        if style == "random":
            is_long = chance.random(len(at)) < 0.5
        elif style == "fixed":
            is_long = np.full(len(at), chance.random() < 0.5)
        elif style == "long":
            is_long = np.full(len(at), True)
        else:
            is_long = (one.drift[at] > 0) == (style == "momentum")
        moves = one.moves[at].copy()
        bands = one.bands[at]
        setups = np.where(is_long, 0, 3) + one.trends[at]
        for flaw in flaws:
            if flaw.asset in (None, one.name):
                has_hit = (moves > 0) == is_long
                wanted = has_hit == (flaw.hypothesis.side == "failing")
                is_turned = (
                    (setups == SETUPS.index(flaw.hypothesis.setup))
                    & (np.abs(moves) > bands)
                    & wanted
                    & (chance.random(len(at)) < flaw.share)
                )
                moves[is_turned] *= -1
        bases = np.where(is_long, one.after[at], 1 - one.after[at])
        columns.append(
            (
                one.name,
                (chance.random(len(at)) < share).tolist(),
                setups.tolist(),
                moves.tolist(),
                bands.tolist(),
                bases.tolist(),
                one.window,
            )
        )
    for place, bar in enumerate(at.tolist()):
        yield [
            Vote(
                bar,
                name,
                SETUPS[setups[place]],
                bar * step_us,
                (bar + window) * step_us,
                moves[place],
                bands[place],
                bases[place],
            )
            for name, is_made, setups, moves, bands, bases, window in columns
            if is_made[place]
        ]
