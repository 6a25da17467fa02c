"""How long a tool call takes by HTTP and MCP, and how many of 32 clients are served a second."""

import http.client
import json
import threading
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from afterword.pipeline.clock import monotonic
from afterword.pipeline.doors.agent import Agent, call
from afterword.pipeline.testing.network_door import NetworkDoor
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.timing import percentile, seconds

CLIENTS = 32
READS_A_WRITE = 9

_MCP = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}


class Client:
    """A client that keeps its connection."""

    def __init__(self, door: NetworkDoor) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", door.port, timeout=60)
        self._headers = {
            "Authorization": f"Bearer {door.tokens['agent']}",
            "Content-Type": "application/json",
        }

    def tool(self, name: str, arguments: dict[str, Any]) -> None:
        """Call a tool by its route."""
        self._post(f"/v1/tools/{name}", arguments, {})

    def mcp(self, name: str, arguments: dict[str, Any]) -> None:
        """Call a tool by MCP."""
        params = {"name": name, "arguments": arguments}
        asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        self._post("/mcp", asked, _MCP)

    def _post(self, path: str, body: object, more: dict[str, str]) -> None:
        self._connection.request("POST", path, json.dumps(body), self._headers | more)
        answer = self._connection.getresponse()
        told = answer.read()
        assert answer.status == 200, told


def ask(calls: int, for_s: float) -> Answer:
    """Call each door as often, one after the other, then many clients at once for some seconds.

    Args:
        for_s: how long the many clients ask; seconds.
    """
    measured: dict[str, float] = {}
    with TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        settings = {"session_max_stores": 10_000, "token_daily_writes": 1_000_000}
        with NetworkDoor(home, **settings) as door:
            client = Client(door)
            with Agent.open("main", home=home, session_max_stores=10_000) as agent:
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
            note("network: one after the other done")
            measured["calls_a_second"] = _many(door, for_s)
    targets = {
        "http_over_python_p50_ms": Target(at_most=3),
        "http_over_python_p99_ms": Target(at_most=15),
        "mcp_over_python_p50_ms": Target(at_most=5),
        "calls_a_second": Target(at_least=500),
    }
    floor = {"python_p50_ms": measured["python_p50_ms"]}
    return Answer("network", measured, targets, floor, {"calls": calls, "clients": CLIENTS})


def _many(door: NetworkDoor, for_s: float) -> float:
    """Return the calls a second of all clients together, one write to nine reads, with FULL."""
    done = [0] * CLIENTS
    ends_at = monotonic() + for_s

    def run(number: int) -> None:
        client = Client(door)
        while monotonic() < ends_at:
            if done[number] % (READS_A_WRITE + 1):
                client.tool("memory_search", {"query": "desk room", "limit": 5})
            else:
                content = f"client {number} at {done[number]}"
                client.tool("memory_store", {"type": "fact", "content": content})
            done[number] += 1

    threads = [threading.Thread(target=run, args=(number,)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(done) / for_s


if __name__ == "__main__":
    answers(ask, calls=(int, 300, "calls by each door"), for_s=(float, 5.0, "of many clients; s"))
