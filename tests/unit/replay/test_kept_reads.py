"""What a replay keeps between its passes changes no row: with it, and without, all are equal."""

from dataclasses import dataclass, field, replace
from datetime import timedelta
from decimal import Decimal
from random import Random

import pytest

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import StoreOptions, Stores, reading, writing
from afterword.pipeline.domain.decisions.mark import mark_decision
from afterword.pipeline.domain.decisions.measure_outcomes import measure_due
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import insert, prepare
from afterword.pipeline.domain.outcomes.measure import KeptMeasurers, OutcomeMeasurers
from afterword.pipeline.domain.outcomes.probes import PeerRelative
from afterword.pipeline.domain.patterns.kept import KeptNews
from afterword.pipeline.domain.patterns.weigh import news_of, weigh_patterns
from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.reflection.heuristic import HeuristicJudge
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.reflection.reflect import reflect_role
from afterword.pipeline.domain.reflection.setup_walk import SetupWalk
from afterword.pipeline.domain.skills import PriceDelta, RoleRegistry
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.roles import HOUR, role_of, skill_of

CALLS = role_of("desk.calls")
SLOW = role_of("desk.slow", PriceDelta(168), min_age_hours=168)
BESIDE = role_of("desk.beside", PeerRelative(24, peers=("ETH", "BTC")))
IMPATIENT = role_of("desk.impatient", max_age_hours=30)
REGISTRY = RoleRegistry([skill_of(CALLS, SLOW, BESIDE, IMPATIENT)])
FIRST = 240
DAYS = 92
TURN = 52
"""The day from which a rise goes on."""
TABLES = (
    *("role_memory", "outcomes", "outcome_stats", "role_stats", "judge_evidence"),
    *("role_patterns", "role_weighings", "audit_log"),
)


@pytest.fixture(scope="module")
def prices():
    """Return made prices: of one asset some days are missing, and another one ends early."""
    chance, bars, start = Random(1), {}, ManualClock()()
    for asset in ("BTC", "ETH", "SOL"):
        series = Series("test", f"{asset}USDT", HOUR)
        closes = waves(DAYS) if asset == "SOL" else walk(chance, FIRST + 24 * DAYS)
        bars[series] = [
            bar(start + hour * HOUR, close)
            for hour, close in enumerate(closes)
            if not (asset == "ETH" and (500 <= hour % 1_000 < 560 or hour > 2_100))
        ]
    return PriceBook(bars)


def bar(t_open, close):
    price = Decimal(f"{close:.6f}")
    return Bar(t_open, HOUR, price, price, price, price, Decimal(0))


def walk(chance, hours):
    closes = [100.0]
    for _ in range(hours - 1):
        closes.append(closes[-1] * (1 + chance.gauss(0, 0.005)))
    return closes


def waves(days):
    """Return closes that rise one day and fall the next, and later only rise."""
    closes = [100.0 * (1.01 if hour % 2 else 1.0) for hour in range(FIRST)]
    for day in range(days):
        is_up = day % 2 == 0 or day >= TURN
        for hour in range(24):
            step = 0.00125 if is_up else -0.00125
            closes.append(closes[-1] * (1 + step + (0.0005 if hour % 2 else -0.0005)))
    return closes


def made_decisions(start):
    """Return decisions of all roles by hour: one role buys after each rise, the others guess."""
    chance, found, uids = Random(2), {}, seeded_uids(3)
    for hour in range(FIRST, FIRST + 24 * (DAYS - 3), 6):
        at = start + hour * HOUR
        for role in (CALLS, SLOW, BESIDE, IMPATIENT):
            asset = "SOL" if role is BESIDE else chance.choice(("BTC", "ETH", "SOL"))
            direction = chance.choice(("long", "short", "neutral"))
            if role is CALLS:
                asset, direction = "SOL", "long"
                day, of_day = divmod(hour - FIRST, 24)
                if of_day or (day < TURN and day % 2 == 0):
                    continue
            elif chance.random() < 0.6:
                continue
            plan = {}
            if direction == "long" and chance.random() < 0.3:
                plan = {"stop_price": "70", "target_price": Decimal(130), "size_usd": 500}
            new = NewDecision(role.id, f"{direction} {asset}", asset=asset, direction=direction)
            new = replace(new, decided_at=at, key=f"{role.id} {hour}", **plan)
            row = replace(prepare(REGISTRY, new), uid=uids(), known_at=to_micros(at))
            found.setdefault(hour, []).append(row)
    return found


@dataclass
class Passes:
    """Runs passes as a replay does, with what it keeps or without."""

    home: object
    prices: PriceBook
    is_kept: bool
    clock: ManualClock = field(default_factory=ManualClock)

    def __post_init__(self):
        self.stores = Stores(self.home, StoreOptions("OFF"), self.clock, seeded_uids(1))
        self.store = self.stores.group("main", create=True)
        self.measurers_of = KeptMeasurers() if self.is_kept else OutcomeMeasurers
        self.news = KeptNews() if self.is_kept else news_of
        self.walks = {role.id: SetupWalk() for role in REGISTRY}

    def run(self):
        start = self.clock()
        waiting = made_decisions(start)
        for hour in range(FIRST + 6, FIRST + 24 * DAYS, 6):
            self.clock.set(start + hour * HOUR + timedelta(minutes=30))
            if new := [row for at in sorted(waiting) if at < hour for row in waiting.pop(at)]:
                with writing(self.store) as conn:
                    insert(conn, REGISTRY, new, self.clock(), actor="system", begins_jobs=False)
            if hour % 90 == 0:
                self.mark()
            self.one_pass()

    def one_pass(self):
        source = lambda _: self.prices  # noqa: E731 - as a replay hands it in
        measure_due(
            self.store,
            REGISTRY,
            source,
            self.clock,
            lambda *_: None,
            measurers_of=self.measurers_of,
        )
        for role in REGISTRY:
            walk = self.walks[role.id] if self.is_kept else SetupWalk()
            reflector = Reflector(
                self.store,
                REGISTRY,
                HeuristicJudge(),
                source,
                self.clock,
                standings=walk,
                measurers_of=self.measurers_of,
            )
            reflect_role(reflector, role.id)
        weigh_patterns(self.store, REGISTRY, self.clock(), news=self.news)

    def mark(self):
        with reading(self.store) as conn:
            query = "SELECT max(id) FROM role_memory WHERE state = 'pending' AND mark IS NULL"
            row_id = conn.exec_driver_sql(query).scalar()
        if row_id is not None:
            mark_decision(self.store, REGISTRY, row_id, "wrong", "I said no.", self.clock)

    def rows(self, table):
        with reading(self.store) as conn:
            return [tuple(row) for row in conn.exec_driver_sql(f"SELECT * FROM {table} ORDER BY 1")]


def test_all_rows_are_equal_with_what_is_kept_and_without(tmp_path, prices):
    kept, plain = (Passes(tmp_path / f"{one}", prices, is_kept=one) for one in (True, False))
    for one in (kept, plain):
        one.run()

    for table in TABLES:
        assert kept.rows(table) == plain.rows(table), table
    states = {state for (state,) in select(kept, "SELECT DISTINCT state FROM role_patterns")}
    assert states >= {"confirmed", "retired"}
    assert len(select(kept, "SELECT 1 FROM role_memory WHERE lesson IS NOT NULL")) > 5
    assert select(kept, "SELECT 1 FROM role_memory WHERE lesson_superseded_at IS NOT NULL")
    assert select(kept, "SELECT 1 FROM role_memory WHERE mark IS NOT NULL AND lesson IS NULL")
    assert select(kept, "SELECT 1 FROM role_memory WHERE state = 'skipped'")
    assert select(kept, "SELECT 1 FROM outcomes WHERE plan = 'target_first'")
    for one in (kept, plain):
        one.stores.close()


def select(one, query):
    with reading(one.store) as conn:
        return conn.exec_driver_sql(query).all()
