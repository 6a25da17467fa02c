"""Real MCP servers whose clients vanish: each ends cleanly, and what it answered is kept."""

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.jobs.inspect import counts
from afterword.pipeline.core.store import Store, StoreOptions, Stores, reading
from afterword.pipeline.domain.memory.read import read_memories
from afterword.pipeline.domain.sessions.model import Session
from afterword.pipeline.domain.sessions.read import read_sessions
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.mcp_process import McpProcess
from afterword.pipeline.testing.wait import wait_until

pytestmark = pytest.mark.crash

CLIENT = """
import sys
from pathlib import Path
from afterword.pipeline.testing.mcp_process import McpProcess

client = McpProcess(Path(sys.argv[1]), session_max_stores=1000)
client.begin()
print(client.server.pid, flush=True)
for number in range(1000):
    stored = client.told("memory_store", {"type": "context", "content": f"note {number}"})
    print(stored["id"], flush=True)
"""


def group(home: Path) -> tuple[Stores, Store]:
    stores = Stores(home, StoreOptions(), system_clock, random_uid)
    return stores, stores.group("main")


def sessions_of(home: Path) -> list[Session]:
    stores, store = group(home)
    found = read_sessions(store, 100)
    stores.close()
    return list(found)


def uids(home: Path) -> set[str]:
    stores, store = group(home)
    found = {row.uid for row in read_memories(store, limit=1000)}
    with reading(store) as conn:
        assert conn.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
    stores.close()
    return found


def is_gone(pid: int) -> bool:
    """Say whether a process has ended, collected by its new parent or not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def test_a_client_killed_in_the_middle_ends_the_server_and_its_session(home: Path):
    client = subprocess.Popen(
        [sys.executable, "-c", CLIENT, str(home)], stdout=subprocess.PIPE, text=True
    )
    assert client.stdout is not None
    pid = int(client.stdout.readline())
    answered = {client.stdout.readline().strip() for _ in range(5)}
    client.kill()
    answered |= {line.strip() for line in client.stdout.readlines() if len(line) == 33}
    client.wait()
    client.stdout.close()

    wait_until(lambda: is_gone(pid), timeout_s=30)
    (session,) = sessions_of(home)
    kept = uids(home)
    assert session.ended_at is not None
    assert answered <= kept and len(kept) == session.stores


@pytest.mark.parametrize("closed", ["stdin", "stdout", "both"])
def test_a_closed_pipe_ends_the_server_and_its_session(home: Path, closed: str):
    with McpProcess(home) as client:
        client.begin()
        stored = client.told("memory_store", {"type": "context", "content": "kept"})
        assert client.server.stdin is not None and client.server.stdout is not None
        if closed != "stdin":
            client.server.stdout.close()
        if closed != "stdout":
            client.server.stdin.close()
        else:
            client.request("tools/call", {"name": "memory_search", "arguments": {}})

        assert (client.ended(), client.log) == (0, "")
    (session,) = sessions_of(home)
    assert session.ended_at is not None
    assert uids(home) == {stored["id"]}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_the_server_and_its_session_while_the_client_stays(
    home: Path, number: signal.Signals
):
    with McpProcess(home) as client:
        client.begin()
        client.told("memory_store", {"type": "context", "content": "kept"})

        assert (client.stop(number), client.log) == (0, "")
    (session,) = sessions_of(home)
    assert session.ended_at is not None and len(uids(home)) == 1


def test_a_signal_ends_the_server_of_a_client_that_reads_nothing(home: Path):
    with McpProcess(home) as client:
        client.begin()
        for number in range(10):
            given = {"category": "lesson", "content": f"{number} " + "long " * 1_000}
            client.told("memory_write", given)
        search = {"name": "memory_search", "arguments": {"query": "long"}}
        for _ in range(20):  # some 400 kB of answers: more than the pipe takes
            client.request("tools/call", search)
        wait_until(lambda: is_full(client), timeout_s=30)

        assert (client.stop(), client.log) == (0, "")
    (session,) = sessions_of(home)
    assert session.ended_at is not None


def is_full(client: McpProcess) -> bool:
    """Say whether the server waits for its client to read."""
    import array
    import fcntl
    import termios

    assert client.server.stdout is not None
    out, waiting = client.server.stdout.fileno(), array.array("i", [0])
    fcntl.ioctl(out, termios.FIONREAD, waiting)
    return waiting[0] > fcntl.fcntl(out, fcntl.F_GETPIPE_SZ) - 4096


@pytest.mark.redis
def test_two_sessions_and_a_fleet_write_to_one_group_and_nothing_is_lost(site: Any):
    site.start("dispatcher")
    site.start("worker", "--processes", "1", "--threads", "4")
    answered: dict[int, set[str]] = {0: set(), 1: set(), 2: set()}
    clients = [McpProcess(site.home, session_max_stores=1000) for _ in answered]

    def write(place: int, most: int) -> None:
        for number in range(most):
            given = {"category": "fact", "content": f"Desk {place} trades on venue {number}"}
            if number % 2:
                tool, given = "memory_store", {"type": "context", "content": f"{place} {number}"}
            else:
                tool = "memory_write"
            try:
                answered[place].add(clients[place].told(tool, given)["id"])
            except (EOFError, BrokenPipeError):
                return

    for client in clients:
        client.begin()
    threads = [
        threading.Thread(target=write, args=(place, 1000 if place == 2 else 40))
        for place in answered
    ]
    for thread in threads:
        thread.start()
    wait_until(lambda: len(answered[2]) >= 10, timeout_s=60)
    os.kill(clients[2].server.pid, signal.SIGKILL)  # a server of its own dies in the middle
    for thread in threads:
        thread.join()
    for client in clients[:2]:
        assert client.leave() == 0
        client.__exit__(None, None, None)
    clients[2].__exit__(None, None, None)

    assert (len(answered[0]), len(answered[1])) == (40, 40)
    stores, store = group(site.home)

    def is_done() -> bool:
        with reading(store) as conn:
            return not counts(conn)

    wait_until(is_done, timeout_s=90)
    with reading(store) as conn:
        retired = conn.exec_driver_sql(
            "SELECT count(*) FROM facts WHERE state = 'retired'"
        ).scalar()
        kept = {uid for (uid,) in conn.exec_driver_sql("SELECT uid FROM memories")}
        edges = conn.exec_driver_sql("SELECT count(*) FROM jobs WHERE state = 'dead'").scalar()
        assert conn.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
    stores.close()
    assert set.union(*answered.values()) <= kept
    assert (retired, edges) == (0, 0)
    ends = {bool(one.ended_at): one.stores for one in sessions_of(site.home)}
    assert ends[True] == 40 and ends[False] >= len(answered[2])
    assert json.loads(site.run("doctor", "--json").stdout)
