"""Made markets, and decisions on them: by chance, or by a rule that always goes wrong."""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import NamedTuple

from afterword.pipeline.core.store import StoreOptions, Stores, reading
from afterword.pipeline.domain.decisions.measure_outcomes import measure_due
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import record_decisions
from afterword.pipeline.domain.outcomes.evidence import PostHoc, RefetchSource
from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.reflection.heuristic import HeuristicJudge
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.skills import Role, RoleRegistry
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.operations.loop.reflect_now import reflect_now
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.roles import HOUR, book, role_of, skill_of

FIRST = 240
"""Hours of prices before the first decision."""

ROLE = "desk.calls"


def role_with_prices():
    """Return a role that asks for prices again, as a source of post-hoc evidence."""
    role = role_of(max_age_hours=50_000)
    policy = replace(role.reflection_policy, post_hoc_probes=(RefetchSource("get_price"),))
    return replace(role, reflection_policy=policy)


class Call(NamedTuple):
    """A decision of a made world."""

    hour: int
    asset: str
    direction: str


class World:
    """One installation with made prices; its clock stands long after the last decision.

    Its prices may go on beyond the clock: nothing may look at those.
    """

    def __init__(
        self,
        home: Path,
        closes: dict[str, list[float]],
        role: Role | None = None,
        post_hoc: PostHoc | None = None,
    ) -> None:
        self.clock = ManualClock()
        self.start = self.clock()
        self.clock.advance(hours=max(map(len, closes.values())) + 1)
        self.stores = Stores(home, StoreOptions("OFF"), self.clock, seeded_uids(1))
        self.store, self._ids = self.stores.group("main", create=True), seeded_uids(2)
        self.registry = RoleRegistry([skill_of(role or role_with_prices())], post_hoc=post_hoc)
        self.closes = closes
        self.prices = self.prices_of(list(closes))

    def prices_of(self, assets: list[str]) -> PriceBook:
        """Return the prices of some assets."""
        bars, end = {}, self.start + 10_000 * HOUR
        for asset in assets:
            made = book(f"{asset}USDT", self.start, self.closes[asset])
            (series,) = made.series(asset)
            bars[series] = made.bars(series, self.start, end, end)
        return PriceBook(bars)

    def record(self, calls: list[Call]) -> None:
        """Record decisions."""
        news = [
            NewDecision(
                ROLE,
                f"{one.direction} {one.asset} at {one.hour}",
                asset=one.asset,
                direction=one.direction,
                decided_at=self.moment_of(one),
            )
            for one in calls
        ]
        record_decisions(self.store, self.registry, news, self.clock, self._ids)

    def reflect(self) -> None:
        """Reflect on all that is due, as `role reflect` does."""
        reflector = Reflector(
            self.store, self.registry, HeuristicJudge(), lambda _: self.prices, self.clock
        )
        reflect_now(reflector, list(self.registry), lambda *_: None)

    def live_to(self, hour: int, calls: list[Call]) -> None:
        """Live until half past an hour: record the calls of that time, measure, reflect."""
        before = self.clock()
        self.clock.set(self.start + hour * HOUR + timedelta(minutes=30))
        self.record([one for one in calls if before < self.moment_of(one) <= self.clock()])
        self.measure()
        self.reflect()

    def measure(self) -> None:
        """Measure what is due over the windows of the ladder, as its job does."""
        measure_due(self.store, self.registry, lambda _: self.prices, self.clock, lambda *_: None)

    def moment_of(self, call: Call) -> datetime:
        """Return when a call was made."""
        return self.start + call.hour * HOUR + timedelta(minutes=10)

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """Return rows of the store."""
        with reading(self.store) as conn:
            return [tuple(row) for row in conn.exec_driver_sql(query)]


def walk(chance: Random, hours: int) -> list[float]:
    """Return closes that wander by 0.5 % an hour."""
    closes = [100.0]
    for _ in range(hours - 1):
        closes.append(closes[-1] * (1 + chance.gauss(0, 0.005)))
    return closes


def waves(days: int) -> list[float]:
    """Return closes that rise by 3 % in one day and fall in the next, after a jagged start."""
    closes = [100.0 * (1.01 if hour % 2 else 1.0) for hour in range(FIRST)]
    for day in range(days):
        for hour in range(24):
            step = 0.00125 if day % 2 == 0 else -0.00125
            closes.append(closes[-1] * (1 + step + (0.0005 if hour % 2 else -0.0005)))
    return closes


def chasing(days: int, asset: str = "SOL") -> list[Call]:
    """Return longs at the end of each day of rise: every one meets a day of fall."""
    return [Call(FIRST + 24 * (day + 1), asset, "long") for day in range(0, days - 2, 2)]


def flips(chance: Random, hours: int, assets: list[str], count: int) -> list[Call]:
    """Return calls of random directions at random hours, in order of time."""
    calls = [
        Call(
            chance.randrange(FIRST, hours - 30),
            chance.choice(assets),
            chance.choice(("long", "short", "neutral")),
        )
        for _ in range(count)
    ]
    return sorted(calls)
