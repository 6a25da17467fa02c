"""What a trader's report names where nothing is there: traders without skill on prices that have no
direction, by the shipped trips, labels, scores and report."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC
from pathlib import Path
from typing import Final

import numpy as np

from afterword.pipeline.clock import EPOCH
from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.trades.measure import measure_trips
from afterword.pipeline.domain.trades.model import TradeVerdict, TripOutcome, TripTag
from afterword.pipeline.domain.trades.report import material_of
from afterword.pipeline.domain.trades.verdict_rule import rule_for
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.rules.evidence.habits import FILE_LEVEL, HabitReport
from afterword.pipeline.rules.evidence.rates import wilson_interval
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.trade_fills import cut_trips
from benchmarks.trade_ideas import Trader, ideas, trips_of
from benchmarks.trade_markets import Hours, Market, flipped, read_hours, rising, together
from benchmarks.trades_books import Chance, data_folder

SEED: Final = 20_261_123
SIZES: Final = (200, 1_000)
WEEKS: Final = 104
PROMISED: Final = 0.05
NO_PRICES: Final = PriceBook({})
TAGGED: Final = 0.6
"""Share of the trips that get a tag, of a trader who gives any."""


@dataclass(frozen=True)
class World:
    """A trader, the market, and what the report is given.

    Args:
        market: a name in `MARKETS`.
        file: `whole`; `cut` and `cut, told`: begins and ends in the middle, without and with what
            was held before each fill.
        knows_prices: whether there are any for the report.
        is_kept: looked at every week for two years, by the rule that decides on verdicts.
        differs: attributes whose cells truly differ, or `book`: their names are no errors.
    """

    trader: Trader = field(default_factory=Trader)
    market: str = "flipped"
    file: str = "whole"
    knows_prices: bool = True
    is_kept: bool = False
    differs: frozenset[str] = frozenset()


SMALL_TAKE: Final = Trader(take=0.01, stop=0.03, hours=24, slots=3)
SMALL_STOP: Final = Trader(take=0.03, stop=0.01, hours=24, slots=3)
NO_STOP: Final = Trader(take=0.01, hours=24, slots=3)
DOWN: Final = Trader(adds=4, add_at=-0.01, slots=2, hours=8)
DOWN_TO_1: Final = Trader(adds=4, add_at=-0.01, take=0.01, slots=2, hours=24)
PYRAMIDS: Final = Trader(adds=4, add_at=0.01, slots=2, hours=8)
MARTINGALE: Final = Trader(size="martingale", again=0.3)
FIVE: Final = Trader(accounts=5, slots=5)
BASKETS: Final = Trader(basket=4, hours=12, slots=3)

MARKETS: Final[Mapping[str, Callable[[Hours, Chance], Market]]] = {
    "flipped": flipped,
    "together": together,
    "rising": rising,
    "two years": lambda hours, chance: flipped(hours, chance, 3),
}

WORLDS: Final[Mapping[str, World]] = {
    "random": World(),
    "random, 0.09 % costs": World(Trader(fee=0.00045), differs=frozenset({"book"})),
    "half a minute to a day": World(Trader(hours=8)),
    "averages down": World(DOWN),
    "averages down, takes 1 %": World(DOWN_TO_1),
    "pyramids": World(PYRAMIDS),
    "takes 1 %, stops at 3 %": World(SMALL_TAKE),
    "takes 3 %, stops at 1 %": World(SMALL_STOP),
    "takes 1 %, no stop": World(NO_STOP),
    "longs 1:3, shorts 3:1": World(
        Trader(take=0.01, stop=0.03, hours=24, slots=3, shape="direction")
    ),
    "coins 1:3 and 3:1": World(Trader(take=0.01, stop=0.03, hours=24, slots=3, shape="coin")),
    "hours 1:3 and 3:1": World(Trader(take=0.01, stop=0.03, hours=24, slots=3, shape="hour")),
    "back after a loss": World(Trader(again=0.5)),
    "back after a loss, stops at 1 %": World(
        Trader(again=0.6, stop=0.01, take=0.03, hours=12, slots=2)
    ),
    "martingale": World(MARTINGALE),
    "at certain hours": World(Trader(at_hours=(7, 8, 13, 14, 15, 20))),
    "baskets of 5 coins": World(Trader(basket=5, hours=6)),
    "baskets, 3 slots": World(BASKETS),
    "four fills an idea": World(Trader(lots=4)),
    "two venues": World(Trader(fee_far=0.0)),
    "larger in wild times": World(Trader(size="volatility")),
    "tags at the entry": World(Trader(tags=8)),
    "one coin dominates": World(Trader(favourite=0.8)),
    "always long": World(Trader(long=1.0)),
    "five accounts": World(FIVE),
    "five accounts, 1:3": World(Trader(accounts=5, slots=5, take=0.01, stop=0.03, hours=24)),
    "coins as one: random": World(Trader(slots=3), "together"),
    "coins as one: baskets of 5": World(Trader(basket=5, hours=6), "together"),
    "coins as one: baskets, 3 slots": World(BASKETS, "together"),
    "coins as one: averages down": World(DOWN, "together"),
    "coins as one: five accounts": World(FIVE, "together"),
    "rising, always long": World(Trader(long=1.0), "rising"),
    "rising, always long, 5 slots, 1 day": World(Trader(long=1.0, hours=24, slots=5), "rising"),
    "rising, always long, 1:3": World(
        Trader(long=1.0, take=0.01, stop=0.03, hours=24, slots=3), "rising"
    ),
    "without prices": World(knows_prices=False),
    "without prices, 1:3": World(SMALL_TAKE, knows_prices=False),
    "without prices, 3:1": World(SMALL_STOP, knows_prices=False),
    "without prices, averages down": World(DOWN, knows_prices=False),
    "without prices, pyramids": World(PYRAMIDS, knows_prices=False),
    "without prices, martingale": World(MARTINGALE, knows_prices=False),
    "without prices, coins as one": World(BASKETS, "together", knows_prices=False),
    "cut: random": World(file="cut"),
    "cut: averages down": World(DOWN, file="cut"),
    "cut: 1:3": World(SMALL_TAKE, file="cut"),
    "cut: pyramids, without prices": World(PYRAMIDS, file="cut", knows_prices=False),
    "cut, positions told: random": World(file="cut, told"),
    "cut, positions told: averages down": World(DOWN, file="cut, told"),
    "cut, positions told: 1:3": World(SMALL_TAKE, file="cut, told"),
    "kept: random": World(market="two years", is_kept=True),
    "kept: 1:3": World(SMALL_TAKE, "two years", is_kept=True),
    "kept: averages down": World(DOWN, "two years", is_kept=True),
    "kept: baskets, 3 slots": World(BASKETS, "two years", is_kept=True),
    "kept: without prices": World(market="two years", knows_prices=False, is_kept=True),
}
"""Nothing is to be found in any of them, but what `differs` says."""


def ask(path: Path, accounts: int, only: str) -> Answer:
    """Measure how many reports name anything in each world."""
    wanted = only.split(";") if only else list(WORLDS)
    measured = world_shares(path, accounts, wanted)
    targets = {"worlds_above_5_percent": Target(at_most=0)}
    return Answer("trade_worlds", measured, targets, sizes={"accounts": accounts, "seed": SEED})


def world_shares(path: Path, accounts: int, wanted: Sequence[str]) -> dict[str, float]:
    """Return of each world and size the share of reports that name anything.

    Args:
        accounts: of each world and size, each on prices of its own.
        wanted: names of worlds.
    """
    hours = read_hours(path / "ohlcv")
    measured: dict[str, float] = {}
    above = 0
    for kind, market_of in MARKETS.items():
        tallies = {
            (name, size): _Tally()
            for name in wanted
            for size in SIZES
            if WORLDS[name].market == kind
        }
        for account in range(accounts if tallies else 0):
            market = market_of(hours, np.random.default_rng([SEED, account]))
            for (name, size), tally in tallies.items():
                chance = np.random.default_rng([SEED, account, size, *name.encode()])
                tally.add(WORLDS[name], reports(name, market, size, chance))
        for (name, size), tally in tallies.items():
            low, high = wilson_interval(tally.named, accounts)
            above += low > PROMISED
            measured[f"{name}, {size}"] = tally.named / accounts
            note(
                f"{tally.named / accounts:6.1%} ({low:5.1%} … {high:5.1%})  {name}, {size}:"
                f" cells {tally.cells}, book {tally.books} ({tally.up} up),"
                f" {tally.stretches // max(1, tally.looks)} stretches {tally.names.most_common(3)}"
            )
    return measured | {"worlds": len(measured), "worlds_above_5_percent": above}


class _Tally:
    """What the reports of one world and size named; counts of accounts."""

    def __init__(self) -> None:
        self.named = self.cells = self.books = self.up = self.looks = self.stretches = 0
        self.names: Counter[str] = Counter()

    def add(self, world: World, found: Sequence[HabitReport]) -> None:
        """Count the looks at one account."""
        cells = [one for report in found for one in report.named]
        cells = [one for one in cells if one.attribute not in world.differs]
        books = [one.book for one in found if one.book and one.is_book_named]
        self.named += bool(cells or (books and "book" not in world.differs))
        self.cells += bool(cells)
        self.books += bool(books)
        self.up += any(one.z > 0 for one in books)
        self.looks += len(found)
        self.stretches += sum(one.stretches for one in found)
        self.names.update(f"{one.attribute}={one.value}" for one in cells[:1])


def reports(name: str, market: Market, size: int, chance: Chance) -> list[HabitReport]:
    """Let an account of a world trade, and return what the looks at it name: one, or all of two
    years."""
    world = WORLDS[name]
    found = ideas(world.trader, market, size, chance)
    if world.file == "whole":
        trips = trips_of(world.trader, found)
    else:
        trips = cut_trips(found, chance, tells_positions=world.file == "cut, told")
    book = market.book if world.knows_prices else NO_PRICES
    outcomes = measure_trips(book, trips, market.last)
    if world.is_kept:
        return _weekly(outcomes, market)
    material = material_of(outcomes, UTC, _tags(world.trader, trips, chance))
    return [material.book.examined(FILE_LEVEL)]


def _tags(trader: Trader, trips: Sequence[Trip], chance: Chance) -> dict[str, list[TripTag]]:
    """Return tags that were given at the entries, by chance."""
    if not trader.tags:
        return {}
    return {
        trip.trip_uid: [
            TripTag(
                trip_uid=trip.trip_uid,
                tag=f"t{int(chance.integers(trader.tags))}",
                origin="owner",
                known_at=trip.opened_at,
            )
        ]
        for trip in trips
        if trip.opened_at and chance.random() < TAGGED
    }


def _weekly(outcomes: Sequence[TripOutcome], market: Market) -> list[HabitReport]:
    """Return the verdicts of two years of weekly looks."""
    found: list[HabitReport] = []
    last: TradeVerdict | None = None
    for week in range(1, WEEKS + 1):
        until = market.first + week * (market.last - market.first) / WEEKS
        known = [one for one in outcomes if one.trip.closed_at <= until]
        if not rule_for(True, len(known), last).is_due:
            continue  # there are no more stretches than trips
        book = material_of(known, UTC, {}).book
        rule = rule_for(True, len(book.stretches), last)
        if rule.is_due:
            found.append(book.examined(rule.level))
            last = verdict_on(found[-1])
    return found


def verdict_on(report: HabitReport) -> TradeVerdict:
    """Return what is kept of a verdict, as far as the next one depends on it."""
    return TradeVerdict(
        id=1,
        account=None,
        known_at=EPOCH,
        trips=report.trips,
        stretches=report.stretches,
        level=report.level,
        tried=report.tried,
        named=(),
        book=None,
    )


if __name__ == "__main__":
    answers(
        ask,
        path=(Path, data_folder(), "folder of real data with `ohlcv/`"),
        accounts=(int, 200, "accounts of each world and size"),
        only=(str, "", "worlds to measure, with semicolons between; all if empty"),
    )
