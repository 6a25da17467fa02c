"""How long a tool call takes by HTTP and MCP, how many of 32 clients are served a second, and what
the server takes while nobody calls."""

import http.client
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from afterword.pipeline.clock import monotonic
from afterword.pipeline.doors.agent import Agent, call
from afterword.pipeline.testing.network_door import NetworkDoor
from afterword.pipeline.testing.ports import free_port
from afterword.pipeline.testing.wait import wait_until
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.timing import percentile, process_cpu_s, seconds

CLIENTS = 32
READS_A_WRITE = 9

WARM_UP_S = 2.0

PROCESSES = 2
"""Processes of the server in the second of the two runs with many clients (count)."""

_MCP = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}


class Client:
    """A client that keeps its connection."""

    def __init__(self, port: int, token: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._headers = {
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
        }

    def tool(self, name: str, arguments: dict[str, Any]) -> None:
        """Call a tool by its route."""
        self.post(f"/v1/tools/{name}", arguments, {})

    def mcp(self, name: str, arguments: dict[str, Any]) -> None:
        """Call a tool by MCP."""
        params = {"name": name, "arguments": arguments}
        asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        self.post("/mcp", asked, _MCP)

    def post(self, path: str, body: object, more: dict[str, str]) -> None:
        self._connection.request("POST", path, json.dumps(body), self._headers | more)
        answer = self._connection.getresponse()
        told = answer.read()
        assert answer.status == 200, told


_BARE = """
import sys, uvicorn

async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    while (await receive()).get("more_body"):
        pass
    answer = b'{"result": [' + b'"a memory of some words", ' * 40 + b'null]}'
    length = str(len(answer)).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", length)]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": answer})

uvicorn.run(app, port=int(sys.argv[1]), http="h11", log_level="error", lifespan="off")
"""
"""A program that answers each request by the same server library, and does nothing."""


def ask(calls: int, for_s: float, idle_s: float) -> Answer:
    """Call each door as often, one after the other; then many clients at once; then nobody.

    Args:
        for_s: how long the many clients ask; seconds.
        idle_s: how long nobody asks; seconds.
    """
    measured: dict[str, float] = {}
    with TemporaryDirectory() as folder, _bare(Path(folder)) as bare_port:
        bare = Client(bare_port, "none")
        times = [seconds(lambda: bare.tool("nothing", {})) for _ in range(calls)]
        floor = {"bare_http_p50_ms": median(times) * 1000}
        floor |= {"bare_calls_a_second": _many(bare_port, "none", for_s).a_second}
    note("network: the bare server done")
    with TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        with NetworkDoor(home, **_SETTINGS) as door:
            measured |= _each_door(door, calls)
            note("network: one after the other done")
            measured |= _crowd(door, for_s, "")
            before = process_cpu_s(door.pids())
            time.sleep(idle_s)
            measured["idle_core_percent"] = (process_cpu_s(door.pids()) - before) / idle_s * 100
        with NetworkDoor(home, http_processes=PROCESSES, **_SETTINGS) as door:
            wait_until(lambda: len(door.pids()) == PROCESSES + 1)
            measured |= _crowd(door, for_s, f"_of_{PROCESSES}_processes")
    targets = {
        "http_over_python_p50_ms": Target(at_most=3),
        "http_over_python_p99_ms": Target(at_most=15),
        "mcp_over_python_p50_ms": Target(at_most=5),
        f"calls_a_second_of_{PROCESSES}_processes": Target(at_least=500),
        "idle_core_percent": Target(at_most=1),
    }
    floor["python_p50_ms"] = measured["python_p50_ms"]
    return Answer("network", measured, targets, floor, {"calls": calls, "clients": CLIENTS})


_SETTINGS = {"session_max_stores": 10_000, "token_daily_writes": 1_000_000}


def _each_door(door: NetworkDoor, calls: int) -> dict[str, float]:
    """Return the times of one call in Python, by HTTP and by MCP, nobody else calling."""
    measured: dict[str, float] = {}
    client = Client(door.port, door.tokens["agent"])
    with Agent.open("main", home=door.home, session_max_stores=10_000) as agent:
        doors: dict[str, Callable[[str, dict[str, Any]], object]] = {
            "python": lambda name, given: call(agent, name, given),
            "http": client.tool,
            "mcp": client.mcp,
        }
        for number in range(200):
            agent.memory_store("fact", f"the desk of room {number} closes at 22:00")
        for name, door_call in doors.items():
            times = [
                seconds(lambda: door_call("memory_search", {"query": "desk room"}))  # noqa: B023
                for _ in range(calls)
            ]
            measured[f"{name}_p50_ms"] = median(times) * 1000
            measured[f"{name}_p99_ms"] = percentile(times, 0.99) * 1000
    for name in ("http", "mcp"):
        for part in ("p50", "p99"):
            over = measured[f"{name}_{part}_ms"] - measured[f"python_{part}_ms"]
            measured[f"{name}_over_python_{part}_ms"] = over
    return measured


def _crowd(door: NetworkDoor, for_s: float, suffix: str) -> dict[str, float]:
    """Return what many clients get, and what a call takes of the processor on both sides."""
    _many(door.port, door.tokens["agent"], WARM_UP_S)  # each process loads what a search needs
    before = process_cpu_s(door.pids())
    crowd = _many(door.port, door.tokens["agent"], for_s)
    server_s = process_cpu_s(door.pids()) - before
    note(f"network: many clients{suffix} done")
    return {
        f"calls_a_second{suffix}": crowd.a_second,
        f"server_cpu_ms_a_call{suffix}": server_s / crowd.calls * 1000,
        f"client_cpu_ms_a_call{suffix}": crowd.client_cpu_s / crowd.calls * 1000,
    }


class Crowd(NamedTuple):
    """What many clients did.

    Args:
        client_cpu_s: processor seconds of all clients.
    """

    calls: int
    a_second: float
    client_cpu_s: float


def _many(port: int, token: str, for_s: float) -> Crowd:
    """Let all clients call together, one write to nine reads, with FULL."""
    done = [0] * CLIENTS
    ends_at = monotonic() + for_s

    def run(number: int) -> None:
        client = Client(port, token)
        while monotonic() < ends_at:
            if done[number] % (READS_A_WRITE + 1):
                client.tool("memory_search", {"query": "desk room", "limit": 5})
            else:
                content = f"client {number} at {done[number]} of {ends_at}"
                client.tool("memory_store", {"type": "fact", "content": content})
            done[number] += 1

    before = time.process_time()
    threads = [threading.Thread(target=run, args=(number,)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return Crowd(sum(done), sum(done) / for_s, time.process_time() - before)


@contextmanager
def _bare(folder: Path) -> Iterator[int]:
    """Run the program that does nothing, and yield its port."""
    program, port = folder / "bare.py", free_port()
    program.write_text(_BARE)
    process = subprocess.Popen([sys.executable, str(program), str(port)])

    def answers_now() -> bool:
        try:
            Client(port, "none").tool("nothing", {})
        except OSError:
            return False
        return True

    try:
        wait_until(answers_now)
        yield port
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    answers(
        ask,
        calls=(int, 300, "calls by each door"),
        for_s=(float, 5.0, "of many clients; s"),
        idle_s=(float, 60.0, "without a call; s"),
    )
