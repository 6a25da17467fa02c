"""Reflecting processes are killed at random: each decision is judged once, each lesson whole."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest
import redis

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.reconcile import free_frozen
from afterword.pipeline.core.store import Store, Stores, reading, writing
from afterword.pipeline.domain.decisions.area import REFLECT_ENTRIES
from afterword.pipeline.domain.decisions.model import Decision, NewDecision
from afterword.pipeline.domain.decisions.read import list_decisions
from afterword.pipeline.domain.decisions.read_rows import stats
from afterword.pipeline.domain.decisions.record import record_decisions
from afterword.pipeline.domain.decisions.triggers import begin
from afterword.pipeline.domain.prices.keep import keep_bars
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.gateway.budget import Budget, caps_of
from afterword.pipeline.ids import random_uid
from afterword.pipeline.settings import Settings
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.faulty_server import RequestTurn, answer
from afterword.pipeline.testing.model_server import ModelRequest, ModelServer
from afterword.pipeline.testing.roles import HOUR, book, jagged
from afterword.pipeline.testing.wait import wait_until

pytestmark = pytest.mark.crash

ROLE = "market.perps.swing"
LESSON = "Check the trend of the day. If it falls, wait."

NOON = system_clock().replace(hour=12, minute=0, second=0, microsecond=0)

REFLECT = """
import json, sys, threading
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from afterword.pipeline.gateway.budget import Budget, caps_of
from afterword.pipeline.clock import system_clock
from afterword.pipeline.errors import PipelineError
from afterword.pipeline.ids import random_uid
from afterword.pipeline.core.jobs.claim import claim, promote
from afterword.pipeline.core.jobs.lease import LeaseLostError, lease
from afterword.pipeline.gateway.llm.build import build_metered
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.decisions.area import REFLECT_ENTRIES
from afterword.pipeline.domain.reflection.llm_judge import LlmDecisionJudge
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.reflection.reflect import reflect_entries, reflect_role
from afterword.pipeline.settings import Settings
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.core.store import Stores, StoreOptions, writing
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.crash import die_at

home, origin, role, threads, crash_at = Path(sys.argv[1]), *sys.argv[2:6]
given, noon = json.loads(sys.argv[6]), datetime.fromisoformat(sys.argv[7])
if crash_at:
    die_at(crash_at)
stores = Stores(home, StoreOptions(synchronous="NORMAL"), system_clock, random_uid)
settings = Settings(llm_provider="anthropic", llm_base_url=origin, **given)
budget = Budget(stores.instance, caps_of(settings), ManualClock(noon), random_uid)
llm = build_metered(settings, stores.instance, budget, system_clock)
store = stores.group("main")
reflector = Reflector(store, load_roles(home), LlmDecisionJudge(llm, 2), StoredPrices, system_clock)
print("ready", flush=True)

def work():
    try:
        reflect_role(reflector, role)
    except PipelineError as error:
        print(error, file=sys.stderr)

def job():
    with writing(store) as conn:
        promote(conn, system_clock())
        ids = [row.id for row in claim(conn, REFLECT_ENTRIES.name, 1, system_clock())]
        leases = lease(conn, ids, "holder", system_clock, REFLECT_ENTRIES)
    reflect_entries(replace(reflector, leases=leases), leases)

if threads == "0":
    try:
        job()
    except LeaseLostError:
        sys.exit(3)
running = [threading.Thread(target=work) for _ in range(int(threads))]
for thread in running:
    thread.start()
for thread in running:
    thread.join()
"""
"""Passes in so many threads, as a person starts them; with none, the role's job as a worker has it.

The budget's clock stands still, so that no test runs across a midnight.
"""

PRICED = {"llm_usd_per_million_input_tokens": 1, "llm_usd_per_million_output_tokens": 1}
"""A dollar for a million tokens: a token on the meter is a micro-dollar in the books."""


def erring(asked: ModelRequest) -> dict[str, Any]:
    if "lesson" in asked.schema["properties"]:
        return {"lesson": LESSON}
    return {"type": "logic_error", "narrative": "It fell."}


def honest(asked: ModelRequest) -> dict[str, Any]:
    words = ("logic_error", "missing_data", "exogenous", "variance")
    return erring(asked) | {"type": words[len(asked.user) % 4]}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(fills=honest, latency_s=0.02) as server:
        yield server


@pytest.fixture
def processes() -> Iterator[ExitStack]:
    with ExitStack() as running:
        yield running


def decide(store: Store, home: Path, number: int) -> None:
    """Record decisions that turned out wrong, on prices that are kept in the store."""
    now = system_clock()
    decided_at = now.replace(minute=0, second=0, microsecond=0) - 100 * HOUR
    prices = book("SOLUSDT", decided_at - 200 * HOUR, jagged(200, [-0.05, *[0.0] * 90]))
    (series,) = prices.series("SOL")
    keep_bars(store, series, prices.bars(series, decided_at - 300 * HOUR, now, now), system_clock)
    news = [
        NewDecision(
            ROLE,
            f"Buy SOL{'!' * (count % 4)}",
            {"n": count},
            asset="SOL",
            direction="long",
            decided_at=decided_at,
        )
        for count in range(number)
    ]
    record_decisions(store, load_roles(home), news, system_clock, random_uid)


def reflecting(
    processes: ExitStack,
    home: Path,
    origin: str,
    threads: int,
    crash_at: str = "",
    **settings: float,
) -> "subprocess.Popen[str]":
    given = (json.dumps({"llm_timeout_s": 5} | PRICED | settings), NOON.isoformat())
    line = [sys.executable, "-c", REFLECT, str(home), origin, ROLE, str(threads), crash_at, *given]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, text=True)
    processes.enter_context(process)
    processes.callback(process.kill)
    assert process.stdout is not None
    process.stdout.readline()
    return process


def spent(stores: Stores) -> tuple[int, int]:
    """Return what learning's day has cost, and what is reserved beside it; micro-USD."""
    budget = Budget(stores.instance, caps_of(Settings()), ManualClock(NOON), random_uid)
    today = budget.overview().categories[0]
    return today.spent_micro_usd, today.reserved_micro_usd


def check_judged_once(store: Store, number: int) -> list[Decision]:
    """Each decision is reflected on and counted once, by one audit line of each sort, and whole."""
    decisions = list_decisions(store, ROLE, limit=1_000)
    assert [one.state for one in decisions] == ["reflected"] * number
    for one in decisions:
        assert one.verdict is not None
        assert one.lesson == (LESSON if one.verdict.is_trainable else None)
    with reading(store) as conn:
        query = "SELECT tool_call, object_id FROM audit_log WHERE tool_call LIKE 'role.%'"
        lines = Counter(tuple(row) for row in conn.exec_driver_sql(query))
        assert conn.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
        counted = stats(conn)
    assert sum(one.decisions for one in counted if one.state == "reflected") == number
    assert sum(one.ever for one in counted if one.state == "reflected") == number
    assert set(lines.values()) == {1}
    assert len(lines) == 3 * number  # recorded, classified, reflected
    return decisions


def test_killed_between_the_two_questions_the_first_is_not_asked_again(stores, store, processes):
    decide(store, stores.home, 1)
    with ModelServer(fills=erring) as server:
        dying = reflecting(processes, stores.home, server.origin, 1, crash_at="role.classified")
        assert dying.wait(30) == -signal.SIGKILL
        (decision,) = list_decisions(store, ROLE)
        assert (decision.state, decision.lesson) == ("pending", None)
        assert decision.verdict is not None

        assert reflecting(processes, stores.home, server.origin, 1).wait(30) == 0
        check_judged_once(store, 1)
        assert ["type" in one.schema["properties"] for one in server.asked] == [True, False]


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGSTOP])
def test_fifty_reflections_of_one_role_at_once_with_holders_killed_or_frozen(
    stores, store, server, processes, sign
):
    number, chance = 40, Random(sign)
    decide(store, stores.home, number)
    running = [reflecting(processes, stores.home, server.origin, 10) for _ in range(5)]
    for process in running[:4]:
        time.sleep(chance.uniform(0.05, 0.4))
        process.send_signal(sign)
        time.sleep(chance.uniform(0.2, 0.8))
        process.send_signal(signal.SIGCONT)  # one that stood still may have held the writer
    assert {process.wait(120) for process in running[:4]} <= {0, -signal.SIGKILL}
    assert running[4].wait(120) == 0

    # What a killed one had asked for may have been answered; nothing of it is left half done.
    assert reflecting(processes, stores.home, server.origin, 1).wait(60) == 0
    check_judged_once(store, number)


@pytest.mark.parametrize(("stage", "wakes"), [(1, "before"), (1, "after"), (2, "after")])
def test_a_holder_that_stands_still_past_its_lease_writes_nothing_when_it_wakes(
    stores, store, processes, stage, wakes
):
    decide(store, stores.home, 1)
    with writing(store) as conn:
        begin(conn, load_roles(stores.home).role(ROLE), system_clock())
    woken = threading.Event()

    def late(turn: RequestTurn[Any]) -> None:
        woken.wait(60)
        answer(turn)

    def wake() -> None:
        woken.set()
        holder.send_signal(signal.SIGCONT)
        assert holder.wait(30) == 3  # it lost its lease

    with ModelServer(fills=erring) as server:
        server.script(*[answer] * (stage - 1), late)
        holder = reflecting(processes, stores.home, server.origin, 0, llm_timeout_s=60)
        wait_until(lambda: len(server.asked) == stage, 30)
        holder.send_signal(signal.SIGSTOP)
        with writing(store) as conn:  # as reconcilers do with one that stood still for 30 s
            free_frozen(conn, "holder", system_clock())
        if wakes == "before":
            wake()
            assert [one.verdict for one in list_decisions(store, ROLE)] == [None]
        assert reflecting(processes, stores.home, server.origin, 0).wait(30) == 0
        judged = check_judged_once(store, 1)
        if wakes == "after":
            wake()
        assert check_judged_once(store, 1) == judged
        asked = ["type" in one.schema["properties"] for one in server.asked]
        assert asked == ([True, True, False] if stage == 1 else [True, False, False])
        assert spent(stores) == (sum(server.tokens), 0)  # the late answer, too
    with reading(store) as conn:  # what is left is what its outcomes ask for, not the reflection
        keyed = conn.exec_driver_sql("SELECT kind FROM jobs WHERE key IS NOT NULL").scalars()
        assert list(keyed) == ["weigh_patterns"]


def test_many_processes_pass_no_cap_and_the_books_hold_all_that_was_served(
    stores, store, server, processes
):
    number, cap = 40, 60_000  # room for some forty of the eighty questions
    decide(store, stores.home, number)
    capped = {"learning_daily_cap_usd": cap / 1_000_000}
    running = [reflecting(processes, stores.home, server.origin, 5, **capped) for _ in range(3)]
    wait_until(lambda: len(server.asked) >= 10, 30)
    running[0].kill()
    while any(process.poll() is None for process in running):
        assert sum(spent(stores)) <= cap
        time.sleep(0.02)

    assert sum(server.tokens) <= sum(spent(stores)) <= cap
    left = list_decisions(store, ROLE, "pending", limit=1_000)
    assert {one.tries for one in left} == {0}  # the money did not last, and nobody is to blame
    assert reflecting(processes, stores.home, server.origin, 2).wait(60) == 0
    check_judged_once(store, number)
    assert sum(server.tokens) <= sum(spent(stores))


def test_a_fleet_whose_workers_and_redis_are_killed_and_whose_lock_is_taken_away(host, server):
    number = 40
    decide(host.store, host.home, number)
    settings = {
        "role_judge": "model",
        "role_questions_at_once": 2,
        "llm_provider": "anthropic",
        "llm_base_url": server.origin,
        "llm_timeout_s": 5,
    }
    for count in range(50):
        with writing(host.store) as conn:
            add(conn, REFLECT_ENTRIES, {"role": ROLE}, system_clock(), key=f"{count}")
    host.dispatcher()
    workers = [host.worker(**settings) for _ in range(2)]

    def judged() -> int:
        with reading(host.store) as conn:
            query = "SELECT count(*) FROM role_memory WHERE classified_at IS NOT NULL"
            found: int = conn.exec_driver_sql(query).scalar_one()
            return found

    chance, client = Random(7), redis.Redis.from_url(host.redis.url)
    for part in (5, 15):
        wait_until(lambda part=part: judged() >= part, 60)
        for lock in client.scan_iter("*:lock:role *"):
            assert 0 < client.pttl(lock) <= 30_000
            client.delete(lock)
        os.kill(workers.pop(chance.randrange(len(workers))).pid, signal.SIGKILL)
        workers.append(host.worker(**settings))
    wait_until(lambda: judged() >= 25, 60)
    host.redis.kill()  # with the lock in it, and the messages
    host.redis.start()
    host.drained(120)

    check_judged_once(host.store, number)
    wait_until(lambda: not list(client.scan_iter("*:lock:role *")), 35)
