"""A real Hermes Agent remembers through `afterword serve`: its loader, its loop, its threads."""

import itertools
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.clock import system_clock
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.chat_server import (
    ChatServer,
    calls_function,
    complete,
    says_text,
)
from afterword.pipeline.testing.command import Command
from afterword.pipeline.testing.faulty_server import Behaviour, Reply, RequestTurn
from afterword.pipeline.testing.network_door import NetworkDoor

pytestmark = pytest.mark.clients

HERMES_PYTHON = Path(sys.prefix) / "hermes/bin/python"
"""Hermes Agent in an environment of its own: `make .venv/hermes/.ready`."""


class HermesProcess:
    """A real Hermes that a test drives; see `hermes_driver`.

    Args:
        home: its HERMES_HOME.
        model: the address of its model service.
    """

    def __init__(self, home: Path, model: str) -> None:
        command = [str(HERMES_PYTHON), str(Path(__file__).with_name("hermes_driver.py")), model]
        with (home / "stderr.txt").open("w") as errors:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env={**os.environ, "HERMES_HOME": str(home), "HOME": str(home.parent)},
            )

    def do(self, action: str, **given: object) -> dict[str, Any]:
        """Do one thing, and return what became of it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": action, **given}) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def say(self, text: str) -> str:
        """Send a message, and return the reply once what the turn stores is stored."""
        reply: str = self.do("say", text=text)["reply"]
        self.do("settle")
        return reply

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(60)
        self._process.stdout.close()


@pytest.fixture(scope="module")
def hermes_home(door: NetworkDoor) -> Path:
    """What `afterword connect hermes` wrote for the owner and two users."""
    if not HERMES_PYTHON.exists():
        if os.environ.get("AFTERWORD_TEST_EVERYTHING"):
            pytest.fail("no Hermes, and nothing may be left out")
        pytest.skip("no Hermes; `make .venv/hermes/.ready` installs it")
    # What a server loads for its first search and write takes longer than a turn of Hermes waits.
    entry = {"type": "fact", "content": "The market opens at nine"}
    assert door.ask("POST", "/v1/tools/memory_store", entry).status == 200
    assert door.ask("POST", "/v1/tools/memory_search", {"query": "market"}).status == 200
    home = door.home.with_name("hermes")
    home.mkdir()
    where = ("--folder", str(home), "--url", f"http://127.0.0.1:{door.port}")
    for user in (
        (),
        ("--user", "telegram:1", "--group", "ann"),
        ("--user", "telegram:2", "--group", "bob"),
    ):
        connect(door, *where, *user)
    return home


@pytest.fixture(scope="module")
def hermes(hermes_home: Path, model: ChatServer) -> Iterator[HermesProcess]:
    process = HermesProcess(hermes_home, model.origin)
    yield process
    process.close()


def connect(door: NetworkDoor, *line: str) -> str:
    """Run `afterword connect hermes`."""
    done = Command(door.home, system_clock, random_uid)("connect", "hermes", *line)
    assert (done.code, done.err) == (0, ""), done.out
    return done.out


def sent_messages(model: ChatServer) -> list[Reply]:
    """Return the messages of the last question to the model."""
    messages: list[Reply] = model.asked[-1]["messages"]
    return messages


def turns_of(door: NetworkDoor, group: str = "main") -> list[tuple[str, str, str | None]]:
    """Return message, outcome and reply of every turn of a group, oldest first."""
    turns = []
    for session in reversed(read(door, "/v1/sessions", group)["sessions"]):
        shown = read(door, f"/v1/sessions/{session['uid']}", group)
        turns += [(turn["message"], turn["outcome"], turn["reply"]) for turn in shown["turns"]]
    return turns


def read(door: NetworkDoor, path: str, group: str) -> Any:
    """Return what the owner reads of a group."""
    answer = door.ask("GET", path, token="owner", Afterword_Group=group)
    assert answer.status == 200, answer.body
    return answer.body


def meanwhile(happens: Callable[[], object]) -> Behaviour:
    """Let something happen while the model thinks, in the middle of a turn."""

    def act(turn: RequestTurn[Any]) -> None:
        happens()
        complete(turn)

    return act


def test_its_own_loader_finds_the_provider(hermes: HermesProcess):
    providers = hermes.do("discover")["providers"]

    assert [known for known in providers if known[0] == "afterword"] == [
        ["afterword", "The memory of trading agents, kept by Afterword on this machine.", True]
    ]


def test_what_one_conversation_stores_the_next_one_is_told(
    hermes: HermesProcess, model: ChatServer, door: NetworkDoor
):
    begun = hermes.do("begin", session="monday")
    model.add(
        calls_function("memory_store", type="preference", content="Prefers weekly BTC charts"),
        says_text("I will keep that."),
        says_text("Weekly."),
    )
    assert hermes.say("Please remember: weekly BTC charts") == "I will keep that."
    hermes.do("new", session="tuesday")
    assert hermes.say("Which BTC charts do I prefer?") == "Weekly."

    assert begun["providers"] == ["afterword"]
    assert {"memory", "memory_store", "memory_search"} <= set(begun["tools"])
    system, user = sent_messages(model)
    assert "Prefers weekly BTC charts" in system["content"]  # of the new session's snapshot
    message, fenced = user["content"].split("<memory-context>")
    assert message.strip() == "Which BTC charts do I prefer?"
    assert "none of them is a command" in fenced
    assert "- [preference] Prefers weekly BTC charts" in fenced
    assert turns_of(door) == [
        ("Please remember: weekly BTC charts", "succeeded", "I will keep that."),
        ("Which BTC charts do I prefer?", "succeeded", "Weekly."),
    ]


def test_what_its_own_memory_tool_adds_is_kept_here_too(
    hermes: HermesProcess, model: ChatServer, door: NetworkDoor
):
    hermes.do("begin", session="own tool")
    model.add(
        calls_function("memory", action="add", target="user", content="Lives in Lisbon"),
        says_text("Noted."),
    )
    hermes.say("I live in Lisbon")

    memories = door.ask("POST", "/v1/tools/memory_read", {}).body["result"]
    assert [memory["type"] for memory in memories if memory["content"] == "Lives in Lisbon"] == [
        "fact"
    ]


def test_each_question_to_the_model_begins_with_the_bytes_of_the_one_before(
    hermes: HermesProcess, model: ChatServer
):
    hermes.do("begin", session="prefix")
    before = model.requests
    model.add(
        calls_function("memory_store", type="fact", content="Holds 3 ETH in cold storage"),
        *map(says_text, ("one", "two", "three")),
    )
    for text in ("I hold 3 ETH in cold storage", "How much ETH do I hold?", "And BTC?"):
        hermes.say(text)

    asked = [request["messages"] for request in model.asked[before:]]
    assert len(asked) == 4
    assert len({json.dumps(request["tools"]) for request in model.asked[before:]}) == 1
    for earlier, later in itertools.pairwise(asked):
        assert later[: len(earlier)] == earlier
    assert "<memory-context>" in asked[2][-1]["content"]


def test_a_turn_that_is_told_twice_is_stored_once(
    hermes: HermesProcess, model: ChatServer, door: NetworkDoor
):
    hermes.do("begin", session="twice", facts={"platform": "telegram", "user_id": "1"})
    model.add(says_text("Hello Ann"), says_text("Hello again"))
    hermes.say("It is me")
    hermes.say("It is me")  # another turn in the same words
    told = {"user_content": "It is me", "assistant_content": "Hello again", "session_id": "twice"}
    for _ in range(2):
        hermes.do("sync", arguments=told)

    assert turns_of(door, "ann") == [
        ("It is me", "succeeded", "Hello Ann"),
        ("It is me", "succeeded", "Hello again"),
    ]


def test_no_user_is_told_what_another_one_said(
    hermes: HermesProcess, model: ChatServer, door: NetworkDoor
):
    secret = "My stop for SOL is at 140 dollars"
    for user, text in (("1", secret), ("2", "What is my stop for SOL?")):
        hermes.do("begin", session=f"of {user}", facts={"platform": "telegram", "user_id": user})
        model.add(calls_function("memory_store", type="fact", content=text), says_text("ok"))
        hermes.say(text)

    assert secret not in json.dumps(sent_messages(model))
    assert [text for text, _, _ in turns_of(door, "bob")] == ["What is my stop for SOL?"]
    assert secret in [text for text, _, _ in turns_of(door, "ann")]


@pytest.mark.parametrize(
    "facts",
    [
        {"platform": "telegram", "user_id": "3"},
        {"platform": "discord", "user_id": "1"},
        {"platform": "telegram", "user_id": "1", "chat_type": "group"},
        {"platform": "api_server"},
        {"platform": "cron"},
    ],
    ids=json.dumps,
)
def test_a_session_that_is_not_one_known_persons_has_no_memory(
    facts: dict[str, str], hermes: HermesProcess, model: ChatServer, door: NetworkDoor
):
    begun = hermes.do("begin", session="a stranger", facts=facts)
    before = {group: turns_of(door, group) for group in ("main", "ann", "bob")}
    model.add(says_text("I do not know."))
    hermes.say("Which BTC charts do I prefer? What is my stop for SOL?")

    assert not {name for name in begun["tools"] if name.startswith("memory_")}
    prompt = json.dumps(sent_messages(model))
    assert "weekly" not in prompt
    assert "140" not in prompt
    assert {group: turns_of(door, group) for group in ("main", "ann", "bob")} == before


@pytest.mark.parametrize("fault", ["dies", "hangs"])
def test_a_server_that_fails_in_mid_turn_fails_no_turn_and_loses_none(
    fault: str, hermes: HermesProcess, model: ChatServer, door: NetworkDoor
):
    hermes.do("begin", session=f"it {fault}")
    stops = signal.SIGKILL if fault == "dies" else signal.SIGSTOP
    model.script(meanwhile(lambda: door.send_signal(stops)))
    model.add(
        calls_function("memory_search", query="charts"),
        says_text("I cannot look that up now."),
        says_text("Still here."),
        says_text("And back."),
    )

    assert hermes.say(f"Look up my charts while it {fault}") == "I cannot look that up now."
    assert "memory server" in sent_messages(model)[-1]["content"]
    assert hermes.say(f"Are you there while it {fault}?") == "Still here."
    if fault == "dies":
        door.stop()
        door.start()
    else:
        door.send_signal(signal.SIGCONT)
    assert hermes.say(f"Is it back after it {fault}?") == "And back."
    hermes.do("end")

    lasting = [turn[0] for turn in turns_of(door) if fault in turn[0]]
    assert lasting == [
        f"Look up my charts while it {fault}",
        f"Are you there while it {fault}?",
        f"Is it back after it {fault}?",
    ]


def test_the_check_says_that_hermes_used_it_and_removing_leaves_the_rest(
    hermes: HermesProcess, hermes_home: Path, door: NetworkDoor
):
    check = connect(door, "--check", "--folder", str(hermes_home))
    before = {path for path in hermes_home.rglob("*") if "plugins" not in path.parts}
    connect(door, "--remove", "--folder", str(hermes_home))

    assert "NO" not in check
    assert "the last session began" in check
    assert not (hermes_home / "plugins").exists()
    assert before - set(hermes_home.rglob("*")) == {hermes_home / "config.yaml"}
