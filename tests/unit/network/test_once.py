"""A write has one effect for one key, also where the door is killed in the middle of it."""

import json
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

from afterword.pipeline.testing.network_door import NetworkDoor

ENTRY = {"type": "fact", "content": "The desk closes at 22:00 UTC"}


def contents(door: NetworkDoor) -> list[str]:
    """Return what is remembered, as the owner reads it."""
    found = door.ask("GET", "/v1/memory?limit=100", token="owner").body["memories"]
    return sorted(hit["memory"]["content"] for hit in found)


def store(door: NetworkDoor, content: str, key: str, token: str = "agent") -> tuple[int, object]:
    body = {"type": "fact", "content": content}
    answer = door.ask("POST", "/v1/tools/memory_store", body, token, Idempotency_Key=key)
    return answer.status, answer.body


def test_repeating_a_write_with_its_key_returns_its_answer(door: NetworkDoor) -> None:
    first = store(door, "said once", "repeat")

    assert store(door, "said once", "repeat") == first
    assert contents(door).count("said once") == 1


def test_a_key_of_another_request_is_refused(door: NetworkDoor) -> None:
    store(door, "the first", "taken")

    status, body = store(door, "the second", "taken")

    assert (status, body["field"]) == (422, "Idempotency-Key")
    assert "the second" not in contents(door)


def test_keys_of_two_tokens_are_two_keys(door: NetworkDoor) -> None:
    other = door.issue("agent")

    store(door, "of one token", "shared")
    store(door, "of another token", "shared", other)

    assert {"of one token", "of another token"} <= set(contents(door))


def test_a_refused_write_leaves_its_key_free(door: NetworkDoor) -> None:
    assert store(door, "", "corrected")[0] == 422

    assert store(door, "now with words", "corrected")[0] == 200


def test_the_same_request_many_times_at_once_has_one_effect(door: NetworkDoor) -> None:
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: store(door, "at once", "crowd"), range(24)))

    assert {status for status, _ in answers} == {200}
    assert len({json.dumps(body) for _, body in answers}) == 1
    assert contents(door).count("at once") == 1


def test_a_key_that_cannot_be_kept_is_refused(door: NetworkDoor) -> None:
    assert store(door, "long key", "k" * 256)[1]["field"] == "Idempotency-Key"


def test_the_owner_writes_once_too(door: NetworkDoor) -> None:
    asked = {"content": "I trade from Porto"}
    answers = [
        door.ask("POST", "/v1/memory", asked, "owner", Idempotency_Key="porto") for _ in range(2)
    ]

    assert answers[0].body == answers[1].body
    assert contents(door).count("I trade from Porto") == 1


def test_kills_in_the_middle_of_writes_lose_and_double_nothing(tmp_path: Path) -> None:
    """Four rounds: clients write with keys, the door dies, and each repeats what it asked."""
    chance, written = Random(7), []
    with NetworkDoor(tmp_path / "home", session_max_stores=10_000) as door:
        for turn in range(4):
            wanted = [f"round {turn} of client {client}" for client in range(6)]
            clients = [
                threading.Thread(target=_until_answered, args=(door, content, 30.0))
                for content in wanted
            ]
            for client in clients:
                client.start()
            time.sleep(chance.uniform(0.0, 0.08))
            door.stop(signal.SIGKILL)
            door.start()
            for client in clients:
                client.join()
            written += wanted
        assert contents(door) == sorted(written)


def _until_answered(door: NetworkDoor, content: str, within_s: float) -> None:
    """Repeat a write with its key until it is answered."""
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        try:
            status, _ = store(door, content, content)
        except OSError:
            time.sleep(0.05)  # the door is gone, or cut the connection
        else:
            assert status == 200
            return
    raise AssertionError(content)
