"""Real processes write in one session and are killed: the limit holds to the last row."""

import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.sessions.sessions import begin_session, find_session

pytestmark = pytest.mark.crash

# Each line on stdin is the handle of a session: four threads write in it until they are refused.
WRITER = """
import os, sys, threading
from pathlib import Path
from afterword.pipeline.doors.agent import Agent
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.clock import system_clock
from afterword.pipeline.errors import BudgetExceededError
from afterword.pipeline.ids import random_uid
from afterword.pipeline.core.store import Stores, StoreOptions

stores = Stores(Path(sys.argv[1]), StoreOptions(synchronous="NORMAL"), system_clock, random_uid)
store = stores.group("main")

def work(agent, place):
    for number in range(100):
        try:
            if number % 2:
                agent.memory_write("fact", f"{os.getpid()} {place} {number}")
            else:
                agent.memory_store("context", f"{os.getpid()} {place} {number}")
        except BudgetExceededError:
            return
        os.write(1, b"wrote\\n")  # whole, whichever thread writes next

for handle in map(str.strip, sys.stdin):
    agent = Agent(Door(Writer(store, system_clock, random_uid), handle))
    threads = [threading.Thread(target=work, args=(agent, place)) for place in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    os.write(1, b"refused\\n")
"""


@pytest.fixture
def processes():
    with ExitStack() as running:
        yield running


def start(processes: ExitStack, home: Path) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(home)],
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
    return process.stdout.readline().strip()


def hear_until_refused(process: "subprocess.Popen[str]") -> int:
    """Return how many writes a process says it made."""
    wrote = 0
    while (line := hear(process)) == "wrote":
        wrote += 1
    assert line == "refused"
    return wrote


def counted(store: Store, handle: str) -> tuple[int, int]:
    """Return what the session counts, and the rows that were written in it."""
    with reading(store) as conn:
        session = find_session(conn, handle)
        query = "SELECT count(*) FROM memories WHERE session_id = ?"
        return session.stores, conn.exec_driver_sql(query, (session.uid,)).scalar_one()


def test_of_two_processes_and_eight_threads_exactly_twenty_writes_are_kept(
    store, processes, writer
):
    writers = [start(processes, store.path.parents[1]) for _ in range(2)]
    for _ in range(10):
        handle = begin_session(writer).handle
        for process in writers:
            say(process, handle)

        assert sum(map(hear_until_refused, writers)) == 20
        assert counted(store, handle) == (20, 20)


@pytest.mark.parametrize("seed", range(2))
def test_a_process_killed_while_it_writes_resets_no_count(store, processes, seed, writer):
    handle, chance = begin_session(writer).handle, Random(seed)
    for _ in range(2):
        process = start(processes, store.path.parents[1])
        say(process, handle)
        for _ in range(chance.randint(1, 5)):
            hear(process)
        process.kill()
        process.wait()
        stores, rows = counted(store, handle)
        assert 1 <= stores == rows <= 20

    last = start(processes, store.path.parents[1])
    say(last, handle)
    hear_until_refused(last)
    assert counted(store, handle) == (20, 20)
