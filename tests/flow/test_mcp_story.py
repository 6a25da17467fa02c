"""A model stores something through an MCP client, and a later client's model finds it."""

import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any, get_args

import pytest

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import Store, StoreOptions, Stores, writing
from afterword.pipeline.domain.sessions.read import read_sessions
from afterword.pipeline.doors.agent import schema
from afterword.pipeline.doors.agent.offered import USUAL_TOOLS
from afterword.pipeline.doors.mcp.offer import tool as tool_of
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.mcp_process import McpProcess, Revision
from afterword.pipeline.testing.process import command_of

SCRIPT = Path(__file__).with_name("mcp_sdk_client.py")
OLD_SDK = Path(sys.prefix) / "mcp-1.26/bin/python"
"""Release 1.26 of the SDK in an environment of its own: `make .venv/mcp-1.26/.ready`."""

SDKS = {
    "1.26": (OLD_SDK, {}),
    "2.x, with a handshake": (Path(sys.executable), {}),
    "2.x, without one": (Path(sys.executable), {"revision": "2026-07-28"}),
}
REVISIONS: tuple[Revision, ...] = ("2025-11-25", "2026-07-28")


def hints_of(name: str) -> dict[str, bool]:
    """Return the hints of a tool as a client reads them."""
    hints = tool_of(name).annotations
    assert hints is not None
    return hints.model_dump(mode="json", by_alias=True, exclude_none=True)


def sdk(python: Path, given: dict[str, Any], home: Path, *calls: tuple[str, dict[str, Any]]) -> Any:
    """Return what a client of the SDK is told."""
    if not python.exists():
        if os.environ.get("AFTERWORD_TEST_EVERYTHING"):
            pytest.fail(f"{python} is missing, and nothing may be left out")
        pytest.skip("no client of release 1.26; `make .venv/mcp-1.26/.ready` installs it")
    command, *args = command_of("mcp", home=home)
    asked = {"command": command, "args": args, "calls": calls, **given}
    done = subprocess.run(
        [python, SCRIPT, json.dumps(asked)], capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@pytest.mark.parametrize("client", SDKS)
def test_what_one_client_stores_the_next_one_finds(client: str, home: Path):
    python, given = SDKS[client]
    preference = {"type": "preference", "content": "Wants weekly charts"}
    monday = sdk(
        python, given, home, ("memory_store", preference), ("memory_store", {"type": "wish"})
    )
    tuesday = sdk(python, given, home, ("memory_search", {"query": "charts"}), ("memory_brief", {}))

    assert monday["revision"] == given.get("revision", "2025-11-25")
    if not given:
        assert monday["server"] == {"name": "afterword", "version": version("afterword")}
        assert monday["instructions"].startswith("Begin with `memory_brief`.\n\n# Your memory")
    assert [tool["name"] for tool in monday["tools"]] == list(USUAL_TOOLS)
    for tool in monday["tools"]:
        assert {**tool["inputSchema"], "description": tool["description"]} == schema(tool["name"])
        assert tool["annotations"] == hints_of(tool["name"])
    stored, refused = monday["answers"]
    assert (stored["isError"], refused["isError"]) == (False, True)
    assert refused["content"][0]["text"].startswith("content: is missing; accepted: ")
    found, brief = tuesday["answers"]
    (hit,) = found["structuredContent"]["result"]
    assert hit["id"] == stored["structuredContent"]["id"]
    assert hit["content"] == "Wants weekly charts"
    assert "[preference] Wants weekly charts" in brief["structuredContent"]["text"]


@pytest.mark.parametrize("revision", get_args(Revision))
def test_every_revision_of_the_protocol_is_spoken(revision: Revision, home: Path):
    with McpProcess(home, revision=revision) as client:
        told = client.begin()
        tools = client.ask("tools/list")["tools"]
        answer = client.call("memory_store", {"type": "fact", "content": "Trades perps"})
        client.leave()

    assert told.get("protocolVersion", "2026-07-28") == revision
    assert "`memory_store`" in told["instructions"]
    assert [tool["name"] for tool in tools] == list(USUAL_TOOLS)
    assert json.loads(answer["content"][0]["text"])["category"] == "fact"


@pytest.mark.parametrize("revision", REVISIONS)
def test_one_process_is_one_session_with_the_limits_of_a_session(revision: Revision, home: Path):
    with McpProcess(home, revision=revision, session_max_stores=2) as client:
        client.begin()
        for number in range(2):
            client.told("memory_store", {"type": "context", "content": f"note {number}"})
        refusal = client.refused("memory_store", {"type": "context", "content": "one more"})
        assert "2 of its 2 stores" in refusal
        assert client.leave() == 0
    with McpProcess(home, revision=revision) as client:
        client.begin()
        client.told("memory_store", {"type": "context", "content": "another session"})

    stores = Stores(home, StoreOptions(), system_clock, random_uid)
    sessions = read_sessions(stores.group("main"), 10)
    stores.close()
    assert [(one.label, one.stores, bool(one.ended_at)) for one in sessions] == [
        ("mcp", 1, True),
        ("mcp", 2, True),
    ]


def test_a_tool_that_waits_for_another_writer_does_not_keep_the_client_waiting(
    home: Path, store: Store
):
    with McpProcess(home) as client:
        client.begin()
        with writing(store):
            given = {"type": "context", "content": "waited"}
            asked = client.request("tools/call", {"name": "memory_store", "arguments": given})
            assert client.ask("ping") == {}
        assert client.reply_to(asked)["result"]["isError"] is False


def test_all_tools_are_offered_where_the_owner_says_so(home: Path):
    with McpProcess(home, mcp_tools="all") as client:
        told = client.begin()
        assert "trade_record" in [tool["name"] for tool in client.ask("tools/list")["tools"]]
        assert "`trade_record`" in told["instructions"]
        assert client.told("profile_read") == {}


def test_nothing_but_the_protocol_reaches_stdout(home: Path):
    (home / "skills").mkdir(parents=True)
    (home / "skills" / "chatty.py").write_text(
        "import os, warnings\n"
        "print('printed'); os.system('echo shouted'); warnings.warn('warned')\n"
        "TOOLS = {'coin': lambda params, prices, known_by: None}\n"
    )
    with McpProcess(home) as client:
        client.send({"jsonrpc": "2.0", "id": 1, "method": "ping"})
        first = json.loads(client.line())
        client.leave()

        assert first == {"jsonrpc": "2.0", "id": 1, "result": {}}
        assert all(word in client.log for word in ("printed", "shouted", "warned"))


def test_a_person_who_starts_it_in_a_terminal_is_told_what_it_waits_for(home: Path):
    keyboard, terminal = os.openpty()
    server = subprocess.Popen(command_of("mcp", home=home), stdin=terminal, stderr=subprocess.PIPE)
    os.close(terminal)
    assert server.stderr is not None
    said = server.stderr.readline()
    os.write(keyboard, b"\x04")

    assert server.wait(60) == 0
    assert said == b"afterword: waiting for an MCP client, which starts this itself\n"
    server.stderr.close()
    os.close(keyboard)


def test_a_setting_that_is_wrong_ends_the_start_with_one_line(home: Path):
    with McpProcess(home, mcp_tools="some") as client:
        assert client.ended() == 2
        assert client.log.startswith("afterword: AFTERWORD_MCP_TOOLS: ")
        assert client.log.count("\n") == 1
