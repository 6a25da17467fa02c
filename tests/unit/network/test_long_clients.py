"""Clients that stay: the limits of a session under 32 threads, days, and connections held open."""

import socket
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from afterword.pipeline.core.store import Store, Stores
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.doors.agent import call
from afterword.pipeline.doors.agent.door import build_door
from afterword.pipeline.doors.http.agents import Agents
from afterword.pipeline.doors.http.protocol import MOST_AT_ONCE, MOST_OPEN
from afterword.pipeline.errors import BudgetExceededError
from afterword.pipeline.gateway.access.tokens import AccessTokens
from afterword.pipeline.ids import IdSource
from afterword.pipeline.settings import load
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.network_door import DoorAnswer, NetworkDoor
from afterword.pipeline.testing.wait import wait_until

THREADS = 32


def test_32_threads_in_one_session_write_exactly_as_much_as_it_allows(door: NetworkDoor) -> None:
    handle = door.ask("POST", "/v1/sessions", {}).body["handle"]

    def at_once(tool: str, calls: list[dict[str, Any]]) -> list[DoorAnswer]:
        path = f"/v1/tools/{tool}"
        with ThreadPoolExecutor(THREADS) as threads:
            return list(
                threads.map(
                    lambda given: door.ask("POST", path, given, Afterword_Session=handle), calls
                )
            )

    def statuses(answers: list[DoorAnswer]) -> dict[int, int]:
        return dict(Counter(answer.status for answer in answers))

    def entries(name: str) -> list[dict[str, Any]]:
        return [{"type": "fact", "content": f"{name} {number}"} for number in range(THREADS)]

    begun = door.ask("POST", "/v1/sessions", {}).body["handle"]
    older = [
        door.ask("POST", "/v1/tools/memory_store", entry, Afterword_Session=begun).body["result"]
        for entry in entries("older")[:16]
    ]
    replacing = [
        entry | {"supersedes": old["id"]}
        for entry, old in zip(entries("newer"), older[:8], strict=False)
    ]

    superseded = at_once("memory_store", replacing)
    deleted = at_once("memory_delete", [{"id": old["id"]} for old in older[8:]])
    stored = at_once("memory_store", entries("fact"))

    assert statuses(superseded) == {200: 5, 429: 3}
    assert statuses(deleted) == {200: 5, 429: 3}
    assert statuses(stored) == {200: 15, 429: 17}  # 20 with the five that superseded
    told = door.ask("GET", "/v1/memory?limit=100", token="owner").body["memories"]
    assert len(told) == 16 - 5 - 5 + 20


def test_a_client_that_stays_for_days_has_the_limits_of_each_day(
    store: Store, stores: Stores, instance: Store, clock: ManualClock, ids: IdSource
) -> None:
    settings = load(home=stores.home, group=store.name, session_max_stores=2)
    make = partial(
        build_door, settings, embedder=None, roles=RoleRegistry(()), find_turn_model=lambda: None
    )
    agents = Agents(stores, clock, ids, lambda by, handle: make(by, handle), embeds=False)
    token = AccessTokens(instance, clock, ids).issue("agent", store.name).token

    def write(content: str) -> str:
        agent = agents.agent(token, store.name, None)
        call(agent, "memory_store", {"type": "fact", "content": content})
        return agent.handle

    sessions = set()
    for day in range(3):
        sessions |= {write(f"first of day {day}"), write(f"second of day {day}")}
        with pytest.raises(BudgetExceededError):
            write(f"third of day {day}")
        clock.advance(seconds=timedelta(days=1).total_seconds())

    assert len(sessions) == 3


def test_a_full_door_serves_who_is_in_and_tells_everybody_its_health(door: NetworkDoor) -> None:
    inside = request(door, "/v1/manifest")
    health, manifest = request(door, "/health"), request(door, "/v1/manifest")
    with ExitStack() as opened:
        held = [opened.enter_context(connected(door)) for _ in range(MOST_AT_ONCE)]
        assert status(held[0], inside) == 200

        with connected(door) as late:
            assert status(late, health) == 200
        with connected(door) as late:
            late.sendall(manifest)
            refused = everything(late)
        assert refused.startswith(b"HTTP/1.1 503") and b'"code": "unavailable"' in refused
        assert b"retry-after: 1" in refused and refused.endswith(b"}")
        assert status(held[0], inside) == 200

        held.pop().close()
        wait_until(lambda: door.ask("GET", "/v1/manifest").status == 200)


def test_connections_beyond_all_measure_are_closed_unanswered(door: NetworkDoor) -> None:
    with ExitStack() as opened:
        for _ in range(MOST_OPEN):
            opened.enter_context(connected(door))

        with connected(door) as further:
            assert everything(further) == b""


def connected(door: NetworkDoor) -> socket.socket:
    return socket.create_connection(("127.0.0.1", door.port), timeout=30)


def request(door: NetworkDoor, path: str) -> bytes:
    """Return a request of the agent, whose connection stays open."""
    host = f"Host: 127.0.0.1:{door.port}\r\nAuthorization: Bearer {door.tokens['agent']}"
    return f"GET {path} HTTP/1.1\r\n{host}\r\n\r\n".encode()


def status(connection: socket.socket, sent: bytes) -> int:
    """Send a request, read the whole answer, and return its status."""
    connection.sendall(sent)
    head, _, body = connection.recv(1 << 20).partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
    while len(body) < length:
        body += connection.recv(1 << 20)
    return int(head.split()[1])


def everything(connection: socket.socket) -> bytes:
    """Return what arrives until the other side closes."""
    parts = []
    try:
        while part := connection.recv(1 << 16):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)
