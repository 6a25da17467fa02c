"""Traders who know nothing, and the positions that they take."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final, NamedTuple

from afterword.pipeline.domain.trips.trip import Trip
from benchmarks.trade_markets import Market
from benchmarks.trades_books import COINS, HOUR, MINUTE, PUT_IN, WARM_UP_DAYS, Chance

WARM_UP: Final = 24 * WARM_UP_DAYS
MONEY: Final = Decimal("0.00000001")
LOT: Final = timedelta(seconds=5)


@dataclass(frozen=True, kw_only=True)
class Trader:
    """How somebody trades who knows nothing.

    Args:
        long: chance of a long.
        hours: mean time held; hours.
        take, stop: shares at which a position is closed; None for never.
        adds: orders added at most, each as large as the first; `add_at` is the move since the entry
            (a share) that each step adds at, negative for averaging down.
        slots: positions open at once, independent of each other.
        basket: coins that one decision enters, all in one direction.
        again: chance of an entry in the same coin within a quarter of an hour of a loss.
        size: of an order: `random`, `martingale`, `volatility` (larger where it is wild).
        shape: what `take` and `stop` are exchanged by: '', `direction`, `coin`, `hour`.
        fee: of each side; a share. `fee_far` that of the second venue, which has the odd trips.
        at_hours: hours of entries (UTC); empty for all.
        favourite: chance that the first coin is taken.
        accounts: count; trips go round.
        tags: tags given at the entry, by chance.
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
    lots: int = 1

    def fee_of(self, number: int) -> float:
        """Return the fee of the venue that has a trip of this number."""
        return self.fee_far if self.fee_far is not None and number % 2 else self.fee


class Order(NamedTuple):
    """An order that is filled.

    Args:
        units: of the coin; positive if it makes the position larger.
    """

    at: datetime
    price: float
    units: float


@dataclass(frozen=True)
class Idea:
    """A position from its entry to its exit.

    Args:
        orders: the entry, those that were added, the exit.
        left: hour of the exit.
        fee: of each side; a share.
        losing_adds: orders that were added while it was losing; count.
    """

    number: int
    coin: int
    is_long: bool
    orders: tuple[Order, ...]
    left: int
    fee: float
    losing_adds: int

    @property
    def cost(self) -> float:
        """What was put in."""
        return sum(one.price * one.units for one in self.orders[:-1])

    @property
    def gross(self) -> float:
        """Profit before fees."""
        earned = -self.orders[-1].price * self.orders[-1].units - self.cost
        return earned if self.is_long else -earned

    @property
    def fees(self) -> float:
        """All fees."""
        return self.fee * sum(one.price * abs(one.units) for one in self.orders)


def ideas(trader: Trader, market: Market, count: int, chance: Chance) -> list[Idea]:
    """Let somebody trade until there are so many positions, or no prices."""
    per_slot = -(-count // trader.slots)
    return [
        one
        for slot in range(trader.slots)
        for one in _slot(trader, market, per_slot, chance, slot * 1_000_000)
    ]


def trips_of(trader: Trader, found: Iterable[Idea]) -> list[Trip]:
    """Return the trips that a venue would report."""
    return [lot for one in found for lot in in_lots(_trip(trader, one), trader.lots)]


def in_lots(one: Trip, count: int) -> list[Trip]:
    """Return a trip as lots of one order, each closed with it."""
    if count == 1 or one.opened_at is None:
        return [one]
    return [
        replace(
            one,
            trip_uid=f"{part:x}{one.trip_uid[1:]}",
            opened_at=one.opened_at + part * LOT,
            net=one.net / count,
            gross=None if one.gross is None else one.gross / count,
            fees=None if one.fees is None else one.fees / count,
            notional=None if one.notional is None else one.notional / count,
            first_notional=None if one.first_notional is None else one.first_notional / count,
        )
        for part in range(count)
    ]


def _slot(trader: Trader, market: Market, count: int, chance: Chance, number: int) -> list[Idea]:
    hours = len(market.high) - 2
    room = (hours - WARM_UP) / max(1, count / trader.basket)
    found: list[Idea] = []
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
            put_in = float(PUT_IN[int(chance.integers(len(PUT_IN)))])
            if trader.size == "martingale":
                put_in = 100 * doubled
            if trader.size == "volatility":
                put_in = 1e5 * float(market.sigma[at, coin])
            number += 1
            one = _idea(trader, market, coin, is_long, at, limit, put_in, number, late)
            found.append(one)
            end, lost = max(end, one.left), lost or one.gross < one.fees
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


def _idea(
    trader: Trader,
    market: Market,
    coin: int,
    is_long: bool,
    at: int,
    limit: int,
    put_in: float,
    number: int,
    late: float,
) -> Idea:
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
    first = float(prices[at])
    orders = [Order(opened, first, put_in / first)]
    units, cost = put_in / first, put_in
    place, end = at, min(at + limit, len(prices) - 2)
    while place < end:
        place += 1
        price = float(prices[place])
        open_result = sign * (price * units / cost - 1)
        if take is not None and open_result >= take:
            break
        if stop is not None and open_result <= -stop:
            break
        since = sign * (price / first - 1)
        while place < end and len(orders) <= trader.adds and _is_at(trader, since, len(orders)):
            orders.append(Order(market.first + place * HOUR, price, put_in / price))
            units, cost = units + put_in / price, cost + put_in
    orders.append(Order(market.first + place * HOUR, float(prices[place]), -units))
    losing = len(orders) - 2 if trader.add_at < 0 else 0
    return Idea(
        number, coin, is_long, tuple(orders), place, trader.fee_of(number), losing_adds=losing
    )


def _is_at(trader: Trader, since: float, step: int) -> bool:
    """Return whether the price has gone as far as the next order is added at."""
    wanted = step * trader.add_at
    return since >= wanted if trader.add_at > 0 else since <= wanted


def _trip(trader: Trader, one: Idea) -> Trip:
    units = -one.orders[-1].units
    gross, fees = (Decimal(amount).quantize(MONEY) for amount in (one.gross, one.fees))
    first, last = one.orders[0], one.orders[-1]
    return Trip(
        trip_uid=f"{one.number:032x}",
        venue="bybit" if trader.fee_far is not None and one.number % 2 else "binance",
        account=f"a{one.number % trader.accounts}",
        symbol=f"{COINS[one.coin]}USDT",
        kind="perp",
        direction="long" if one.is_long else "short",
        quote="USDT",
        opened_at=first.at,
        closed_at=last.at,
        entry_px=Decimal(f"{one.cost / units:.12g}"),
        exit_px=Decimal(f"{last.price:.12g}"),
        size=Decimal(f"{units:.8f}"),
        multiplier=Decimal(1),
        notional=Decimal(one.cost).quantize(MONEY),
        first_notional=Decimal(first.price * first.units).quantize(MONEY),
        gross=gross,
        fees=fees,
        other_fees=(),
        funding=None,
        net=gross - fees,
        fills=len(one.orders),
        losing_adds=one.losing_adds,
        is_incomplete=False,
        is_liquidated=False,
        flags=(),
    )
