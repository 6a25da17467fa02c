"""Real processes race for one dollar and are killed: the ledger never exceeds the cap."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from afterword.pipeline.core.store import Store, Stores, reading
from afterword.pipeline.gateway.budget import Budget
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.meter import level_caps, read_meter

pytestmark = pytest.mark.crash

DOLLAR = 1_000_000
CAPS = level_caps(DOLLAR, 1_000 * DOLLAR)

# What every child does first. The clock stands still, so that no test runs across a midnight.
SET_UP = """
import os, sys, threading
from datetime import timedelta
from itertools import repeat
from pathlib import Path
from random import Random
from afterword.pipeline.gateway.budget import Budget, Price, Purpose, metered
from afterword.pipeline.errors import BudgetExceededError
from afterword.pipeline.ids import random_uid
from afterword.pipeline.core.store import Stores, StoreOptions
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.meter import FakeModel, ModelTurn, level_caps

home, seed = Path(sys.argv[1]), int(sys.argv[2])
clock = ManualClock()
stores = Stores(home, StoreOptions(synchronous="NORMAL"), clock, random_uid)
budget = Budget(stores.instance, level_caps(1_000_000, 1_000_000_000), clock, random_uid)
price = Price(input_micro_usd=1_000_000, output_micro_usd=0, as_of=None)  # a token, a micro-dollar
purpose = Purpose("learning", "main", "race", "fake")
meter = home / "meter"

def ask(model, tokens):
    try:
        return metered(budget, purpose, price, model,
                       input_tokens=tokens, max_output_tokens=0, ttl_s=600)
    except BudgetExceededError:
        return None

def together(work, threads):
    workers = [threading.Thread(target=work, args=(place,)) for place in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
"""

# Each line on stdin is a new day and a new race: sixteen threads ask for a dime at once.
RACE = """
for day in map(int, sys.stdin):
    clock.set(ManualClock()() + timedelta(days=day))
    start, admitted = threading.Barrier(16), []
    def work(place):
        pause_s = Random(f"{seed} {day} {place}").random() / 200
        model = FakeModel([ModelTurn(100_000, pause_s=pause_s)], price, meter)
        start.wait()
        if ask(model, 100_000):
            admitted.append(place)
    together(work, 16)
    print(len(admitted), flush=True)
"""

# Four threads make twenty calls each, some cut or without usage; a line for each that came back.
SPEND = """
def turns(chance):
    for call in range(20):
        cost, fate = chance.randint(1, 4_000), chance.random()
        yield ModelTurn(cost, pause_s=chance.random() / 50, claims=None if fate < 0.1 else cost,
                   error=TimeoutError() if fate > 0.9 else None)

def work(place):
    model = FakeModel(turns(Random(f"{seed} {place}")), price, meter)
    for call in range(20):
        try:
            ask(model, 4_000)
        except TimeoutError:
            pass
        os.write(1, b"called\\n")  # whole, whichever thread writes next

together(work, 4)
"""


@pytest.fixture
def processes() -> Iterator[ExitStack]:
    with ExitStack() as running:
        yield running


def start(processes: ExitStack, home: Path, seed: int, program: str) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-c", SET_UP + program, str(home), str(seed)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    processes.enter_context(process)  # waits for it and closes its pipes
    processes.callback(process.kill)  # before that: what still runs when a test fails must end
    return process


def say(process: "subprocess.Popen[str]", line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


def hear(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def todays(budget: Budget) -> tuple[int, int]:
    """Return (spent, reserved) of learning's day, in micro-USD."""
    today = budget.overview().categories[0]
    return today.spent_micro_usd, today.reserved_micro_usd


def integrity(store: Store) -> str:
    with reading(store) as conn:
        return str(conn.exec_driver_sql("PRAGMA integrity_check").scalar_one())


def test_of_64_dimes_charged_at_once_by_four_processes_exactly_ten_are_admitted(
    stores: Stores, clock: ManualClock, processes: ExitStack
) -> None:
    budget = Budget(stores.instance, CAPS, clock, random_uid)
    racers = [start(processes, stores.home, seed, RACE) for seed in range(4)]

    for day in range(25):
        for racer in racers:
            say(racer, str(day))
        admitted = [int(hear(racer)) for racer in racers]

        assert sum(admitted) == 10
        assert todays(budget) == (DOLLAR, 0)
        clock.advance(days=1)
    assert read_meter(stores.home / "meter") == 25 * DOLLAR
    budget.check_counted()
    assert integrity(stores.instance) == "ok"


@pytest.mark.parametrize("seed", range(3))
def test_processes_killed_at_any_moment_never_pass_the_cap_and_lose_no_cost(
    stores: Stores, clock: ManualClock, processes: ExitStack, seed: int
) -> None:
    budget = Budget(stores.instance, CAPS, clock, random_uid)
    chance = Random(seed)
    while sum(todays(budget)) <= DOLLAR - 4_000:
        spenders = [start(processes, stores.home, chance.getrandbits(30), SPEND) for _ in range(2)]
        for spender in spenders:
            for _ in range(chance.randint(1, 60)):
                assert hear(spender) == "called\n"
                assert sum(todays(budget)) <= DOLLAR
            spender.kill()

    # What the killed ones held is charged: at most what was reserved, at least what was billed.
    clock.advance(seconds=601)
    assert budget.expire() > 0
    spent, reserved = todays(budget)
    assert reserved == 0
    assert read_meter(stores.home / "meter") <= spent <= DOLLAR
    budget.check_counted()
    assert integrity(stores.instance) == "ok"
