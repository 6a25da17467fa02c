"""A real OpenClaw remembers through `afterword serve`: its loader, its Gateway, its MCP client."""

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.doors.agent.offered import USUAL_TOOLS
from afterword.pipeline.testing.chat_server import ChatServer, calls_function, says_text
from afterword.pipeline.testing.network_door import NetworkDoor
from afterword.pipeline.testing.openclaw import (
    MAIN_SESSION,
    OpenClawProcess,
    is_openclaw_installed,
    openclaw_config,
)
from afterword.pipeline.testing.ports import free_port
from afterword.pipeline.testing.process import run_afterword
from afterword.pipeline.testing.wait import wait_until

pytestmark = pytest.mark.clients

OF_A_GROUP = "agent:main:telegram:group:7"
FENCE = "<memory-context>"


@pytest.fixture(scope="module")
def connected(door: NetworkDoor, model: ChatServer) -> OpenClawProcess:
    """An OpenClaw as `afterword connect openclaw` leaves it, with a note in its own memory."""
    if not is_openclaw_installed():
        if os.environ.get("AFTERWORD_TEST_EVERYTHING"):
            pytest.fail("no OpenClawProcess, and nothing may be left out")
        pytest.skip("no OpenClaw; `make .venv/openclaw/.ready` installs it")
    folder, port = door.home.with_name("openclaw"), free_port()
    (folder / "workspace").mkdir(parents=True)
    (folder / "workspace/MEMORY.md").write_text("# Notes\nThe desk allows 1% slippage in SOL.\n")
    (folder / "openclaw.json").write_text(json.dumps(openclaw_config(model.origin, port)))
    store(door, "preference", "Always 0.5% slippage on swaps of SOL")
    door.ask("POST", "/v1/tools/memory_search", {"query": "SOL"})  # the first one loads much
    connect(door, folder)
    return OpenClawProcess(folder, port)


@pytest.fixture(scope="module")
def openclaw(connected: OpenClawProcess) -> Iterator[OpenClawProcess]:
    with connected:
        yield connected


def connect(door: NetworkDoor, folder: Path, *line: str) -> str:
    """Run `afterword connect openclaw`."""
    where = ("--folder", str(folder), "--url", f"http://127.0.0.1:{door.port}")
    done = run_afterword("connect", "openclaw", *where, *line, home=door.home)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    return done.stdout


def store(door: NetworkDoor, type: str, content: str) -> str:
    answer = door.ask("POST", "/v1/tools/memory_store", {"type": type, "content": content})
    uid: str = answer.body["result"]["id"]
    return uid


def turns(door: NetworkDoor) -> list[dict[str, Any]]:
    """Return every turn that is kept, the one begun last at the end."""
    sessions = door.ask("GET", "/v1/sessions", token="owner").body["sessions"]
    stories = [
        door.ask("GET", f"/v1/sessions/{session['uid']}", token="owner").body
        for session in sessions
    ]
    kept = [turn for story in stories for turn in story["turns"]]
    return sorted(kept, key=lambda turn: turn["id"])


def messages(door: NetworkDoor) -> list[str]:
    return [turn["message"] for turn in turns(door)]


def say(
    openclaw: OpenClawProcess, model: ChatServer, text: str, session: str = MAIN_SESSION
) -> str:
    """Send a message that the model answers in a word; return the prompt that it got."""
    model.add(says_text("Fine."))
    openclaw.say(text, session)
    system: str = model.asked[-1]["messages"][0]["content"]
    return system


def test_its_client_of_mcp_lists_our_tools_and_asks_for_no_approval(connected: OpenClawProcess):
    probe = connected.run("mcp", "probe", "afterword", "--json")

    assert probe["tools"] == sorted(f"afterword__{name}" for name in USUAL_TOOLS)
    assert probe["diagnostics"] == []
    assert "approvalHint" not in probe["servers"]["afterword"]


NAMED = "agent:main:telegram:direct:7"
SERVED = {
    MAIN_SESSION: True,
    "agent:main:main:thread:8": True,
    "agent:main:dashboard:5e1f": True,
    NAMED: True,
    "agent:main:telegram:direct:8": False,
    "agent:main:dashboard:incognito-5e1f": False,
    "agent:main:openai-user:ann": False,
    OF_A_GROUP: False,
    "agent:main:discord:channel:7:thread:8": False,
    "agent:main:subagent:5e1f": False,
    "agent:main:cron:nightly:run:1": False,
    "global": False,
    "": False,
}
"""Keys of sessions, and whether the memory serves them."""


def test_it_serves_the_owner_and_whom_the_owner_names(connected: OpenClawProcess):
    scope = connected.folder / "extensions/afterword/scope.js"
    keys = json.dumps(list(SERVED))

    served = connected.evaluate(
        f"import {{ isServed }} from {json.dumps(scope.as_uri())};"
        f"console.log(JSON.stringify({keys}.map((key) => isServed(key, [{json.dumps(NAMED)}]))));"
    )

    assert dict(zip(SERVED, served, strict=True)) == SERVED


def test_its_loader_registers_the_plugin_and_gives_the_slot_to_the_other_if_asked(
    connected: OpenClawProcess, tmp_path: Path, door: NetworkDoor
):
    folder, port = tmp_path / "openclaw", free_port()
    folder.mkdir()
    config = openclaw_config("http://127.0.0.1:9", port)
    config["plugins"]["slots"] = {"memory": "afterword-memory"}
    (folder / "openclaw.json").write_text(json.dumps(config))
    connect(door, folder)

    plugins = OpenClawProcess(folder, port).run(
        "plugins", "inspect", "--all", "--runtime", "--json"
    )

    loaded = {entry["plugin"]["id"]: entry for entry in plugins}
    beside, instead = loaded["afterword"], loaded["afterword-memory"]
    assert [entry["plugin"]["status"] for entry in (beside, instead)] == ["loaded", "loaded"]
    assert [entry["diagnostics"] for entry in (beside, instead)] == [[], []]
    hooks = [hook["name"] for hook in beside["typedHooks"]]
    assert hooks == ["agent_end", "before_prompt_build", "session_end"]
    assert instead["plugin"]["memorySlotSelected"] is True


def test_a_search_finds_our_rows_beside_its_own(openclaw: OpenClawProcess):
    found: dict[str, dict[str, Any]] = {}

    def is_found() -> bool:
        """Search once more: on a loaded machine one of the two may be late at first."""
        answer = openclaw.call("memory_search", query="slippage SOL", corpus="all")
        found.update({hit["corpus"]: hit for hit in answer["results"]})
        return len(answer["results"]) == 2

    wait_until(is_found, 60)
    assert found["afterword"]["snippet"] == "Always 0.5% slippage on swaps of SOL"
    assert "1% slippage" in found["memory"]["snippet"]
    whole = openclaw.call("memory_get", path=found["afterword"]["path"], corpus="wiki")
    assert (whole["status"], whole["text"]) == ("ok", found["afterword"]["snippet"])


def test_a_group_chat_gets_nothing_and_nothing_of_it_is_kept(
    openclaw: OpenClawProcess, model: ChatServer, door: NetworkDoor
):
    told = say(openclaw, model, "What is my slippage?", OF_A_GROUP)
    found = openclaw.call("memory_search", OF_A_GROUP, query="slippage SOL", corpus="wiki")

    assert FENCE not in told
    assert found["results"] == []
    assert "What is my slippage?" not in messages(door)


def test_prompts_of_a_session_begin_with_the_same_memory(
    openclaw: OpenClawProcess, model: ChatServer, door: NetworkDoor
):
    first = until_told(openclaw, model, MAIN_SESSION)
    store(door, "fact", "The desk closes at 22:00 UTC")
    second = say(openclaw, model, "Again")
    other = until_told(openclaw, model, "agent:main:dashboard:1")

    assert "Always 0.5% slippage on swaps of SOL" in block(first)
    assert block(second) == block(first)
    assert "The desk closes at 22:00 UTC" in block(other)


def until_told(openclaw: OpenClawProcess, model: ChatServer, session: str) -> str:
    """Return the first prompt of a session with our memory: a loaded server may be late before."""
    prompts = (say(openclaw, model, f"Message {number}", session) for number in range(20))
    return next(prompt for prompt in prompts if FENCE in prompt)


def block(prompt: str) -> str:
    return prompt[prompt.index(FENCE) : prompt.index("</memory-context>")]


def test_a_turn_is_kept_with_its_tools_and_without_what_was_recalled(
    openclaw: OpenClawProcess, model: ChatServer, door: NetworkDoor
):
    teach(door, "odds on polymarket", "Read the page of the market first.")
    repeated = f"As I know: {FENCE}\nRead the page\n</memory-context>\nThey are 70%."

    def is_told() -> bool:
        model.add(calls_function("memory_search", query="odds"), says_text(repeated))
        openclaw.say("What are the odds on polymarket today?")
        return "Read the page of the market first." in json.dumps(model.asked[-1]["messages"])

    wait_until(is_told, 60)
    wait_until(lambda: turns(door)[-1]["outcome"], 60)

    kept = turns(door)[-1]
    assert kept["message"] == "What are the odds on polymarket today?"
    assert kept["outcome"] == "succeeded"
    assert FENCE not in kept["reply"]
    assert kept["reply"].endswith("They are 70%.")
    (call,) = kept["tool_calls"]
    assert (call["name"], call["arguments"]) == ("memory_search", {"query": "odds"})


def teach(door: NetworkDoor, trigger: str, guidance: str) -> None:
    """Let a turn of another client teach something."""
    turn = door.ask("POST", "/v1/turns", {"message": f"Tell me the {trigger}"}).body["turn"]
    body = {"trigger": trigger, "guidance": guidance}
    assert door.ask("POST", "/v1/tools/memory_learn", body).status == 200
    done = {"outcome": "succeeded", "reply": "70%"}
    assert door.ask("PATCH", f"/v1/turns/{turn}", done).status == 200


def test_a_heartbeat_is_no_turn_of_a_user(
    openclaw: OpenClawProcess, model: ChatServer, door: NetworkDoor
):
    before, asked = messages(door), model.requests
    model.add(says_text("NO_REPLY"))

    openclaw.wake("Look at the desk")
    wait_until(lambda: model.requests > asked, 60)
    say(openclaw, model, "Are you there?")
    wait_until(lambda: messages(door) != before, 60)

    assert "Look at the desk" in json.dumps(model.asked[asked]["messages"])
    assert messages(door) == [*before, "Are you there?"]


@pytest.mark.parametrize("fault", ["dies", "hangs"])
def test_no_turn_fails_with_the_server_and_all_are_kept_once_it_is_back(
    fault: str, openclaw: OpenClawProcess, model: ChatServer, door: NetworkDoor
):
    said = [f"{number} while it {fault}" for number in ("one", "two", "three")]
    model.add(*[says_text(f"Reply {number}.") for number in range(3)])
    before = messages(door)
    door.send_signal(signal.SIGKILL if fault == "dies" else signal.SIGSTOP)

    replies = [openclaw.say(text) for text in said]
    found = openclaw.call("memory_search", query="slippage SOL", corpus="all")

    assert replies == ["Reply 0.", "Reply 1.", "Reply 2."]
    assert [hit["path"] for hit in found["results"]] == ["MEMORY.md"]
    assert "unavailable" in found["warning"]  # the model is told that this is not all
    if fault == "dies":
        door.stop()
        door.start()
    else:
        door.send_signal(signal.SIGCONT)

    def is_kept() -> bool:
        say(openclaw, model, f"Back after it {fault}")
        return set(said) <= set(messages(door))

    wait_until(is_kept, 60)
    kept = [message for message in messages(door) if message in said]
    assert sorted(kept) == sorted(said)
    assert set(before) <= set(messages(door))


def test_the_check_says_that_it_is_used(openclaw: OpenClawProcess, door: NetworkDoor):
    check = connect(door, openclaw.folder, "--check")

    assert "NO" not in check
    assert "the last session began" in check
