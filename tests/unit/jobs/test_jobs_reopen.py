"""What waits for a gate goes on when it opens: each gate is asked once, and few are let through."""

from collections import Counter
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from functools import partial

import pytest
from sqlalchemy import text

from afterword.pipeline.core.jobs.add import add_many
from afterword.pipeline.core.jobs.claim import claim, promote
from afterword.pipeline.core.jobs.fail import GATED_PAUSE_S, fail, postpone
from afterword.pipeline.core.jobs.inspect import counts, listing
from afterword.pipeline.core.jobs.lease import Leases, lease
from afterword.pipeline.core.jobs.reopen import (
    _GATES,
    _REOPEN,
    REOPEN_BATCH,
    REOPENED_AT_ONCE,
    awaited_gates,
    reopen_jobs,
)
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.migrate import migrate
from afterword.pipeline.errors import BudgetExceededError, CircuitOpenError, PostponedError
from afterword.pipeline.gateway.budget import Budget, Caps, Purpose
from afterword.pipeline.gateway.http.breaker import Breaker
from afterword.pipeline.gateway.http.circuit import CircuitName
from afterword.pipeline.gateway.http.gates import gates_of, reopen_everywhere
from afterword.pipeline.gateway.http.model import SetupError
from afterword.pipeline.testing.clock import ManualClock
from afterword.workers.testing import NOTE_KIND

MONEY, CIRCUIT = "budget:learning", "circuit:anthropic"
MIDNIGHT = timedelta(hours=24)

Hold = Callable[..., None]


@pytest.fixture
def hold(store: Store, clock: ManualClock) -> Hold:
    """Add jobs that a gate holds, having refused an amount to each; micro-USD."""

    def hold(jobs: int, gate: str | None, asked: int = 0, until: datetime | None = None) -> None:
        with writing(store) as conn:
            add_many(conn, NOTE_KIND, [{}] * jobs, clock())
            ids = [row.id for row in claim(conn, NOTE_KIND.name, jobs, clock())]
            reopens = until or clock() + MIDNIGHT
            postpone(conn, ids, reopens, "closed", clock(), gate=gate, asked_micro_usd=asked)

    return hold


def ready(store: Store) -> int:
    with reading(store) as conn:
        return counts(conn).get((NOTE_KIND.name, "ready"), 0)


def refused(
    store: Store, clock: ManualClock, error: PostponedError, jobs: int = 1, *, new: bool = True
) -> None:
    """Run jobs together that are refused."""
    with writing(store) as conn:
        if new:
            add_many(conn, NOTE_KIND, [{}] * jobs, clock())
        ids = [row.id for row in claim(conn, NOTE_KIND.name, jobs, clock())]
        leases: Leases = lease(conn, ids, "worker", clock, NOTE_KIND)
        fail(conn, leases, NOTE_KIND, error, "", lambda: 0.0)


def spent(asked: int, at: datetime) -> BudgetExceededError:
    return BudgetExceededError("learning is spent", at + MIDNIGHT, MONEY, asked)


def test_while_a_gate_is_closed_nothing_moves(store, clock, hold):
    hold(3, MONEY, asked=10)
    with reading(store) as conn:
        before = listing(conn)

    assert reopen_jobs(store, lambda _gate: 0, clock) == 0
    assert reopen_jobs(store, lambda _gate: None, clock) == 0
    with reading(store) as conn:
        assert listing(conn) == before


def test_what_waits_for_an_open_gate_is_due_now_and_waits_for_nothing(store, clock, hold):
    hold(1, MONEY, asked=10)
    clock.advance(minutes=1)

    assert reopen_jobs(store, lambda _gate: 10, clock) == 1
    with reading(store) as conn:
        (job,) = listing(conn)
        assert awaited_gates(conn) == []
    assert (job.state, job.available_at, job.waits_for) == ("ready", clock(), None)
    assert job.attempts == 0


def test_only_what_waits_for_that_gate_is_let_on(store, clock, hold):
    hold(1, MONEY, asked=10)
    hold(1, CIRCUIT)
    hold(1, None)  # a lock, or the pause before another attempt

    assert reopen_jobs(store, {MONEY: 0, CIRCUIT: 1}.get, clock) == 1
    with reading(store) as conn:
        assert awaited_gates(conn) == [MONEY]


def test_ten_thousand_jobs_are_one_question_and_a_bounded_batch(store, clock, hold):
    hold(10_000, MONEY, asked=1)
    hold(500, CIRCUIT)
    asked: list[str] = []

    def headroom(gate: str) -> int:
        asked.append(gate)
        return 10**9

    assert reopen_jobs(store, headroom, clock) == REOPENED_AT_ONCE + 500
    assert asked == [MONEY, CIRCUIT]
    assert ready(store) == REOPENED_AT_ONCE + 500


def test_a_look_reads_the_index_of_what_is_held_and_no_row(store, hold):
    """One step for each gate, not for each job; and no more rows than are let on."""
    hold(2, MONEY, asked=1)
    values = {"gate": MONEY, "headroom": 1, "now": 0, "limit": 1}
    with reading(store) as conn:
        steps = [row[3] for row in conn.execute(text(f"EXPLAIN QUERY PLAN {_GATES}"))]
        chosen = [row[3] for row in conn.execute(text(f"EXPLAIN QUERY PLAN {_REOPEN}"), values)]

    looked = [step for step in steps if "jobs" in step]
    assert looked and all("COVERING INDEX jobs_held" in step for step in looked)
    assert any("COVERING INDEX jobs_held (gate=? AND asked_micro_usd<?)" in step for step in chosen)
    assert not any("SCAN jobs" in step or "TEMP B-TREE" in step for step in chosen[:3])


def test_as_many_go_on_as_the_room_would_pay_for(store, clock, hold):
    hold(1_000, MONEY, asked=10)

    assert reopen_jobs(store, lambda _gate: 35, clock) == 3
    assert reopen_jobs(store, lambda _gate: 9, clock) == 0
    assert reopen_jobs(store, lambda _gate: 10 * (REOPEN_BATCH + 1), clock) == REOPEN_BATCH + 1


def test_small_questions_do_not_wait_behind_dear_ones(store, clock, hold):
    hold(5, MONEY, asked=1_000)
    hold(REOPEN_BATCH, MONEY, asked=10)
    hold(1, MONEY, asked=7)

    assert reopen_jobs(store, lambda _gate: 17, clock) == 2
    with reading(store) as conn:
        assert [job.id for job in listing(conn, state="ready")] == [6, REOPEN_BATCH + 6]


def test_who_was_let_on_in_vain_is_not_let_on_again(store, clock, hold):
    """The gate in front of a job asks for little; its run then says what it really needs."""
    hold(1, MONEY, asked=1)
    assert reopen_jobs(store, lambda _gate: 50, clock) == 1
    refused(store, clock, spent(60, clock()), new=False)

    assert [reopen_jobs(store, lambda _gate: 50, clock) for _minute in range(5)] == [0] * 5
    assert reopen_jobs(store, lambda _gate: 60, clock) == 1
    with reading(store) as conn:
        (job,) = listing(conn)
    assert job.attempts == 0


def test_of_hundreds_with_room_for_few_nobody_runs_in_vain_twice(store, instance, clock, ids, hold):
    hold(300, MONEY, asked=1)
    budget = Budget(instance, caps(1_000), clock, ids)
    runs: Counter[int] = Counter()
    for _minute in range(120):
        reopen_jobs(store, partial(gates_of(budget, []).headroom, "main"), clock)
        clock.advance(seconds=5)
        while leases := taken(store, clock):
            runs[leases.held[0].id] += 1
            try:
                budget.reserve(Purpose("learning", "main", "t", "m"), 70, ttl_s=86_400)
            except BudgetExceededError as error:
                with writing(store) as conn:
                    fail(conn, leases, NOTE_KIND, error, "", lambda: 0.0)
            else:
                with writing(store, finishing=leases):
                    pass

    with reading(store) as conn:
        left = listing(conn, limit=300)
    assert len(left) == 300 - 1_000 // 70
    assert max(runs.values()) == 1
    assert {(job.state, job.attempts) for job in left} == {("later", 0)}


def taken(store: Store, clock: ManualClock) -> Leases | None:
    """Lease the next job that is ready."""
    with writing(store) as conn:
        ids = [row.id for row in claim(conn, NOTE_KIND.name, 1, clock())]
        return lease(conn, ids, "worker", clock, NOTE_KIND) if ids else None


def test_what_a_job_needs_is_remembered_while_its_gate_asks_for_little(store, clock):
    refused(store, clock, spent(60, clock()))
    reopen_jobs(store, lambda _gate: 60, clock)
    with writing(store) as conn:
        ids = [row.id for row in claim(conn, NOTE_KIND.name, 1, clock())]
        until = clock() + MIDNIGHT
        postpone(conn, ids, until, "closed", clock(), gate=MONEY, asked_micro_usd=1)

    assert reopen_jobs(store, lambda _gate: 59, clock) == 0
    assert reopen_jobs(store, lambda _gate: 60, clock) == 1


def test_each_of_a_batch_needs_room_for_its_share(store, clock):
    refused(store, clock, spent(100, clock()), jobs=8)

    assert reopen_jobs(store, lambda _gate: 26, clock) == 2


def test_a_job_that_is_to_wait_for_something_else_is_not_let_on(store, clock):
    refused(store, clock, CircuitOpenError("left alone", clock() + MIDNIGHT, CIRCUIT))
    reopen_jobs(store, lambda _gate: 1, clock)
    refused(store, clock, CircuitOpenError("left alone", None), new=False)

    assert reopen_jobs(store, lambda _gate: 1, clock) == 0


def test_what_a_person_must_reopen_is_not_asked_by_each_job_again_and_again(store, clock):
    refused(store, clock, BudgetExceededError("stopped", None, MONEY))

    with reading(store) as conn:
        (job,) = listing(conn)
    assert job.available_at == clock() + timedelta(seconds=GATED_PAUSE_S)


def caps(usd: int, groups: dict[str, int] | None = None) -> Caps:
    amounts = dict.fromkeys(("learning", "agent", "workflow", "experiment"), usd)
    return Caps(daily=amounts, monthly=amounts, groups=groups or {})


@pytest.mark.parametrize(
    ("found", "headroom"),
    [(caps(100), 60), (caps(40), 0), (caps(30), 0), (caps(100, {"main": 55}), 15)],
)
def test_a_budget_has_room_for_what_is_left_under_every_cap(instance, clock, ids, found, headroom):
    spending = Budget(instance, caps(100), clock, ids)
    spending.reserve(Purpose("learning", "main", "t", "m"), 40, ttl_s=60)
    budget = Budget(instance, found, clock, ids)

    assert gates_of(budget, []).headroom("main", MONEY) == headroom
    with pytest.raises(BudgetExceededError) as refusal:
        budget.reserve(Purpose("learning", "main", "t", "m"), headroom + 1, ttl_s=60)
    assert (refusal.value.gate, refusal.value.requested_micro_usd) == (MONEY, headroom + 1)
    if headroom:
        budget.reserve(Purpose("learning", "main", "t", "m"), headroom, ttl_s=60)


def test_while_spending_is_stopped_there_is_room_for_nothing(instance, clock, ids):
    budget = Budget(instance, caps(100), clock, ids)
    budget.stop("enough")

    assert budget.headroom("learning", "main") == 0
    with pytest.raises(BudgetExceededError) as refusal:
        budget.check("learning", "main")
    assert refusal.value.gate == MONEY


def test_a_circuit_lets_through_what_it_holds_once_it_is_closed(instance, clock, ids):
    breaker = Breaker(instance, CircuitName("anthropic", "m", "one"), clock, 60)
    gates = gates_of(Budget(instance, caps(0), clock, ids), [breaker])
    assert gates.headroom("main", CIRCUIT)

    with pytest.raises(CircuitOpenError) as held:
        breaker.guard(lambda: (_ for _ in ()).throw(SetupError("a wrong key")))
    assert held.value.gate == CIRCUIT
    assert gates.headroom("main", CIRCUIT) == 0
    breaker.guard(lambda: "well", at_once=True)
    assert gates.headroom("main", CIRCUIT)


@pytest.mark.parametrize("gate", ["circuit:unknown", "budget:gifts", "lock", ""])
def test_a_gate_nobody_can_ask_here_moves_nothing(instance, clock, ids, gate):
    assert gates_of(Budget(instance, caps(100), clock, ids), []).headroom("main", gate) is None


def test_a_damaged_group_keeps_no_other_waiting(stores, store, clock, ids, hold):
    hold(1, MONEY, asked=1)
    bad = stores.group("a_bad_one", create=True)
    stores.close()
    bad.path.write_bytes(b"not a database" * 1000)

    gates = gates_of(Budget(stores.instance, caps(100), clock, ids), [])
    assert reopen_everywhere(stores, gates, clock) == 1


def test_each_group_is_asked_about_for_itself(stores, store, clock, ids, hold):
    hold(1, MONEY, asked=1)
    budget = Budget(stores.instance, caps(100, {"main": 0}), clock, ids)

    assert reopen_jobs(store, partial(gates_of(budget, []).headroom, "main"), clock) == 0
    assert reopen_jobs(store, partial(gates_of(budget, []).headroom, "other"), clock) == 1


def test_a_job_whose_time_comes_first_goes_on_by_itself(store, clock, hold):
    hold(1, MONEY, asked=1, until=clock() + timedelta(seconds=5))
    clock.advance(seconds=5)
    with writing(store) as conn:
        promote(conn, clock())

    assert ready(store) == 1
    with reading(store) as conn:
        assert conn.scalar(text("SELECT gate FROM jobs")) is None


def test_what_an_older_release_held_is_asked_anew(tmp_path):
    with closing(dbapi.connect(str(tmp_path / "file"), isolation_level=None)) as conn:
        migrate(conn, "group", upto=15)
        for waits_for in ("budget:learning until 2026-02-01T00:00Z", "circuit:x y", "lock role"):
            conn.execute(
                "INSERT INTO jobs (kind, payload, state, available_at, created_at, waits_for) "
                "VALUES ('note_effect', '{}', 'later', 9, 1, ?)",
                (waits_for,),
            )
        migrate(conn, "group", upto=16)

        states = conn.execute("SELECT state, waits_for FROM jobs ORDER BY id").fetchall()
    assert states == [("ready", None), ("ready", None), ("later", "lock role")]
