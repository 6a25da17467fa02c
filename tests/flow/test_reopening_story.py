"""The story of a gate that opens early: what waits for it goes on, and not only at midnight."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text

from afterword.pipeline.core.jobs.add import add, add_many
from afterword.pipeline.core.jobs.inspect import counts, listing, totals
from afterword.pipeline.core.jobs.model import Job
from afterword.pipeline.core.jobs.reopen import REOPENED_AT_ONCE
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.facts.area import JUDGE_FACTS
from afterword.pipeline.domain.facts.record import record_fact
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.settings import load
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command
from afterword.pipeline.testing.faulty_server import refuses
from afterword.pipeline.testing.model_server import ModelServer
from afterword.pipeline.testing.wait import wait_until
from afterword.schedules.table import TABLE
from afterword.schedules.up import Up
from afterword.workers.testing import SPEND, TEST_ROUTES, traces
from afterword.workers.worker.app import build_context

LOOK = "expire_reservations"
MIDNIGHT = datetime(2026, 1, 6, tzinfo=UTC)
"""The next one, by the tests' clock."""

Start = Callable[..., Up]

_HOLD = text("UPDATE jobs SET gate = 'budget:learning', asked_micro_usd = 1 WHERE kind = :kind")


@pytest.fixture
def start(home: Path, clock: ManualClock) -> Iterator[Start]:
    """Start everything in this process; the schedule is the minutely look alone."""
    started: list[Up] = []

    def start(**given: object) -> Up:
        for one in started:
            if one.is_alive():
                one.stop()
        settings = load(home=home, synchronous="NORMAL", shutdown_grace_s=0.2, **given)
        table = [entry for entry in TABLE if entry.job == LOOK]
        one = Up(build_context(settings, clock=clock), table, TEST_ROUTES, threads=4)
        one.context.stores.group("main", create=True)
        started.append(one)
        one.start()
        return one

    yield start
    for one in started:
        if one.is_alive():
            one.stop()


def store_of(up: Up) -> Store:
    return up.context.stores.group("main")


def effects(store: Store) -> int:
    with reading(store) as conn:
        return len(traces(conn))


def jobs_of(store: Store, kind: str = SPEND.name) -> list[Job]:
    with reading(store) as conn:
        return listing(conn, kind=kind, limit=20_000)


def looks(store: Store) -> int:
    with reading(store) as conn:
        return sum(total.jobs for total in totals(conn) if total.kind == LOOK)


def next_look(store: Store, clock: ManualClock) -> None:
    """Let a minute pass, and its look end."""
    before = looks(store)
    clock.advance(minutes=1)
    wait_until(lambda: looks(store) > before)


def all_wait(store: Store, kind: str = SPEND.name) -> bool:
    found = jobs_of(store, kind)
    return bool(found) and {job.state for job in found} == {"later"}


def test_a_cap_that_is_raised_lets_jobs_run_within_the_minute(start: Start, clock: ManualClock):
    store = store_of(start(learning_daily_cap_usd=0))
    with writing(store) as conn:
        add_many(conn, SPEND, [{"id": n} for n in range(20)], clock())
    wait_until(lambda: all_wait(store))
    assert {job.available_at for job in jobs_of(store)} == {MIDNIGHT}

    store = store_of(start(learning_daily_cap_usd=5))
    clock.advance(minutes=1)
    wait_until(lambda: effects(store) == 20)


def test_while_the_cap_is_still_spent_nothing_moves(start: Start, clock: ManualClock):
    up = start(learning_daily_cap_usd=0)
    store = store_of(up)
    with writing(store) as conn:
        add(conn, SPEND, {"id": 1}, clock())
    wait_until(lambda: all_wait(store))
    before = jobs_of(store)
    for _minute in range(3):
        next_look(store, clock)

    assert jobs_of(store) == before


def test_a_stop_that_is_lifted_lets_jobs_run_at_once(
    start: Start, clock: ManualClock, command: Command
):
    store = store_of(start())
    assert command("budget", "stop").code == 0
    with writing(store) as conn:
        add(conn, SPEND, {"id": 1}, clock())
    wait_until(lambda: all_wait(store))

    assert command("budget", "resume", "--json").json["jobs_woken"] == 1
    wait_until(lambda: effects(store) == 1)


def test_ten_thousand_that_wait_go_on_in_bounded_batches(
    start: Start, clock: ManualClock, command: Command
):
    store = store_of(start())
    with writing(store) as conn:
        add_many(conn, SPEND, [{"id": n} for n in range(10_000)], clock(), run_at=MIDNIGHT)
        conn.execute(_HOLD, {"kind": SPEND.name})

    assert command("budget", "resume", "--json").json["jobs_woken"] == REOPENED_AT_ONCE
    wait_until(lambda: effects(store) == REOPENED_AT_ONCE)
    next_look(store, clock)
    wait_until(lambda: effects(store) == 2 * REOPENED_AT_ONCE)
    with reading(store) as conn:
        assert counts(conn)[SPEND.name, "later"] == 10_000 - 2 * REOPENED_AT_ONCE


def test_a_check_that_answers_lets_on_what_the_circuit_held(
    start: Start, clock: ManualClock, command: Command, monkeypatch: pytest.MonkeyPatch
):
    with ModelServer() as server:
        given = {"llm_provider": "anthropic", "llm_base_url": server.origin}
        for name, value in given.items():
            monkeypatch.setenv(f"AFTERWORD_{name.upper()}", value)
        up = start(consolidation_enabled=True, **given)
        store = store_of(up)
        server.script(refuses(401))
        for said in ("user prefers weekly charts", "user prefers daily charts"):
            clock.advance(seconds=1)
            record_fact(store, NewMemory("fact", said), clock, up.context.runtime.ids)
        clock.advance(seconds=6)
        wait_until(lambda: all_wait(store, JUDGE_FACTS.name))
        assert jobs_of(store, JUDGE_FACTS.name)[0].available_at > clock()

        assert command("llm", "check", "--json").json["jobs_woken"] == 1
        wait_until(lambda: not jobs_of(store, JUDGE_FACTS.name))
