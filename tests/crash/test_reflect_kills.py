"""Whoever reflects is killed at random: each decision is judged once, and its lesson is whole."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest
import redis

from pipeline.clock import system_clock
from pipeline.ids import random_uid
from pipeline.jobs.add import add
from pipeline.prices.keep import keep_bars
from pipeline.roles.kinds import REFLECT_ENTRIES
from pipeline.roles.model import Decision, NewDecision
from pipeline.roles.read import list_decisions
from pipeline.roles.record import record_decisions
from pipeline.skills.discover import load_roles
from pipeline.store import Store, reading, writing
from pipeline.testing.model_server import Asked, ModelServer
from pipeline.testing.roles import HOUR, book, jagged
from pipeline.testing.wait import wait_until

pytestmark = pytest.mark.crash

ROLE = "market.perps.swing"
LESSON = "Check the trend of the day. If it falls, wait."

REFLECT = """
import sys, threading
from pathlib import Path
from pipeline.budget import Budget, caps_of
from pipeline.clock import system_clock
from pipeline.errors import PipelineError
from pipeline.ids import random_uid
from pipeline.llm.build import build_metered
from pipeline.prices.stored import StoredPrices
from pipeline.roles.llm_judge import LlmJudge
from pipeline.roles.reflect import Reflector, reflect_role
from pipeline.settings import Settings
from pipeline.skills.discover import load_roles
from pipeline.store import Shelf, StoreOptions
from pipeline.testing.crash import die_at

home, origin, role, threads, crash_at = Path(sys.argv[1]), *sys.argv[2:]
if crash_at:
    die_at(crash_at)
shelf = Shelf(home, StoreOptions(synchronous="NORMAL"), system_clock, random_uid)
settings = Settings(llm_provider="anthropic", llm_base_url=origin, llm_timeout_s=5)
budget = Budget(shelf.instance, caps_of(settings), system_clock, random_uid)
llm = build_metered(settings, shelf.instance, budget, system_clock)
store = shelf.group("main")
reflector = Reflector(store, load_roles(home), LlmJudge(llm, 2), StoredPrices, system_clock)
print("ready", flush=True)

def work():
    try:
        reflect_role(reflector, role)
    except PipelineError as error:
        print(error, file=sys.stderr)

running = [threading.Thread(target=work) for _ in range(int(threads))]
for thread in running:
    thread.start()
for thread in running:
    thread.join()
"""


def erring(asked: Asked) -> dict[str, Any]:
    if "lesson" in asked.schema["properties"]:
        return {"lesson": LESSON}
    return {"type": "logic_error", "narrative": "It fell."}


def honest(asked: Asked) -> dict[str, Any]:
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
    processes: ExitStack, home: Path, origin: str, threads: int, crash_at: str = ""
) -> "subprocess.Popen[str]":
    line = [sys.executable, "-c", REFLECT, str(home), origin, ROLE, str(threads), crash_at]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, text=True)
    processes.enter_context(process)
    processes.callback(process.kill)
    assert process.stdout is not None
    process.stdout.readline()
    return process


def check_judged_once(store: Store, number: int) -> list[Decision]:
    """Each decision is reflected on, by one line of each sort in the audit log, and whole."""
    decisions = list_decisions(store, ROLE, limit=1_000)
    assert [one.state for one in decisions] == ["reflected"] * number
    for one in decisions:
        assert one.verdict is not None
        assert one.lesson == (LESSON if one.verdict.is_trainable else None)
    with reading(store) as conn:
        query = "SELECT tool_call, object_id FROM audit_log WHERE tool_call LIKE 'role.%'"
        lines = Counter(tuple(row) for row in conn.exec_driver_sql(query))
        assert conn.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
    assert set(lines.values()) == {1}
    assert len(lines) == 3 * number  # recorded, classified, reflected
    return decisions


def test_killed_between_the_two_questions_the_first_is_not_asked_again(shelf, store, processes):
    decide(store, shelf.home, 1)
    with ModelServer(fills=erring) as server:
        dying = reflecting(processes, shelf.home, server.origin, 1, crash_at="role.classified")
        assert dying.wait(30) == -signal.SIGKILL
        (decision,) = list_decisions(store, ROLE)
        assert (decision.state, decision.lesson) == ("pending", None)
        assert decision.verdict is not None

        assert reflecting(processes, shelf.home, server.origin, 1).wait(30) == 0
        check_judged_once(store, 1)
        assert ["type" in one.schema["properties"] for one in server.asked] == [True, False]


@pytest.mark.parametrize("seed", range(2))
def test_fifty_reflections_of_one_role_at_once_with_holders_killed(
    shelf, store, server, processes, seed
):
    number, chance = 60, Random(seed)
    decide(store, shelf.home, number)
    running = [reflecting(processes, shelf.home, server.origin, 10) for _ in range(5)]
    for process in running[:4]:
        time.sleep(chance.uniform(0.05, 0.4))
        process.kill()
        process.wait()
    assert running[4].wait(120) == 0

    # What a killed one had asked for may have been answered; nothing of it is left half done.
    assert reflecting(processes, shelf.home, server.origin, 1).wait(60) == 0
    check_judged_once(store, number)


def test_a_fleet_whose_workers_are_killed_and_whose_lock_is_taken_away(host, server):
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
            client.delete(lock)
        os.kill(workers.pop(chance.randrange(len(workers))).pid, signal.SIGKILL)
        workers.append(host.worker(**settings))
    host.drained(120)

    check_judged_once(host.store, number)
    wait_until(lambda: not list(client.scan_iter("*:lock:role *")), 35)
