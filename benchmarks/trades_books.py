"""Accounts of trades on real hourly prices, for the trades benchmark: by chance or with a habit."""

import csv
import gzip
import os
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Final

import numpy as np

from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.trades.measure import measure_trips
from afterword.pipeline.domain.trades.model import TripOutcome
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.rules.market.exact import PPB

Chance = np.random.Generator

HOUR: Final = timedelta(hours=1)
MINUTE: Final = timedelta(minutes=1)
COINS: Final = ("BTC", "ETH", "SOL", "AVAX", "LINK", "UNI", "AAVE", "DOGE", "PEPE", "SUI")
FEES: Final = 0.0009
PUT_IN: Final = (200, 500, 1_000, 2_000)
WARM_UP_DAYS: Final = 62
"""Days before the first trip: terciles of volatility need sixty."""


class Prices:
    """Hourly bars of some coins, as the rules read them and as a trader trades at them."""

    def __init__(self, bars: Mapping[str, Sequence[Bar]]) -> None:
        self.coins = tuple(bars)
        self.book = PriceBook(
            {Series("file", f"{coin}USDT", HOUR): found for coin, found in bars.items()}
        )
        self.first = max(found[0].t_open for found in bars.values())
        self.last = min(found[-1].closed_at for found in bars.values())
        self._opens = {coin: [bar.t_open for bar in found] for coin, found in bars.items()}
        self._bars = bars

    def only(self, coins: Sequence[str]) -> "Prices":
        """Return the prices of some of the coins."""
        return Prices({coin: self._bars[coin] for coin in coins})

    def at(self, coin: str, moment: datetime) -> float:
        """Return a price inside the bar of a moment, on the line from its open to its close."""
        bar = self._bars[coin][bisect_right(self._opens[coin], moment) - 1]
        passed = (moment - bar.t_open) / HOUR
        return float(bar.open) + passed * float(bar.close - bar.open)


def read_prices(folder: Path) -> Prices:
    """Return the prices of the coins in the folder of real data."""
    return Prices({coin: list(read_bars(folder / f"{coin}USDT_2024_1h.csv.gz")) for coin in COINS})


def account(prices: Prices, count: int, chance: Chance, quick_worse: float = 0.0) -> list[Trip]:
    """Make trips of one account: random coins, directions and times, half an hour to four hours.

    A fifth of the trips after a loss follow within a quarter of an hour.

    Args:
        quick_worse: what those lose more; a share of what was put in.
    """
    begin, end = prices.first + WARM_UP_DAYS * timedelta(days=1), prices.last - 8 * HOUR
    idle = (end - begin) / HOUR / count * 0.9 - 2.6
    found: list[Trip] = []
    at, was_loss = begin, False
    for number in range(count):
        is_quick = was_loss and chance.random() < 0.2
        gap = chance.uniform(1, 14) if is_quick else 16 + 60 * chance.exponential(idle)
        at += gap * MINUTE
        if at > end:
            break  # it traded faster than usual; a few trips less
        coin = prices.coins[int(chance.integers(len(prices.coins)))]
        is_long, closed = bool(chance.random() < 0.5), at + chance.uniform(0.5, 4) * HOUR
        entry, leave = prices.at(coin, at), prices.at(coin, closed)
        put_in = float(PUT_IN[int(chance.integers(len(PUT_IN)))])
        gross = put_in * (leave / entry - 1) * (1 if is_long else -1)
        gross -= put_in * quick_worse if is_quick else 0.0
        net = gross - put_in * FEES
        found.append(_trip(number, coin, is_long, at, closed, entry, leave, put_in, gross, net))
        at, was_loss = closed, net < 0
    return found


def outcomes(prices: Prices, trips: Sequence[Trip]) -> list[TripOutcome]:
    """Measure trips with all prices at hand."""
    return measure_trips(prices.book, trips, prices.last)


def worse(one: TripOutcome, sigmas: float) -> TripOutcome:
    """Return a trip that lost more, by some deviations of its asset."""
    if one.result_ppb is None or not one.sigma_ppb or one.put_in is None:
        return one
    by = round(sigmas * one.sigma_ppb)
    lost = (one.put_in * by / PPB).quantize(Decimal("0.000001"))
    gross = None if one.trip.gross is None else one.trip.gross - lost
    trip = replace(one.trip, gross=gross, net=one.trip.net - lost)
    residual = None if one.residual_ppb is None else one.residual_ppb - by
    return replace(one, trip=trip, result_ppb=one.result_ppb - by, residual_ppb=residual)


def _trip(
    number: int,
    coin: str,
    is_long: bool,
    opened: datetime,
    closed: datetime,
    entry: float,
    leave: float,
    put_in: float,
    gross: float,
    net: float,
) -> Trip:
    money = Decimal("0.000001")
    return Trip(
        trip_uid=f"{number:032x}",
        venue="binance",
        account="me",
        symbol=f"{coin}USDT",
        kind="perp",
        direction="long" if is_long else "short",
        quote="USDT",
        opened_at=opened,
        closed_at=closed,
        entry_px=Decimal(f"{entry:.10f}"),
        exit_px=Decimal(f"{leave:.10f}"),
        size=Decimal(f"{put_in / entry:.6f}"),
        multiplier=Decimal(1),
        notional=Decimal(repr(put_in)),
        gross=Decimal(gross).quantize(money),
        fees=Decimal(gross - net).quantize(money),
        other_fees=(),
        funding=None,
        net=Decimal(net).quantize(money),
        fills=2,
        losing_adds=0,
        is_incomplete=False,
        is_liquidated=False,
        flags=(),
    )


def data_folder() -> Path:
    """Return where real data lies, if it does: beside the repository, unless it is named."""
    beside = Path(__file__).resolve().parents[2] / "shared"
    return Path(os.environ.get("AFTERWORD_SHARED", beside)) / "data"


def read_bars(path: Path) -> Iterable[Bar]:
    with gzip.open(path, "rt") as file:
        for row in csv.reader(file):
            if row[0].isdigit():
                opened = datetime.fromtimestamp(int(row[0]) / 1_000, UTC)
                yield Bar(opened, HOUR, *(Decimal(one) for one in row[1:6]))
