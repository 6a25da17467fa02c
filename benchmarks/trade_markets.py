"""Price histories that nobody can earn in on average, made of the hours of real ones.

Each hour keeps the size of its real move, so tails are fat and wild times come in clusters; whether
it goes up or down is the flip of a coin.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.rules.market.bars import Bar
from benchmarks.trades_books import COINS, HOUR, Chance, read_bars

Matrix = NDArray[np.float64]

MONTH: Final = 720
SHARED: Final = 0.9
"""Correlation of any two coins in a market that moves as one."""

DRIFT: Final = 1.4 / 8766**0.5
"""Mean of an hour in a rising market, in deviations of an hour: 1.4 of them a year, as Bitcoin had
in its first fifteen years."""

VOLUME: Final = Decimal(1)


@dataclass(frozen=True)
class Hours:
    """Real hours: what each did from its open, as shares; (hours, coins) each."""

    first: datetime
    opens: Matrix
    close: Matrix
    high: Matrix
    low: Matrix


@dataclass(frozen=True)
class Market:
    """Prices of some coins by the hour.

    Args:
        prices: (hours + 1, coins); what the hour opens at, and the last close.
        high, low: (hours, coins); extremes of the hour.
    """

    first: datetime
    prices: Matrix
    high: Matrix
    low: Matrix

    @property
    def last(self) -> datetime:
        """The end of the last bar."""
        return self.first + len(self.high) * HOUR

    @cached_property
    def sigma(self) -> Matrix:
        """Return the usual move of an hour as known then; (hours, coins)."""
        moves = np.abs(np.diff(np.log(self.prices), axis=0))
        sums = np.vstack([np.zeros((1, moves.shape[1])), np.cumsum(moves, axis=0)])
        found = np.full_like(moves, 0.01)
        found[MONTH:] = (sums[MONTH:-1] - sums[: -MONTH - 1]) / MONTH
        return found

    @cached_property
    def book(self) -> PriceBook:
        """Return the prices as the report reads them."""
        return PriceBook(
            {Series("file", f"{coin}USDT", HOUR): found for coin, found in self.bars().items()}
        )

    def bars(self) -> dict[str, list[Bar]]:
        """Return the bars of each coin."""
        found = {}
        for place, coin in enumerate(COINS):
            prices, high, low = (
                [Decimal(f"{one:.12g}") for one in matrix[:, place].tolist()]
                for matrix in (self.prices, self.high, self.low)
            )
            found[coin] = [
                Bar(self.first + hour * HOUR, HOUR, *four, VOLUME)
                for hour, four in enumerate(zip(prices, high, low, prices[1:], strict=False))
            ]
        return found


def read_hours(folder: Path) -> Hours:
    """Return the real hours of the coins, as many as all of them have."""
    bars = {coin: list(read_bars(folder / f"{coin}USDT_2024_1h.csv.gz")) for coin in COINS}
    count = min(len(found) for found in bars.values())
    return Hours(
        bars[COINS[0]][0].t_open,
        _matrix(bars, count, "open", None),
        *(_matrix(bars, count, name, "open") for name in ("close", "high", "low")),
    )


def flipped(hours: Hours, chance: Chance, times: int = 1) -> Market:
    """Return a market in which all coins flip together, so that they move together as before.

    Args:
        times: how often the hours follow one another, each time flipped anew: three are two years.
    """
    moves = [np.tile(one, (times, 1)) for one in (hours.close, hours.high, hours.low)]
    return _built(hours, moves, _flips(len(moves[0]), chance))


def together(hours: Hours, chance: Chance) -> Market:
    """Return a market in which any two coins are correlated 0.9, the wild ones and the calm ones.

    Nine tenths of the variance of each are the moves of the first coin.
    """
    scales = hours.close.std(axis=0)
    leader = hours.close[:, :1] / scales[0] * _flips(len(hours.close), chance)
    own = hours.close / scales * _flips(len(hours.close), chance, len(scales))
    move = scales * (SHARED**0.5 * leader + (1 - SHARED) ** 0.5 * own)
    wick = np.minimum(hours.high - np.maximum(hours.close, 0), 0.05)
    return _built(hours, [move, np.maximum(move, 0) + wick, np.minimum(move, 0) - wick])


def rising(hours: Hours, chance: Chance) -> Market:
    """Return a market that rises, each coin by as much of its own deviation."""
    drift = DRIFT * hours.close.std(axis=0)
    flips = _flips(len(hours.close), chance)
    flat = _flip([hours.close, hours.high, hours.low], flips)
    return _built(hours, [one + drift for one in flat])


def _flips(count: int, chance: Chance, coins: int = 1) -> Matrix:
    return np.where(chance.random((count, coins)) < 0.5, -1.0, 1.0)


def _flip(moves: Sequence[Matrix], flips: Matrix) -> list[Matrix]:
    close, high, low = moves
    is_up = flips > 0
    return [flips * close, np.where(is_up, high, -low), np.where(is_up, low, -high)]


def _built(hours: Hours, moves: Sequence[Matrix], flips: Matrix | None = None) -> Market:
    close, high, low = moves if flips is None else _flip(moves, flips)
    close, low = np.maximum(close, -0.5), np.maximum(low, -0.6)
    opens = hours.opens[:1]
    prices = np.vstack([opens, opens * np.cumprod(1 + close, axis=0)])
    begin = prices[:-1]
    return Market(
        hours.first,
        prices,
        np.maximum(begin * (1 + high), np.maximum(begin, prices[1:])),
        np.minimum(begin * (1 + low), np.minimum(begin, prices[1:])),
    )


def _matrix(bars: Mapping[str, Sequence[Bar]], count: int, name: str, under: str | None) -> Matrix:
    return np.array(
        [
            [
                float(getattr(one, name)) / (1.0 if under is None else float(getattr(one, under)))
                - (0.0 if under is None else 1.0)
                for one in bars[coin][:count]
            ]
            for coin in COINS
        ]
    ).T
