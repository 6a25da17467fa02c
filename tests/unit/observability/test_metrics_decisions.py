"""What an operator sees of decisions is what the table says, at a cost that does not grow."""

from collections import Counter
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, generate_latest
from sqlalchemy import text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store, Stores, reading, writing
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.migrate import migrate
from afterword.pipeline.core.telemetry.numbers import OTHER, Values
from afterword.pipeline.domain.decisions import read_rows, settle_rows
from afterword.pipeline.domain.decisions.area import AREA
from afterword.pipeline.domain.decisions.measure_outcomes import measure_due
from afterword.pipeline.domain.decisions.metrics import MOST_REASON_LABELS, DecisionNumbers
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.outcomes.model import LADDER_HOURS
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.reflection.reflect import reflect_role
from afterword.pipeline.domain.skills import PriceDelta, RoleRegistry
from afterword.pipeline.domain.skills.labels import MOST_ROLES, NO_SKILL, OTHER_ROLES
from afterword.pipeline.errors import UnavailableError
from afterword.pipeline.gateway.llm import UnusableAnswerError
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.roles import (
    HOUR,
    ScriptedDecisionJudge,
    book,
    jagged,
    role_of,
    saying,
    skill_of,
)
from afterword.workers.observability.cached import CachedSource
from afterword.workers.observability.ledger import LedgerSource

ROLE = "desk.calls"
REGISTRY = RoleRegistry([skill_of(role_of())])
WAYS = "role_id, state, reason, outcome, classification, classified_by"
AGE_H = 100
"""How long ago decisions are made here; their role waits for a day."""


@pytest.fixture
def source(stores: Stores, clock: ManualClock) -> Callable[..., LedgerSource]:
    def build(registry: RoleRegistry = REGISTRY) -> LedgerSource:
        declared = [DecisionNumbers(SimpleNamespace(roles=registry))]
        return LedgerSource(stores, (), lambda kind: kind, declared, clock, lambda: 0.0)

    return build


@pytest.fixture
def record(store: Store, clock: ManualClock, ids: Any) -> Callable[..., str]:
    """Record a decision of some hours ago in a store, and return its uid."""

    def one(
        direction: str = "long",
        role_id: str = ROLE,
        registry: RoleRegistry = REGISTRY,
        into: Store = store,
        asset: str | None = "SOL",
        age_h: float = AGE_H,
    ) -> str:
        made_at = clock() - age_h * HOUR
        new = NewDecision(role_id, "a call", asset=asset, direction=direction, decided_at=made_at)  # type: ignore[arg-type]  # a test's word
        return record_decision(into, registry, new, clock, ids).uid

    return one


@pytest.fixture
def reflect(store: Store, clock: ManualClock) -> Callable[..., None]:
    """Reflect on what is ripe; the market fell by 5 % in the hour after the decision."""

    def run(
        judge: Any = None,
        into: Store = store,
        prices: bool = True,
        before_h: int = 200,
        again: bool = False,
    ) -> None:
        closes = jagged(before_h, [-0.05, *[0.0] * 98]) if prices else []
        market = book("SOLUSDT", clock() - (AGE_H + before_h) * HOUR, closes)
        reflector = Reflector(
            into, REGISTRY, judge or saying("logic_error"), lambda _: market, clock
        )
        reflect_role(reflector, ROLE, parked=again)

    return run


def shown(numbers: dict[str, Values], name: str) -> dict[tuple[str, ...], float]:
    """Return a metric's numbers that are not 0."""
    return {label: number for label, number in numbers[f"afterword_role_{name}"].items() if number}


def recount(store: Store) -> Counter[tuple[str, ...]]:
    """Return what the table of decisions itself says of how they stand."""
    with reading(store) as conn:
        found = conn.execute(text(f"SELECT {WAYS} FROM role_memory")).all()
    return Counter(
        (row.role_id, row.state, row.reason or "", *(word or "" for word in row[3:]))
        if row.state == "reflected"
        else (row.role_id, row.state, row.reason or "", "", "", "")
        for row in found
    )


def kept(store: Store) -> dict[tuple[str, ...], int]:
    """Return what the counts say."""
    with reading(store) as conn:
        found = conn.execute(text(f"SELECT {WAYS}, decisions FROM role_stats")).all()
    return {tuple(row[:-1]): row.decisions for row in found if row.decisions}


def test_decisions_are_shown_by_role_and_state_and_totals_by_what_was_said(source, record, reflect):
    for direction in ("long", "long", "short"):
        record(direction)
    reflect()
    record(age_h=1)
    numbers = source()()

    assert shown(numbers, "decisions") == {(ROLE, "reflected"): 3, (ROLE, "pending"): 1}
    assert shown(numbers, "reflected_total") == {
        ("wrong", "logic_error", "model"): 2,
        ("right", "", "probe"): 1,
    }
    assert shown(numbers, "lessons_total") == {("model",): 2}
    assert shown(numbers, "oldest_ripe_age_seconds") == {}


def test_what_is_parked_is_shown_with_its_reason_and_told_once(source, record, reflect, clock):
    record()
    reflect(prices=False)
    clock.advance(hours=7)
    reflect(prices=False)
    numbers = source()()

    assert shown(numbers, "decisions") == {(ROLE, "parked"): 1}
    assert shown(numbers, "decisions_parked") == {(ROLE, "no price"): 1}
    assert shown(numbers, "parked_total") == {("no price",): 1}


def test_what_left_the_park_is_parked_no_more_but_was(source, record, reflect, clock):
    record()
    reflect(prices=False)
    clock.advance(days=60)
    reflect()
    numbers = source()()

    assert shown(numbers, "decisions") == {(ROLE, "skipped"): 1}
    assert shown(numbers, "decisions_parked") == {}
    assert shown(numbers, "parked_total") == {("no price",): 1}
    assert shown(numbers, "skipped_total") == {("too old, no price",): 1}


def test_the_age_is_that_of_the_oldest_nobody_judged_and_grows_without_a_write(
    source, record, reflect, clock
):
    record(age_h=1)
    record(age_h=30)
    one = source()
    ages = []
    for _ in range(3):
        ages.append(one()["afterword_role_oldest_ripe_age_seconds"][ROLE,])
        clock.advance(hours=1)

    assert ages == [6 * 3600, 7 * 3600, 8 * 3600]


def test_a_question_that_fails_again_and_again_is_no_progress(source, record, reflect, clock):
    def nobody_answers(_case: object) -> None:
        raise UnavailableError("the model does not answer")

    record()
    for _ in range(3):
        reflect(ScriptedDecisionJudge(nobody_answers))  # type: ignore[arg-type]  # it always raises
        clock.advance(hours=2)
    numbers = source()()

    assert shown(numbers, "decisions") == {(ROLE, "pending"): 1}
    assert shown(numbers, "oldest_ripe_age_seconds") == {(ROLE,): (AGE_H - 24 + 6) * 3600}


def test_what_is_forgotten_is_gone_but_was_learned_from(source, store, record, reflect, clock):
    for _ in range(3):
        record()
    reflect()
    record()
    clock.advance(days=60)
    reflect()
    with writing(store) as conn:
        conn.execute(text("DELETE FROM role_memory WHERE id IN (1, 4)"))
    numbers = source()()

    assert shown(numbers, "decisions") == {(ROLE, "reflected"): 2}
    assert shown(numbers, "reflected_total") == {("wrong", "logic_error", "model"): 3}
    assert shown(numbers, "lessons_total") == {("model",): 3}
    assert shown(numbers, "skipped_total") == {("too old",): 1}


def test_what_nobody_could_know_leaves_no_lesson(source, record, reflect):
    record()
    reflect(saying("exogenous"))
    numbers = source()()

    assert shown(numbers, "reflected_total") == {("wrong", "exogenous", "model"): 1}
    assert shown(numbers, "lessons_total") == {}


def test_a_decision_that_is_parked_for_another_reason_is_counted_there(source, record, reflect):
    record()
    reflect(prices=False)
    reflect(before_h=2, again=True)
    numbers = source()()

    assert shown(numbers, "decisions_parked") == {(ROLE, "too little history"): 1}
    assert shown(numbers, "parked_total") == {("no price",): 1, ("too little history",): 1}


def test_totals_are_those_of_the_files_and_groups_are_summed(
    source, stores, store, record, reflect
):
    other = stores.group("other", create=True)
    record()
    record(into=other)
    reflect()
    reflect(into=other)
    one = source()
    before = shown(one(), "reflected_total")
    stores.close()
    for file in (stores.home / "groups").glob("other.sqlite*"):
        file.unlink()

    assert before == {("wrong", "logic_error", "model"): 2}
    assert shown(one(), "reflected_total") == before
    assert shown(one(), "decisions") == {(ROLE, "reflected"): 1}
    assert shown(source()(), "reflected_total") == {("wrong", "logic_error", "model"): 1}


def test_a_transaction_that_fails_counts_nothing(store, record, clock):
    record()
    with pytest.raises(RuntimeError), writing(store) as conn:
        settle_rows.skip(conn, {1: to_micros(clock())}, "too old")
        raise RuntimeError

    assert kept(store) == recount(store) == {(ROLE, "pending", "", "", "", ""): 1}


def test_roles_no_skill_declares_any_more_are_one_series(source, record):
    record()
    numbers = source(RoleRegistry([]))()

    assert shown(numbers, "decisions") == {(NO_SKILL, "pending"): 1}
    assert shown(numbers, "oldest_ripe_age_seconds") == {}


def test_a_thousand_roles_are_a_hundred_series_and_hide_no_age(source, record):
    registry = RoleRegistry([skill_of(*(role_of(f"desk.r{i:03}") for i in range(1_000)))])
    for role_id in ("desk.r000", "desk.r500", "desk.r999"):
        record(role_id=role_id, registry=registry)
    numbers = source(registry)()

    assert len(numbers["afterword_role_decisions"]) == (MOST_ROLES + 2) * 4
    assert shown(numbers, "decisions") == {
        ("desk.r000", "pending"): 1,
        (OTHER_ROLES, "pending"): 2,
    }
    assert shown(numbers, "oldest_ripe_age_seconds")[OTHER_ROLES,] == (AGE_H - 24) * 3600


def test_a_file_of_hostile_names_makes_no_series_of_its_own(source, store, clock):
    names = [f'r{i}"}}\n# HELP x\\' for i in range(MOST_REASON_LABELS + 50)]
    with writing(store) as conn:
        for name in names:
            conn.execute(
                text(
                    "INSERT INTO role_stats VALUES (:name, 'parked', :name, '', '', '', 1, 1),"
                    " (:name, 'skipped', :name, '', '', '', 1, 1)"
                ),
                {"name": name},
            )
    registry = CollectorRegistry()
    registry.register(CachedSource("ledger", source(), lambda: 0.0))
    lines = generate_latest(registry).decode().splitlines()
    parked = [line for line in lines if line.startswith("afterword_role_decisions_parked{")]

    assert len(parked) == MOST_REASON_LABELS + 1
    assert f'afterword_role_decisions_parked{{reason="{OTHER}",role="{NO_SKILL}"}} 50.0' in parked
    assert f'afterword_role_skipped_total{{reason="{OTHER}"}} 50.0' in lines
    assert all(line.startswith(("#", "afterword_")) for line in lines)


def test_every_metric_of_decisions_is_there_before_anything_was_decided(source, store):
    numbers = source()()

    assert {one.name for one in AREA.metrics} <= numbers.keys()
    assert numbers["afterword_role_reflected_total"]["wrong", "logic_error", "heuristic"] == 0
    assert numbers["afterword_role_decisions"][ROLE, "parked"] == 0


def test_no_question_of_a_scrape_reads_the_table_of_decisions(store, record):
    record()
    with reading(store) as conn:
        plans = [
            step[3]
            for query in (read_rows._STATS, read_rows._OLDEST_PENDING, read_rows._COUNTS)
            for step in conn.execute(text(f"EXPLAIN QUERY PLAN {query}"), {"role_id": ROLE})
        ]

    assert [step for step in plans if "role_memory" in step] == [
        "SEARCH role_memory USING INDEX role_memory_ripening (role_id=?)",
        "SEARCH role_memory USING INDEX role_memory_asked_again (role_id=?)",
    ]


def test_decisions_of_an_older_file_are_counted_when_it_is_brought_forward(tmp_path):
    conn = dbapi.connect(str(tmp_path / "file"), isolation_level=None)
    migrate(conn, "group", 13)
    conn.executescript(
        """
        INSERT INTO role_memory (uid, role_id, skill_id, origin, decision, direction, decided_at,
          known_at, state_at, state, reason, outcome, measured, classification, narrative,
          classified_by, classified_at, reflected_at)
        VALUES
          ('a', 'r', 'r', 'agent', 'd', 'long', 1, 1, 1, 'pending', NULL,
            'wrong', '{}', 'exogenous', 'n', 'm', 1, NULL),
          ('b', 'r', 'r', 'agent', 'd', 'long', 1, 1, 1, 'parked', 'no price',
            NULL, NULL, NULL, NULL, NULL, NULL, NULL),
          ('c', 'r', 'r', 'agent', 'd', 'long', 1, 1, 1, 'reflected', NULL,
            'right', '{}', NULL, 'n', 'probe', 1, 1);
        """
    )
    migrate(conn, "group")
    found = conn.execute("SELECT * FROM role_stats ORDER BY state").fetchall()
    conn.close()

    assert found == [
        ("r", "parked", "no price", "", "", "", 1, 1),
        ("r", "pending", "", "", "", "", 1, 3),
        ("r", "reflected", "", "right", "", "probe", 1, 1),
    ]


STEPS = st.lists(
    st.sampled_from(["record", "reflect", "park", "thin", "fail", "old", "forget"]), max_size=12
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(STEPS, st.integers(0, 10))
def test_whatever_happens_the_counts_are_those_of_the_table(
    stores, clock, ids, record, reflect, steps, seed
):
    store = stores.group(f"g{ids()[:20]}", create=True)

    def unusable(_case: object) -> None:
        raise UnusableAnswerError("no form")

    for number, step in enumerate(steps):
        match step:
            case "record":
                record(("long", "short", "neutral")[(seed + number) % 3], into=store)
            case "reflect":
                reflect(into=store)
            case "park":
                reflect(into=store, prices=False)
            case "thin":
                reflect(into=store, before_h=2, again=True)
            case "fail":
                reflect(ScriptedDecisionJudge(unusable), into=store)  # type: ignore[arg-type]
                clock.advance(hours=1)
            case "old":
                clock.advance(days=20)
            case "forget":
                with writing(store) as conn:
                    conn.execute(
                        text("DELETE FROM role_memory WHERE id % 3 = :of"), {"of": seed % 3}
                    )
    assert kept(store) == dict(recount(store))


def test_outcomes_are_counted_by_window_and_those_without_prices_apart(
    source: Callable[..., LedgerSource],
    store: Store,
    clock: ManualClock,
    record: Callable[..., str],
):
    age_h = 200
    record(age_h=age_h), record(asset="ETH", age_h=age_h)
    numbers = source()()
    # A day is the window of their role, which its reflection measures; the next one is a week.
    assert numbers["afterword_outcome_oldest_due_age_seconds"] == {(): (age_h - 168) * 3_600}

    prices = book("SOLUSDT", clock() - (age_h + 200) * HOUR, jagged(200, [0.0] * age_h))
    registry = RoleRegistry([skill_of(role_of("desk.other", PriceDelta(48), min_age_hours=48))])
    measure_due(store, registry, lambda _: prices, clock, lambda *_: None)

    numbers = source()()
    ladder = {(str(hours),): 0 for hours in LADDER_HOURS}
    assert numbers["afterword_outcomes_measured_total"] == ladder | {
        ("24",): 1,
        ("168",): 1,
        ("other",): 0,
    }
    assert numbers["afterword_outcomes_missing"] == {(): 1}
    assert numbers["afterword_outcome_oldest_due_age_seconds"] == {(): 0}
