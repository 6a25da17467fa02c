"""One list of cases through command, Python, HTTP and MCP: the same effect, the same words."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.clock import system_clock
from afterword.pipeline.doors.agent import Agent, call
from afterword.pipeline.errors import PipelineError
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.command import Command
from afterword.pipeline.testing.network_door import NetworkDoor

Told = tuple[bool, str]
"""Whether the door did it, and what it said."""

CASES: Mapping[str, tuple[str, dict[str, Any]]] = {
    "stored": ("memory_store", {"type": "preference", "content": "Prefers weekly charts"}),
    "an unknown type": ("memory_store", {"type": "wish", "content": "x"}),
    "no words": ("memory_store", {"type": "fact", "content": " "}),
    "a missing argument": ("memory_store", {"type": "fact"}),
    "an argument of nobody": ("memory_store", {"type": "fact", "content": "x", "colour": "red"}),
    "another type": ("memory_store", {"type": "fact", "content": 3}),
    "too long": ("memory_store", {"type": "fact", "content": "x" * 2_001}),
    "a limit of none": ("memory_search", {"query": "charts", "limit": 0}),
    "a moment": ("memory_search", {"query": "charts", "as_of": "2026-01-01T00:00:00Z"}),
    "nothing of that name": ("memory_delete", {"id": "0" * 32}),
    "an unknown asset": ("memory_compiled_page", {"asset": "!"}),
    "a secret in a refusal": (
        "memory_store",
        {"type": "sk-ant-0123456789abcdef0123", "content": "x"},
    ),
    "a number as text": ("memory_search", {"query": "charts", "limit": "5"}),
    "null": ("memory_search", {"query": "charts", "limit": None}),
}


def by_python(home: Path, tool: str, arguments: dict[str, Any]) -> Told:
    with Agent.open("main", home=home) as agent:
        try:
            return True, json.dumps(call(agent, tool, arguments))
        except PipelineError as refusal:
            return False, str(refusal)


@pytest.fixture(scope="module")
def doors(door: NetworkDoor) -> dict[str, Callable[[str, dict[str, Any]], Told]]:
    def http(tool: str, arguments: dict[str, Any]) -> Told:
        answer = door.ask("POST", f"/v1/tools/{tool}", arguments)
        if answer.status == 200:
            return True, json.dumps(answer.body["result"])
        return False, answer.body["detail"]

    def mcp(tool: str, arguments: dict[str, Any]) -> Told:
        asked = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": tool, "arguments": arguments},
        }
        answer = door.ask(
            "POST",
            "/mcp",
            asked,
            Accept="application/json, text/event-stream",
            MCP_Protocol_Version="2025-11-25",
        )
        result = answer.body["result"]
        return not result.get("isError", False), result["content"][0]["text"]

    def python(tool: str, arguments: dict[str, Any]) -> Told:
        return by_python(door.home, tool, arguments)

    return {"python": python, "http": http, "mcp": mcp}


@pytest.mark.parametrize("case", CASES)
def test_the_doors_do_and_say_the_same(
    doors: dict[str, Callable[[str, dict[str, Any]], Told]], case: str
) -> None:
    tool, arguments = CASES[case]

    told = {name: door(tool, arguments) for name, door in doors.items()}

    assert len({done for done, _ in told.values()}) == 1, told
    if not told["http"][0]:
        assert len({words for _, words in told.values()}) == 1, told


OWNER_CASES: Mapping[str, tuple[list[str], tuple[str, str, object]]] = {
    "an unknown category": (
        ["memory", "write", "wish", "x"],
        ("POST", "/v1/memory", {"category": "wish", "content": "x"}),
    ),
    "no such memory": (["memory", "delete", "999"], ("DELETE", "/v1/memory/999", None)),
    "nothing to restore": (
        ["memory", "restore", "999"],
        ("POST", "/v1/memory/999/restore", None),
    ),
    "a wrong answer": (
        ["profile", "onboard", "--risk", "brave"],
        ("POST", "/v1/profile/onboarding", {"risk": "brave"}),
    ),
    "an unknown task": (
        ["switch", "set", "dream", "on"],
        ("PUT", "/v1/switches/dream", {"mode": "on"}),
    ),
    "no such job": (["jobs", "retry", "999"], ("POST", "/v1/jobs/999/retry", None)),
    "no such entry": (["cron", "run", "tea.time"], ("POST", "/v1/cron/tea.time/run", None)),
    "no such case": (["methodology", "case", "9"], ("GET", "/v1/trading-cases/9", None)),
    "no such trade": (["trades", "show", "abcdef"], ("GET", "/v1/trades/abcdef", None)),
    "no such decision": (["role", "show", "999"], ("GET", "/v1/decisions/999", None)),
}


@pytest.mark.parametrize("case", OWNER_CASES)
def test_the_owner_is_refused_in_the_words_of_the_command(door: NetworkDoor, case: str) -> None:
    line, (method, path, body) = OWNER_CASES[case]

    told = Command(door.home, system_clock, random_uid)(*line)
    answer = door.ask(method, path, body, "owner")

    assert told.code != 0
    assert answer.status in (404, 409, 422)
    assert told.err.strip() == f"afterword: {answer.body['detail']}"


READS: Mapping[str, list[str]] = {
    "/v1/sessions": ["session", "ls"],
    "/v1/profile": ["profile", "show"],
    "/v1/profile/onboarding": ["profile", "onboard", "--status"],
    "/v1/trades": ["trades", "ls"],
    "/v1/decisions": ["role", "list", "--state", "pending"],
    "/v1/trading-cases": ["methodology", "cases"],
    "/v1/dead": ["jobs", "dead"],
    "/v1/budget": ["budget", "show"],
    "/v1/switches": ["switch", "ls"],
    "/v1/audit": ["audit", "show"],
    "/v1/replays": ["replay", "ls"],
    "/v1/cron": ["cron", "ls"],
}


@pytest.mark.parametrize("path", READS)
def test_a_read_is_what_the_command_prints_as_json(door: NetworkDoor, path: str) -> None:
    door.ask("POST", "/v1/tools/memory_store", CASES["stored"][1])

    printed = Command(door.home, system_clock, random_uid)(*READS[path], "--json").json

    answered = door.ask("GET", path, token="owner").body
    if isinstance(answered, dict) and "next" in answered:  # a page of a list
        (answered,) = (answered[name] for name in answered if name != "next")
    assert _timeless(answered) == _timeless(printed)


def _timeless(value: Any) -> Any:
    """Return an answer without what changes while one waits for the other."""
    if isinstance(value, list):
        return [_timeless(item) for item in value]
    if isinstance(value, dict):
        moving = {"at", "now", "reopens_at", "group"}
        return {name: _timeless(item) for name, item in value.items() if name not in moving}
    return value
