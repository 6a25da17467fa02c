"""Whether a trader's report names what its own numbers say: worlds of fees, shapes and volatility.

Accounts are made without prices: each trip has its result, the usual move of its market and its
costs. So thousands of accounts are judged by the shipped labels, scores, report and numbers.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from math import exp, log
from random import Random
from typing import Final

from afterword.pipeline.domain.trades.model import Cell, TradesReport, TripOutcome
from afterword.pipeline.domain.trades.report import material_of, report_of
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.rules.evidence.habits import FILE_LEVEL
from afterword.pipeline.rules.evidence.rates import wilson_interval
from benchmarks.answer import Answer, Target, answers, note

SEED: Final = 20_261_126
BEGIN: Final = datetime(2025, 1, 1, tzinfo=UTC)
MINUTE: Final = timedelta(minutes=1)
PROMISED: Final = 0.05
MARKETS: Final = 10
USUAL: Final = 0.008
"""Usual move of an hour in the middle market; a share."""

MARKET_SHARE: Final = 0.6
"""Part of a usual move that all markets make together; the rest is each market's own."""

QUICK_SHARE: Final = 0.2
"""Part of the trips after a loss that follow within a quarter of an hour: a tenth of all."""

CENT: Final = Decimal("0.000001")
PPB: Final = 1_000_000_000
TRENDS: Final = ("down", "flat", "up")
QUICK: Final = "re-entry=quick"
SETUP: Final = "setup=short after a fall"


@dataclass(frozen=True, kw_only=True)
class World:
    """An account, and what it pays.

    Args:
        spread: how unequal the markets are: standard deviation of the log of their usual moves.
        fee: of the value put in, for entry and exit together; a share.
        fee_a_unit: the same of each share or coin; the markets cost 1 to 300 a unit.
        fee_an_order: the same of each trip; trips are of 200 to 2,000.
        shape: results that end at `take` or minus `stop`: `direction` exchanges the two for shorts,
            `market` for every second market; empty for results that follow the market.
        sizes: of orders: `random`, or `wild`: larger where the market is wild.
        at_once: markets that are entered at one moment, in one direction.
        knows_prices: whether the usual moves are known.
        quick_worse: what quick re-entries lose more; a share.
        setup_worse: what shorts after a fall lose more; in usual moves of the time held.
    """

    spread: float = 0.6
    fee: float = 0.0
    fee_a_unit: float = 0.0
    fee_an_order: float = 0.0
    shape: str = ""
    take: float = 0.01
    stop: float = 0.03
    sizes: str = "random"
    at_once: int = 1
    knows_prices: bool = True
    quick_worse: float = 0.0
    setup_worse: float = 0.0


WITHOUT_EDGE: Final[Mapping[str, World]] = {
    "no costs": World(),
    "fees 0.09 % of the value": World(fee=0.0009),
    "fees 0.3 % of the value": World(fee=0.003),
    "fees 0.005 a share": World(fee_a_unit=0.01),
    "fees 1.50 an order": World(fee_an_order=3.0),
    "fees 0.3 %, without prices": World(fee=0.003, knows_prices=False),
    "shorts win little and lose much": World(shape="direction", take=0.03, stop=0.01),
    "shorts win much and lose little": World(shape="direction"),
    "every second market wins little": World(shape="market"),
    "quiet and wild markets": World(spread=1.0),
    "quiet and wild markets, larger when wild": World(spread=1.0, sizes="wild"),
    "quiet and wild, larger when wild, fees": World(spread=1.0, sizes="wild", fee=0.002),
    "three markets at once, fees": World(at_once=3, fee=0.002),
}
PLANTED: Final[Mapping[str, tuple[World, int, str]]] = {
    "quick_2_percent_200": (World(quick_worse=0.02), 200, QUICK),
    "quick_1_percent_200": (World(quick_worse=0.01), 200, QUICK),
    "quick_2_percent_1000": (World(quick_worse=0.02), 1_000, QUICK),
    "quick_1_percent_1000": (World(quick_worse=0.01), 1_000, QUICK),
    "quick_2_percent_fees_1000": (World(quick_worse=0.02, fee=0.003), 1_000, QUICK),
    "setup_half_move_1000": (World(setup_worse=0.5), 1_000, SETUP),
}
SIZES: Final[Mapping[int, int]] = {200: 1, 1_000: 2}
"""Trips of an account, and how many times fewer accounts have so many: they take longer."""

TARGETS: Final = {
    "worlds_above_5_percent": Target(at_most=0),
    "named_holding_zero": Target(at_most=0),
    "named_other_sign": Target(at_most=0),
    "quick_2_percent_1000": Target(at_least=0.95),
    "quick_2_percent_fees_1000": Target(at_least=0.95),
    "quick_1_percent_1000": Target(at_least=0.85),
    "setup_half_move_1000": Target(at_least=0.90),
}


def ask(accounts: int, only: str) -> Answer:
    """Judge accounts of each world."""
    measured: dict[str, float] = {}
    every = Tally()
    above = 0
    for name, world in WITHOUT_EDGE.items():
        for size, fewer in SIZES.items() if only in name else ():
            tally = tally_of(world, size, accounts // fewer, name)
            low, high = wilson_interval(tally.accounts, tally.of)
            above += low > PROMISED
            measured[f"{name}, {size}"] = tally.accounts / tally.of
            note(f"{tally.accounts / tally.of:6.1%} ({low:5.1%} … {high:5.1%})  {name}, {size}:")
            note(f"        {tally.words()}")
            every.join(tally)
    for name, (world, size, key) in PLANTED.items():
        if only not in name:
            continue
        tally = tally_of(world, size, accounts // SIZES[size], name)
        measured[name] = tally.hits[key] / tally.of
        note(f"{measured[name]:6.1%}  {name}: {tally.words()}")
        every.join(tally)
    measured |= {
        "worlds_above_5_percent": above,
        "accounts": every.of,
        "named": every.named,
        "named_holding_zero": every.holding_zero,
        "named_other_sign": every.other_sign,
        "named_other_sign_in_per_cent": every.other_percent,
    }
    targets = {name: target for name, target in TARGETS.items() if name in measured}
    return Answer("trade_names", measured, targets, sizes={"accounts": accounts, "seed": SEED})


@dataclass
class Tally:
    """What reports name, and whether their numbers agree; counts.

    Args:
        of: accounts; `accounts` are those with a named cell.
        holding_zero: named cells, and books, whose printed interval holds zero.
        other_sign: those whose printed difference, or money, has another sign than the test.
        other_percent: those that made more in per cent, and are named as worse; or the reverse.
        hits: accounts by the cells they name.
    """

    of: int = 0
    accounts: int = 0
    named: int = 0
    holding_zero: int = 0
    other_sign: int = 0
    other_percent: int = 0
    hits: Counter[str] = field(default_factory=Counter)

    def add(self, report: TradesReport | None) -> None:
        """Count one report; None names nothing."""
        self.of += 1
        if report is None:
            return
        self.accounts += bool(report.named)
        book = report.book
        if book is not None and book.is_named:
            self.holding_zero += (book.low or 0.0) <= 0 <= (book.high or 0.0)
            self.other_sign += book.score * (book.net_micro_usd or 0) < 0
        for cell in report.named:
            assert cell.difference is not None
            low, high, z = cell.low or 0.0, cell.high or 0.0, cell.z or 0.0
            self.named += 1
            self.holding_zero += low <= 0 <= high
            self.other_sign += min(cell.difference * z, (cell.difference_micro_usd or 0) * z) < 0
            self.other_percent += _in_percent(report, cell) * z < 0
            self.hits[f"{cell.attribute}={cell.value}"] += 1

    def join(self, other: "Tally") -> None:
        """Add what another one counted."""
        self.of += other.of
        self.named += other.named
        self.holding_zero += other.holding_zero
        self.other_sign += other.other_sign
        self.other_percent += other.other_percent

    def words(self) -> str:
        """Return the counts as one line."""
        return (
            f"{self.named} named, {self.holding_zero} hold zero, {self.other_sign} of another sign,"
            f" {self.other_percent} in per cent; {self.hits.most_common(3)}"
        )


def tally_of(world: World, size: int, accounts: int, name: str) -> Tally:
    """Judge accounts of a world, each by a chance of its own."""
    tally = Tally()
    for number in range(accounts):
        tally.add(judged(world, size, Random(f"{SEED} {name} {size} {number}")))
    return tally


def _in_percent(report: TradesReport, cell: Cell) -> float:
    """Return the mean of a cell less that of all other trips with its attribute, in per cent."""
    siblings = [
        one for one in (*report.named, *report.looked_at) if one.attribute == cell.attribute
    ]
    count = sum(one.n_eff for one in siblings) - cell.n_eff
    total = sum(one.n_eff * one.mean for one in siblings) - cell.n_eff * cell.mean
    return cell.mean - total / count


def judged(world: World, size: int, chance: Random) -> TradesReport | None:
    """Return the report on one account of a world, looked at once; None if it names nothing."""
    outcomes = list(made_outcomes(world, size, chance))
    material = material_of(outcomes, UTC, {})
    examined = material.book.examined(FILE_LEVEL)
    if not examined.named and not examined.is_book_named:
        return None
    return report_of(
        material,
        None,
        is_kept=False,
        account=None,
        as_of=None,
        at=outcomes[-1].trip.closed_at,
    )


def made_outcomes(world: World, size: int, chance: Random) -> Iterator[TripOutcome]:
    """Trade without skill: random markets, directions and sizes, held for hours.

    How wild all markets are changes slowly, so that wild trips come in clusters.
    """
    usual = [USUAL * exp(chance.gauss(0, world.spread)) for _ in range(MARKETS)]
    price = [exp(chance.uniform(0, log(300))) for _ in range(MARKETS)]
    at, wild, is_lost, number = BEGIN, 0.0, False, 0
    while number < size:
        wild = 0.97 * wild + chance.gauss(0, 0.12)
        is_quick = is_lost and chance.random() < QUICK_SHARE
        wait = chance.uniform(1, 14) if is_quick else 16 + chance.expovariate(1 / 180)
        at += wait * MINUTE
        is_short, trend = chance.random() < 0.5, chance.choice(TRENDS)
        hours = 0.25 + chance.expovariate(1 / 3)
        common = chance.gauss(0, 1)
        markets = chance.sample(range(MARKETS), world.at_once)
        losses = []
        for market in markets:
            sigma = usual[market] * exp(wild)
            own = (1 - MARKET_SHARE**2) ** 0.5 * _fat(chance)
            move = sigma * hours**0.5 * (MARKET_SHARE * common + own)
            led = sigma * hours**0.5 * MARKET_SHARE * common
            result = -move if is_short else move
            residual = result - (-led if is_short else led)
            if world.shape:
                is_odd = is_short if world.shape == "direction" else market % 2 == 1
                take, stop = (world.stop, world.take) if is_odd else (world.take, world.stop)
                result = take if chance.random() < stop / (take + stop) else -stop
                residual = result
            lost = world.quick_worse * is_quick
            if is_short and trend == "down":
                lost += world.setup_worse * sigma * hours**0.5
            put_in = float(chance.choice((200, 500, 1_000, 2_000)))
            if world.sizes == "wild":
                put_in *= sigma / USUAL
            fees = (
                world.fee * put_in + world.fee_a_unit * put_in / price[market] + world.fee_an_order
            )
            made = _trip(
                number, market, is_short, at, at + hours * timedelta(hours=1), put_in,
                price[market], result - lost, fees,
            )  # fmt: skip
            losses.append(made.net < 0)
            result_ppb = round(made.net / made.notional * PPB) if made.notional else 0
            yield TripOutcome(
                trip=made,
                asset=f"M{market}",
                asset_class="crypto",
                not_in_net=(),
                unknown=(),
                put_in=made.notional,
                result_ppb=result_ppb,
                trend=trend,  # type: ignore[arg-type]
                volatility="low" if wild < -0.2 else "high" if wild > 0.2 else "middle",
                residual_ppb=result_ppb + round((residual - result) * PPB)
                if world.knows_prices
                else None,
                hour_sigma_ppb=round(sigma * PPB) if world.knows_prices else None,
            )
            number += 1
        at += hours * timedelta(hours=1)
        is_lost = losses[-1]


def _fat(chance: Random) -> float:
    """Return a number of deviation 1 with fat tails, as hours of markets have them."""
    return chance.gauss(0, 1) * (2.5 if chance.random() < 0.05 else 0.82)


def _trip(
    number: int,
    market: int,
    is_short: bool,
    opened: datetime,
    closed: datetime,
    put_in: float,
    price: float,
    result: float,
    fees: float,
) -> Trip:
    gross, paid = Decimal(put_in * result).quantize(CENT), Decimal(fees).quantize(CENT)
    return Trip(
        trip_uid=f"{number:032x}",
        venue="binance",
        account="me",
        symbol=f"M{market}USDT",
        kind="perp",
        direction="short" if is_short else "long",
        quote="USDT",
        opened_at=opened,
        closed_at=closed,
        entry_px=Decimal(f"{price:.8f}"),
        exit_px=Decimal(f"{price * (1 + (-result if is_short else result)):.8f}"),
        size=Decimal(f"{put_in / price:.8f}"),
        multiplier=Decimal(1),
        notional=Decimal(put_in).quantize(CENT),
        gross=gross,
        fees=paid,
        other_fees=(),
        funding=None,
        net=gross - paid,
        fills=2,
        losing_adds=0,
        is_incomplete=False,
        is_liquidated=False,
        flags=(),
    )


if __name__ == "__main__":
    answers(
        ask,
        accounts=(int, 300, "accounts of 200 trips of each world; half as many have 1,000"),
        only=(str, "", "part of the names of the worlds to measure; all if empty"),
    )
