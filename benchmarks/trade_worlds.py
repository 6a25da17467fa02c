"""What a trader's report names where nothing is there: traders without skill on prices that have no
direction, by the shipped labels, scores and report."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from afterword.pipeline.domain.history.trip import Trip
from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.trades.labels import GivenTag
from afterword.pipeline.domain.trades.measure import measure_trips
from afterword.pipeline.domain.trades.report import material_of
from afterword.pipeline.rules.evidence.habits import FILE_LEVEL, HabitReport
from afterword.pipeline.rules.market.bars import Bar
from benchmarks.answer import Answer, answers, note
from benchmarks.trades_books import COINS, HOUR, MINUTE, WARM_UP_DAYS, Chance, _bars

SEED: Final = 20_261_123
SIZES: Final = (200, 1_000)
MARKETS: Final = 10
"""Price histories that the accounts of a world are spread over; count."""
WARM_UP: Final = 24 * WARM_UP_DAYS
NO_PRICES: Final = PriceBook({})
MONEY: Final = Decimal("0.00000001")

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Market:
    """Prices of some coins by the hour, and the book that the report reads.

    Args:
        prices: (hours, coins); what the hour opens at.
        sigma: (hours, coins); usual move of an hour as known then.
    """

    book: PriceBook
    first: datetime
    prices: Matrix
    sigma: Matrix

    @property
    def last(self) -> datetime:
        """The end of the last bar."""
        return self.first + (len(self.prices)) * HOUR


@dataclass(frozen=True, kw_only=True)
class Trader:
    """How somebody trades who knows nothing.

    Args:
        long: chance of a long.
        hours: mean time held; hours.
        take, stop: shares at which a position is closed; None for never.
        adds: orders added at most, each as large as the first; `add_at` is the open result (a
            share) that each step adds at, negative for averaging down.
        slots: positions open at once, independent of each other.
        basket: coins that one decision enters, all in one direction.
        again: chance of an entry in the same coin within a quarter of an hour of a loss.
        size: of an order: `fixed`, `random`, `martingale`, `volatility` (larger where it is wild).
        shape: what `take` and `stop` are exchanged by: '', `direction`, `coin`, `hour`, `size`.
        fee: of each side; a share. `fee_far` that of the second venue, which has the odd trips.
        at_hours: hours of entries (UTC); empty for all.
        favourite: chance that the first coin is taken.
        accounts: count; trips go round.
        tags: tags given at the entry, by chance.
        known: whether there are prices.
        lots: fills that each order is reported as.
    """

    long: float = 0.5
    hours: float = 3.0
    take: float | None = None
    stop: float | None = None
    adds: int = 0
    add_at: float = 0.0
    slots: int = 1
    basket: int = 1
    again: float = 0.0
    size: str = "random"
    shape: str = ""
    fee: float = 0.0
    fee_far: float | None = None
    at_hours: tuple[int, ...] = ()
    favourite: float = 0.0
    accounts: int = 1
    tags: int = 0
    known: bool = True
    lots: int = 1


WORLDS: Final[Mapping[str, Trader]] = {
    "random": Trader(),
    "random, 0.09 % costs": Trader(fee=0.00045),
    "half a minute to a day": Trader(hours=8),
    "averages down": Trader(adds=4, add_at=-0.01, slots=2, hours=8),
    "averages down, takes 1 %": Trader(adds=4, add_at=-0.01, take=0.01, slots=2, hours=24),
    "pyramids": Trader(adds=4, add_at=0.01, slots=2, hours=8),
    "takes 1 %, stops at 3 %": Trader(take=0.01, stop=0.03, hours=24, slots=3),
    "takes 3 %, stops at 1 %": Trader(take=0.03, stop=0.01, hours=24, slots=3),
    "takes 1 %, no stop": Trader(take=0.01, hours=24, slots=3),
    "longs 1:3, shorts 3:1": Trader(take=0.01, stop=0.03, hours=24, slots=3, shape="direction"),
    "coins 1:3 and 3:1": Trader(take=0.01, stop=0.03, hours=24, slots=3, shape="coin"),
    "hours 1:3 and 3:1": Trader(take=0.01, stop=0.03, hours=24, slots=3, shape="hour"),
    "back after a loss": Trader(again=0.5),
    "back after a loss, stops at 1 %": Trader(again=0.6, stop=0.01, take=0.03, hours=12, slots=2),
    "martingale": Trader(size="martingale", again=0.3),
    "at certain hours": Trader(at_hours=(7, 8, 13, 14, 15, 20)),
    "baskets of 5 coins": Trader(basket=5, hours=6),
    "baskets, 3 slots": Trader(basket=4, hours=12, slots=3),
    "four fills an idea": Trader(lots=4),
    "two venues' fees": Trader(fee=0.0002, fee_far=0.001),
    "without prices": Trader(known=False),
    "without prices, 1:3": Trader(known=False, take=0.01, stop=0.03, hours=24, slots=3),
    "without prices, averages down": Trader(known=False, adds=4, add_at=-0.01, slots=2, hours=8),
    "larger in wild times": Trader(size="volatility"),
    "tags at the entry": Trader(tags=8),
    "one coin dominates": Trader(favourite=0.8),
    "always long": Trader(long=1.0),
    "five accounts": Trader(accounts=5, slots=5),
}


def ask(path: Path, runs: int, only: str) -> Answer:
    """Measure how many reports name anything in each world."""
    chance = np.random.default_rng(SEED)
    real = read_real(path / "ohlcv")
    markets = [twin(real, chance) for _ in range(min(runs, MARKETS))]
    measured: dict[str, float] = {}
    for name, trader in WORLDS.items():
        if only and not any(one == name for one in only.split(";")):
            continue
        for size in SIZES:
            told = _tell(trader, markets, size, runs, np.random.default_rng([SEED, size]))
            label = f"{name}, {size}"
            measured[f"{label}: cells"] = told["cells"]
            measured[f"{label}: book"] = told["book"]
    return Answer("trade_worlds", measured, {}, sizes={"runs": runs, "seed": SEED})


def _tell(
    trader: Trader, markets: Sequence[Market], size: int, runs: int, chance: Chance
) -> dict[str, float]:
    cells = books = worth = 0
    names: Counter[str] = Counter()
    trips = stretches = 0
    for run in range(runs):
        found = examined(trader, markets[run % len(markets)], size, chance)
        cells += bool(found.named)
        books += found.is_book_named
        worth += bool(found.book and found.is_book_named and found.book.z > 0)
        names.update(f"{one.attribute}={one.value}" for one in found.named[:1])
        trips += found.trips
        stretches += found.stretches
    note(
        f"{cells / runs:6.1%} cells {books / runs:6.1%} book ({worth} up)  n {trips // runs} in"
        f" {stretches // runs}  {_name_of(trader)} {names.most_common(3)}"
    )
    return {"cells": cells / runs, "book": books / runs}


def _name_of(trader: Trader) -> str:
    return next((name for name, one in WORLDS.items() if one == trader), "")


def examined(trader: Trader, market: Market, size: int, chance: Chance) -> HabitReport:
    """Return what one look at an account names."""
    trips, tags = account(trader, market, size, chance)
    book = market.book if trader.known else NO_PRICES
    material = material_of(measure_trips(book, trips, market.last), UTC, tags)
    return material.book.examined(FILE_LEVEL)


def read_real(folder: Path) -> Market:
    """Return the real prices."""
    bars = {coin: list(_bars(folder / f"{coin}USDT_2024_1h.csv.gz")) for coin in COINS}
    return _market(bars)


def twin(real: Market, chance: Chance) -> Market:
    """Return prices with the moves of the real ones, each hour up or down by a coin's flip.

    All coins flip together, so that they move together as before; nobody can earn on average.
    """
    count = len(real.prices)
    flips = np.where(chance.random(count) < 0.5, -1.0, 1.0)
    bars = {}
    for place, coin in enumerate(COINS):
        shape = _SHAPES[coin]
        made = []
        price = real.prices[0, place]
        for hour in range(count):
            up, high, low, volume = shape[hour]
            flip = flips[hour]
            top, bottom = (high, low) if flip > 0 else (-low, -high)
            close = price * (1 + flip * up)
            ends = price, price * (1 + top), price * (1 + bottom), close
            start, most, least, last = (Decimal(f"{one:.12g}") for one in ends)
            made.append(Bar(real.first + hour * HOUR, HOUR, start, most, least, last, volume))
            price = close
        bars[coin] = made
    return _market(bars)


_SHAPES: dict[str, list[tuple[float, float, float, Decimal]]] = {}


def _market(bars: Mapping[str, Sequence[Bar]]) -> Market:
    count = min(len(found) for found in bars.values())
    first = next(iter(bars.values()))[0].t_open
    for coin, found in bars.items():
        if coin not in _SHAPES:
            _SHAPES[coin] = [
                (
                    float(one.close / one.open) - 1,
                    float(one.high / one.open) - 1,
                    float(one.low / one.open) - 1,
                    one.volume,
                )
                for one in found[:count]
            ]
    prices = np.array([[float(one.open) for one in bars[coin][:count]] for coin in COINS]).T
    moves = np.abs(np.diff(np.log(prices), axis=0, prepend=np.log(prices[:1])))
    sums = np.cumsum(moves, axis=0)
    sigma = np.full_like(prices, 0.01)
    sigma[720:] = (sums[719:-1] - np.vstack([np.zeros((1, len(COINS))), sums[:-721]])) / 720
    book = PriceBook(
        {Series("file", f"{coin}USDT", HOUR): list(found[:count]) for coin, found in bars.items()}
    )
    return Market(book, first, prices, sigma)


def account(
    trader: Trader, market: Market, count: int, chance: Chance
) -> tuple[list[Trip], dict[str, list[GivenTag]]]:
    """Make the trips of an account, and the tags that were given at their entries."""
    found: list[Trip] = []
    per_slot = -(-count // trader.slots)
    for slot in range(trader.slots):
        found += _slot(trader, market, per_slot, chance, slot * 1_000_000)
    tags = {}
    if trader.tags:
        for trip in found:
            if chance.random() < 0.6 and trip.opened_at:
                tag = f"t{int(chance.integers(trader.tags))}"
                tags[trip.trip_uid] = [GivenTag(tag, trip.opened_at)]
    return found, tags


def _slot(trader: Trader, market: Market, count: int, chance: Chance, number: int) -> list[Trip]:
    hours = len(market.prices) - 2
    room = (hours - WARM_UP) / max(1, count / trader.basket)
    found: list[Trip] = []
    at = WARM_UP + int(chance.integers(0, 24))
    after: tuple[int, bool] | None = None
    doubled = 1.0
    while at < hours - 1 and len(found) < count:
        late = 0.0
        if after is not None:
            coins, is_long = [after[0]], after[1]
            late = float(chance.uniform(1, 14))
        else:
            if trader.at_hours:
                while (market.first + at * HOUR).hour not in trader.at_hours and at < hours - 1:
                    at += 1
            coins = _coins(trader, chance)
            is_long = bool(chance.random() < trader.long)
        limit = max(1, round(float(chance.exponential(trader.hours))))
        end, lost = at, False
        for coin in coins:
            put_in = float((200, 500, 1_000, 2_000)[int(chance.integers(4))])
            if trader.size == "martingale":
                put_in = 100 * doubled
            if trader.size == "volatility":
                put_in = 1e5 * market.sigma[at, coin]
            number += 1
            trip, left = _trip(trader, market, coin, is_long, at, limit, put_in, number, late)
            found += in_lots(trip, trader.lots)
            end, lost = max(end, left), lost or trip.net < 0
        doubled = min(64.0, 2 * doubled) if lost else 1.0
        is_back = lost and chance.random() < trader.again
        after = (coins[0], is_long) if is_back else None
        idle = max(0.0, room - trader.hours)
        at = end if is_back else end + 1 + round(float(chance.exponential(idle)))
    return found


def _coins(trader: Trader, chance: Chance) -> list[int]:
    if chance.random() < trader.favourite:
        return [0]
    return [int(one) for one in chance.choice(len(COINS), trader.basket, replace=False)]


def _trip(
    trader: Trader,
    market: Market,
    coin: int,
    is_long: bool,
    at: int,
    limit: int,
    put_in: float,
    number: int,
    late: float,
) -> tuple[Trip, int]:
    prices, sign = market.prices[:, coin], 1 if is_long else -1
    take, stop = trader.take, trader.stop
    opened = market.first + at * HOUR + late * MINUTE
    is_odd = {
        "": False,
        "direction": not is_long,
        "coin": coin % 2 == 1,
        "hour": opened.hour // 4 % 2 == 1,
    }[trader.shape]
    if is_odd:
        take, stop = stop, take
    units = put_in / prices[at]
    cost, added, losing = put_in, 0, 0
    place = at
    end = min(at + limit, len(prices) - 1)
    while place < end:
        place += 1
        open_result = sign * (prices[place] * units / cost - 1)
        if take is not None and open_result >= take:
            break
        if stop is not None and open_result <= -stop:
            break
        since = sign * (prices[place] / prices[at] - 1)
        while (
            place < end
            and added < trader.adds
            and (
                since >= (added + 1) * trader.add_at
                if trader.add_at > 0
                else since <= (added + 1) * trader.add_at
            )
        ):
            units += put_in / prices[place]
            cost += put_in
            added += 1
            losing += trader.add_at < 0
    gross = sign * (prices[place] * units - cost)
    is_far = trader.fee_far is not None and number % 2 == 1
    fee = trader.fee_far if is_far and trader.fee_far is not None else trader.fee
    fees = fee * (cost + prices[place] * units)
    money = [Decimal(one).quantize(MONEY) for one in (gross, fees)]
    return (
        Trip(
            trip_uid=f"{number:032x}",
            venue="bybit" if is_far else "binance",
            account=f"a{number % trader.accounts}",
            symbol=f"{COINS[coin]}USDT",
            kind="perp",
            direction="long" if is_long else "short",
            quote="USDT",
            opened_at=opened,
            closed_at=market.first + place * HOUR,
            entry_px=Decimal(f"{cost / units:.12g}"),
            exit_px=Decimal(f"{prices[place]:.12g}"),
            size=Decimal(f"{units:.8f}"),
            multiplier=Decimal(1),
            notional=Decimal(cost).quantize(MONEY),
            first_notional=Decimal(put_in).quantize(MONEY),
            gross=money[0],
            fees=money[1],
            other_fees=(),
            funding=None,
            net=money[0] - money[1],
            fills=2 + added,
            losing_adds=losing,
            is_incomplete=False,
            is_liquidated=False,
            flags=(),
        ),
        place,
    )


def in_lots(one: Trip, count: int) -> list[Trip]:
    """Return a trip as lots of one order, each closed with it."""
    if count == 1 or one.opened_at is None:
        return [one]
    return [
        replace(
            one,
            trip_uid=f"{part:x}{one.trip_uid[1:]}",
            opened_at=one.opened_at + part * timedelta(seconds=5),
            net=one.net / count,
            gross=None if one.gross is None else one.gross / count,
            fees=None if one.fees is None else one.fees / count,
            notional=None if one.notional is None else one.notional / count,
            first_notional=None if one.first_notional is None else one.first_notional / count,
        )
        for part in range(count)
    ]


if __name__ == "__main__":
    answers(
        ask,
        path=(Path, Path("data"), "folder of real data with `ohlcv/`"),
        runs=(int, 100, "accounts of each world and size"),
        only=(str, "", "worlds to measure, with semicolons between; all if empty"),
    )
