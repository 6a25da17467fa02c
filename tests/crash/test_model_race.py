"""Real processes ask a failing model and are killed: the ledger has everything it served."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from afterword.pipeline.core.store import Stores
from afterword.pipeline.gateway.budget import Budget
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.meter import level_caps
from afterword.pipeline.testing.model_server import read_meter

pytestmark = pytest.mark.crash

CAP = 150_000
"""At a dollar for a million tokens: tokens and micro-dollars; some 200 questions' worth."""

# A dollar for a million tokens. The clock stands still, so that no test runs across a midnight.
ASK = """
import os, sys, threading
from pathlib import Path
from typing import Literal
from pydantic import Field
from afterword.pipeline.gateway.budget import Budget
from afterword.pipeline.errors import BudgetExceededError, PipelineError
from afterword.pipeline.ids import random_uid
from afterword.pipeline.gateway.llm import Form, Question
from afterword.pipeline.gateway.llm.build import build_metered
from afterword.pipeline.settings import Settings
from afterword.pipeline.core.store import Stores, StoreOptions
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.meter import level_caps

home, origin, cap = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
clock = ManualClock()
stores = Stores(home, StoreOptions(synchronous="NORMAL"), clock, random_uid)
budget = Budget(stores.instance, level_caps(cap, 1_000_000_000), clock, random_uid)
priced = {"llm_usd_per_million_input_tokens": 1, "llm_usd_per_million_output_tokens": 1}
settings = Settings(llm_provider="anthropic", llm_base_url=origin, llm_timeout_s=1, **priced)
llm = build_metered(settings, stores.instance, budget, clock)

class Judged(Form):
    verdict: Literal["right", "wrong"]
    lesson: str = Field(max_length=500)
    score: float

question = Question("race", "main", "Judge.", "BTC fell", Judged, max_output_tokens=200)

def work():
    while True:
        try:
            llm.probe(question)  # an open circuit would leave the model in peace
        except BudgetExceededError:
            break
        except PipelineError:
            pass
        os.write(1, b"asked\\n")  # whole, whichever thread writes next

threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


@pytest.fixture
def processes() -> Iterator[ExitStack]:
    with ExitStack() as running:
        yield running


def start(processes: ExitStack, *line: str) -> "subprocess.Popen[str]":
    process = subprocess.Popen([sys.executable, *line], stdout=subprocess.PIPE, text=True)
    processes.enter_context(process)  # waits for it and closes its pipe
    processes.callback(process.kill)  # before that: what still runs when a test fails must end
    return process


def hear(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def serve(processes: ExitStack, meter: Path, faults: float) -> str:
    line = ("-m", "afterword.pipeline.testing.model_server", "--meter", str(meter))
    return hear(start(processes, *line, "--faults", str(faults), "--latency-s", "0.01"))


def served(meter: Path) -> int:
    return sum(one.input_tokens + one.output_tokens for one in read_meter(meter))


def todays(budget: Budget) -> tuple[int, int]:
    """Return (spent, reserved) of learning's day, in micro-USD."""
    today = budget.overview().categories[0]
    return today.spent_micro_usd, today.reserved_micro_usd


def test_two_processes_spend_all_there_is_and_never_more(
    stores: Stores, clock: ManualClock, processes: ExitStack, tmp_path: Path
) -> None:
    budget = Budget(stores.instance, level_caps(CAP, 1_000_000_000), clock, random_uid)
    origin = serve(processes, tmp_path / "meter", faults=0.3)
    askers = [start(processes, "-c", ASK, str(stores.home), origin, str(CAP)) for _ in range(2)]

    for asker in askers:
        while hear(asker):
            assert sum(todays(budget)) <= CAP

    spent, reserved = todays(budget)
    assert served(tmp_path / "meter") <= spent <= CAP
    assert reserved == 0
    budget.check_counted()


@pytest.mark.parametrize("seed", range(3))
def test_what_a_killed_process_had_asked_for_is_charged(
    stores: Stores, clock: ManualClock, processes: ExitStack, tmp_path: Path, seed: int
) -> None:
    budget = Budget(stores.instance, level_caps(CAP, 1_000_000_000), clock, random_uid)
    origin, chance = serve(processes, tmp_path / "meter", faults=0.2), Random(seed)
    askers = [start(processes, "-c", ASK, str(stores.home), origin, str(CAP)) for _ in range(2)]
    for asker in askers:
        for _ in range(chance.randint(1, 20)):
            assert hear(asker) == "asked"
        asker.kill()
        asker.wait()

    spent, reserved = todays(budget)
    assert served(tmp_path / "meter") <= spent + reserved <= CAP
    clock.advance(seconds=62)  # the deadline of a call, and the room beyond it
    assert budget.expire() > 0
    assert todays(budget) == (spent + reserved, 0)
    budget.check_counted()
