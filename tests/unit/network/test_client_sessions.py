"""A session belongs to the token that began it, and the limits hold however a client turns."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from afterword.pipeline.testing.network_door import NetworkDoor


@pytest.fixture
def narrow(tmp_path: Path) -> Iterator[NetworkDoor]:
    """A door with few writes: 3 in a session, 8 of a token on a day."""
    settings = {"session_max_stores": 3, "token_daily_writes": 8}
    with NetworkDoor(tmp_path / "home", **settings) as door:
        yield door


def store(door: NetworkDoor, content: str, **named: str) -> int:
    body = {"type": "fact", "content": content}
    return door.ask("POST", "/v1/tools/memory_store", body, **named).status


def begin(door: NetworkDoor, **named: str) -> str:
    handle: str = door.ask("POST", "/v1/sessions", {}, **named).body["handle"]
    return handle


def test_a_session_holds_its_limit_over_threads_and_restarts(narrow: NetworkDoor) -> None:
    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(lambda number: store(narrow, f"fact {number}"), range(6)))
    assert sorted(answers) == [200, 200, 200, 429, 429, 429]

    narrow.stop()
    narrow.start()

    assert store(narrow, "after the restart") == 429


def test_new_sessions_do_not_pass_the_limit_of_the_token(narrow: NetworkDoor) -> None:
    written = []
    for number in range(8):
        try:
            handle = begin(narrow)
        except KeyError:  # to begin one is a write as well
            break
        written.append(store(narrow, f"fact {number}", Afterword_Session=handle))

    assert written.count(200) == 4  # with four sessions that were begun: eight writes

    refused = narrow.ask("POST", "/v1/tools/memory_store", {"type": "fact", "content": "more"})
    assert (refused.status, refused.body["code"]) == (429, "limit_reached")
    assert 0 < refused.body["retry_after"] <= 86_400
    assert refused.headers["retry-after"] == str(refused.body["retry_after"])


def test_a_session_of_another_token_is_as_unknown_as_none(door: NetworkDoor) -> None:
    other = door.issue("agent")
    handle = begin(door)
    body = {"type": "fact", "content": "x"}

    answers = [
        door.ask("POST", "/v1/tools/memory_store", body, other, Afterword_Session=name)
        for name in (handle, "sess-" + "0" * 32, "forged", "main")
    ]

    assert {answer.status for answer in answers} == {404}
    assert len({answer.body["detail"] for answer in answers}) == 1


def test_what_a_session_begins_with_stays_the_same(door: NetworkDoor) -> None:
    handle = begin(door)
    first = door.ask("GET", "/v1/snapshot", Afterword_Session=handle).body

    store(door, "written meanwhile")
    later = door.ask("GET", "/v1/snapshot", Afterword_Session=handle).body
    fresh = door.ask("GET", "/v1/snapshot", Afterword_Session=begin(door)).body

    assert later == first
    assert "written meanwhile" in fresh["text"]


def test_a_turn_is_begun_and_finished_in_its_session(door: NetworkDoor) -> None:
    handle = begin(door)
    turn = door.ask("POST", "/v1/turns", {"message": "Buy BTC?"}, Afterword_Session=handle).body[
        "turn"
    ]
    call = {"name": "quote", "arguments": {"api_key": "sk-ant-0123456789abcdef0123"}}
    done = {"outcome": "succeeded", "reply": "No.", "tool_calls": [call]}

    finished = door.ask("PATCH", f"/v1/turns/{turn}", done, Afterword_Session=handle)
    again = door.ask("PATCH", f"/v1/turns/{turn}", done, Afterword_Session=handle)
    other = door.ask("PATCH", f"/v1/turns/{turn}", {"outcome": "failed"}, Afterword_Session=handle)
    elsewhere = door.ask("PATCH", f"/v1/turns/{turn}", done, Afterword_Session=begin(door))

    assert [answer.status for answer in (finished, again, other, elsewhere)] == [200, 200, 409, 404]
    uid = door.ask("GET", "/v1/sessions?limit=1000", token="owner").body["sessions"]
    stories = [door.ask("GET", f"/v1/sessions/{one['uid']}", token="owner").body for one in uid]
    assert "sk-ant" not in str(stories)


def test_an_ended_session_takes_nothing_more(door: NetworkDoor) -> None:
    handle = begin(door)
    door.ask("POST", "/v1/sessions/end", Afterword_Session=handle)

    assert store(door, "too late", Afterword_Session=handle) == 422


def test_a_token_goes_on_after_it_ended_the_session_of_the_day(door: NetworkDoor) -> None:
    token = door.issue("agent")
    assert store(door, "before", token=token) == 200

    door.ask("POST", "/v1/sessions/end", token=token)

    assert store(door, "after", token=token) == 200
