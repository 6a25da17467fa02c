"""A crowd of clients of the network door, each of which repeats a write until it is answered."""

import http.client
import json
import threading
import time
from random import Random
from typing import Any, Final

from afterword.pipeline.testing.network_door import NetworkDoor

WRITES: Final = 0.5
"""Share of a client's calls that write."""

REPEATS: Final = 0.2
"""Share of its answered writes that it sends once more."""

_MCP: Final = {
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": "2025-11-25",
}
_AGAIN: Final = frozenset({409, 503})
"""Statuses after which a client tries again."""


class CrowdClient(threading.Thread):
    """One client with a connection that it keeps; by HTTP, or each third by MCP.

    Args:
        token: of an agent of its own, or of several clients.
        leaves: set when it must stop; a write that has begun is still brought to its answer.
    """

    def __init__(self, number: int, door: NetworkDoor, token: str, leaves: threading.Event) -> None:
        super().__init__(daemon=True)
        self.acknowledged: dict[str, str] = {}
        """The uid of each written text."""
        self.problems: list[str] = []
        self.reads = self.repeats = self.cuts = 0
        self._number, self._door, self._leaves = number, door, leaves
        self._chance, self._by_mcp = Random(number), number % 3 == 2
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._connection: http.client.HTTPConnection | None = None

    def run(self) -> None:
        """Write and read until it must leave."""
        while not self._leaves.is_set():
            if self._chance.random() < WRITES:
                self._write(f"client {self._number} at step {len(self.acknowledged)}")
            else:
                self._call("memory_search", {"query": f"client {self._number}", "limit": 5}, None)
                self.reads += 1
        self._hang_up()

    def _write(self, content: str) -> None:
        uid = self._store(content)
        self.acknowledged[content] = uid
        if self._chance.random() < REPEATS:
            self.repeats += 1
            if self._store(content) != uid:
                self.problems.append(f"{content}: its key was answered in two ways")

    def _store(self, content: str) -> str:
        stored = self._call("memory_store", {"type": "fact", "content": content}, content)
        return str(stored.get("id"))

    def _call(self, tool: str, arguments: dict[str, Any], key: str | None) -> Any:
        """Return what a tool answers, asked as often as it takes."""
        keyed = {} if key is None else {"Idempotency-Key": key}
        while True:
            try:
                status, body = self._ask(tool, arguments, keyed)
            except (OSError, http.client.HTTPException):
                self.cuts += 1
                self._hang_up()
                time.sleep(0.05)  # the door is gone
                continue
            if status in _AGAIN:
                time.sleep(0.05)
                continue
            if status != 200 or body.get("isError"):
                self.problems.append(f"{tool}: {status} {body}")
                return {}
            return body.get("structuredContent") if self._by_mcp else body["result"]

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _ask(self, tool: str, arguments: dict[str, Any], keyed: dict[str, str]) -> tuple[int, Any]:
        path, body = f"/v1/tools/{tool}", arguments
        if self._by_mcp:
            path, keyed = "/mcp", keyed | _MCP
            params = {"name": tool, "arguments": arguments}
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self._door.port, timeout=60)
        self._connection.request("POST", path, json.dumps(body), self._headers | keyed)
        response = self._connection.getresponse()
        answer = json.loads(response.read())
        return response.status, answer.get("result", answer) if self._by_mcp else answer
