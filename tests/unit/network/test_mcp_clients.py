"""Two generations of the MCP SDK over HTTP: the tools, their hints, refusals, sessions, limits."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.model import Limits
from afterword.pipeline.doors.agent import Agent, schema
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.doors.agent.offered import USUAL_TOOLS
from afterword.pipeline.doors.http.agents import Agents
from afterword.pipeline.doors.mcp.offer import tool
from afterword.pipeline.errors import BudgetExceededError
from afterword.pipeline.gateway.access.model import AccessToken
from afterword.pipeline.testing.network_door import NetworkDoor

SCRIPT = Path(__file__).parents[2] / "flow/mcp_sdk_client.py"
OLD_SDK = Path(sys.prefix) / "mcp-1.26/bin/python"
SDKS: dict[str, tuple[Path, dict[str, str]]] = {
    "1.26": (OLD_SDK, {}),
    "2.x, with a handshake": (Path(sys.executable), {}),
    "2.x, without one": (Path(sys.executable), {"revision": "2026-07-28"}),
}
STORED = ("memory_store", {"type": "fact", "content": "The desk trades perps"})
REFUSED = ("memory_store", {"type": "wish", "content": "x"})


@pytest.fixture
def narrow(tmp_path: Path) -> Iterator[NetworkDoor]:
    with NetworkDoor(tmp_path / "home", session_max_stores=2) as door:
        yield door


def sdk(
    door: NetworkDoor, client: str, *calls: tuple[str, dict[str, Any]], **headers: str
) -> dict[str, Any]:
    """Return what a client of the SDK is told over HTTP."""
    python, given = SDKS[client]
    if not python.exists():
        if os.environ.get("AFTERWORD_TEST_EVERYTHING"):
            pytest.fail(f"{python} is missing, and nothing may be left out")
        pytest.skip("no client of release 1.26; `make .venv/mcp-1.26/.ready` installs it")
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    token = {"Authorization": f"Bearer {door.tokens['agent']}"}
    url = f"http://127.0.0.1:{door.port}/mcp"
    asked = {"url": url, "headers": token | named, "calls": calls, **given}
    done = subprocess.run(
        [python, SCRIPT, json.dumps(asked)], capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def said(answer: dict[str, Any]) -> str:
    text: str = answer["content"][0]["text"]
    return text


@pytest.mark.parametrize("client", SDKS)
def test_each_generation_finds_the_tools_with_their_hints_and_reads_a_refusal(
    client: str, door: NetworkDoor
) -> None:
    told = sdk(door, client, STORED, REFUSED)

    assert told["revision"] == SDKS[client][1].get("revision", "2025-11-25")
    assert [offer["name"] for offer in told["tools"]] == list(USUAL_TOOLS)
    for offer in told["tools"]:
        hints = tool(offer["name"]).annotations
        assert hints is not None
        assert offer["annotations"] == hints.model_dump(by_alias=True, exclude_none=True)
        arguments = {**offer["inputSchema"], "description": offer["description"]}
        assert arguments == schema(offer["name"])
    stored, refused = told["answers"]
    assert stored["structuredContent"]["category"] == "fact"
    assert refused["isError"]
    assert said(refused).startswith("type: 'wish' is unknown; accepted: preference, fact")


def test_the_limit_of_a_session_holds_over_both_doors_and_a_new_client(
    narrow: NetworkDoor,
) -> None:
    client = "2.x, without one"
    stored = narrow.ask("POST", "/v1/tools/memory_store", {"type": "fact", "content": "by HTTP"})
    first = sdk(narrow, client, STORED)["answers"]
    again = sdk(narrow, client, STORED)["answers"]  # the same day, and so the same session
    handle = narrow.ask("POST", "/v1/sessions", {}).body["handle"]
    own = sdk(narrow, client, STORED, Afterword_Session=handle)["answers"]
    strange = sdk(narrow, client, STORED, Afterword_Session="forged")["answers"]

    assert stored.status == 200
    assert not first[0]["isError"]
    assert "2 of its 2 stores" in said(again[0])
    assert not own[0]["isError"]
    assert "this session is not known here" in said(strange[0])
    assert [again[0]["isError"], strange[0]["isError"]] == [True, True]


def test_a_client_that_stays_for_days_gets_a_session_with_each_day(stores, clock, ids) -> None:
    def make(by: Writer, handle: str) -> Door:
        return Door(by, handle, limits=Limits(stores=1))

    agents = Agents(stores, clock, ids, make, embeds=False)
    token = AccessToken(1, "agent", "main", "openclaw", datetime(2026, 1, 1, tzinfo=UTC), None)

    def agent() -> Agent:
        return agents.agent(token, "main", None)

    agent().memory_store("fact", "of the first day")
    first = agent().session
    with pytest.raises(BudgetExceededError):
        agent().memory_store("fact", "one more")
    clock.advance(days=1)
    agent().memory_store("fact", "of the second day")

    assert agent().session != first
