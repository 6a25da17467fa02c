"""Whatever a client sends, it is answered, nothing of it is kept, and the next call works."""

from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.doors.mcp.wire import MAX_MESSAGE_BYTES, MAX_MESSAGE_VALUES
from afterword.pipeline.testing.mcp_process import McpProcess, Revision

MEGABYTE = 1_000_000
ROLE = "market.spot.momentum"


def nested(depth: int) -> list[Any]:
    inner: list[Any] = []
    for _ in range(depth):
        inner = [inner]
    return inner


HOSTILE: list[tuple[str, dict[str, Any], str]] = [
    (
        "memory_store",
        {"type": "fact", "content": "a" * MEGABYTE},
        "content: has 1000000 characters",
    ),
    ("memory_store", {"type": "fact", "content": "a\0b"}, "content: holds a NUL"),
    ("memory_store", {"type": "fact", "content": "cut \ud83d"}, "content: holds a NUL or half a"),
    ("memory_store", {"type": "fact", "content": float("nan")}, "content: nan is not text; "),
    ("memory_store", {"type": "fact", "content": None}, "content: a NoneType is not text; "),
    ("memory_store", {"type": "fact", "content": nested(300)}, "content: a list is not text; "),
    ("memory_store", {"type": "fact", "content": "x", "tags": "abc"}, "tags: "),
    (
        "memory_store",
        {"type": "fact", "content": "x", "tags": ["a" * MEGABYTE]},
        "tags[0]: has 100",
    ),
    ("memory_store", {"type": "fact", "content": "x", "tags": ["a"] * 200_000}, "tags: has 2000"),
    ("memory_store", {"type": ["fact"], "content": "x"}, "type: a list is not text; "),
    ("memory_write", {"category": "lesson", "content": "b" * MEGABYTE}, "content: has 1000000"),
    ("memory_write", {"category": "lesson", "content": "x", "metadata": nested(2)}, "metadata: "),
    (
        "memory_write",
        {"category": "lesson", "content": "x", "metadata": {"a": nested(300)}},
        "metadata: is nested too deeply; accepted: 8 levels",
    ),
    (
        "memory_write",
        {"category": "lesson", "content": "x", "metadata": {"a": "b" * MEGABYTE}},
        "metadata: is too large",
    ),
    (
        "memory_write",
        {"category": "lesson", "content": "x", "metadata": {"a": float("inf")}},
        "metadata: holds inf; accepted: finite numbers",
    ),
    ("memory_write", {"category": "lesson", "content": "x", "metadata": {"\ud83d": 1}}, ""),
    ("memory_delete", {"id": "a" * MEGABYTE}, ""),
    ("memory_delete", {"id": "\0"}, ""),
    ("memory_search", {"query": 5}, "query: 5 is not text; "),
    ("memory_search", {"limit": "5x"}, "limit: '5x' is not a whole number; "),
    ("memory_search", {"limit": 10**400}, "limit: is "),
    ("memory_search", {"limit": True}, "limit: True is not a whole number; "),
    ("memory_compiled_page", {"asset": "A" * MEGABYTE}, "asset: "),
    ("memory_compiled_page", {"asset": "\ud83d"}, "asset: "),
    ("role_recall", {"role": "a" * MEGABYTE}, "no skill declares the role "),
    (
        "role_record",
        {
            "role": ROLE,
            "decision": "x",
            "asset": "SOL",
            "direction": "long",
            "context": {"a": "b" * MEGABYTE},
        },
        "context: is too large",
    ),
    (
        "role_record",
        {
            "role": ROLE,
            "decision": "x",
            "asset": "SOL",
            "direction": "long",
            "confidence": float("nan"),
        },
        "confidence: is nan",
    ),
    ("memory_search", {"\ud83d": 1}, ""),
    ("memory_search", {"a" * MEGABYTE: 1}, "'aaaa"),
]


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_hostile_arguments_are_refused_and_the_next_call_works(revision: Revision, home: Path):
    with McpProcess(home, revision=revision) as client:
        client.begin()
        for tool, arguments, reason in HOSTILE:
            refusal = client.refused(tool, arguments)
            assert refusal.startswith(reason), (tool, refusal[:200])
            assert len(refusal) < 500, tool
        assert client.told("memory_search") == {"result": []}
        assert client.told("memory_store", {"type": "fact", "content": "Lives"})["id"]
        assert (client.log, client.leave()) == ("", 0)


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_a_query_is_never_hostile(revision: Revision, home: Path):
    with McpProcess(home, revision=revision) as client:
        client.begin()
        for query in ("a\0b", "\ud83d", '"' * 500, "NEAR(" * 90, "q" * MEGABYTE):
            assert client.told("memory_search", {"query": query}) == {"result": []}
        assert client.leave() == 0


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_lines_and_requests_that_mean_nothing_are_answered(revision: Revision, home: Path):
    with McpProcess(home, revision=revision) as client:
        client.begin()
        for line in (
            b"nonsense",
            b"[]",
            b"\xff\xfe\x00",
            b"{" * 100_000,
            b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":' + b"[" * 100_000,
            b"x" * (MAX_MESSAGE_BYTES + 100_000),
        ):
            client.send(line)
            assert client.reply_to(None)["error"]["code"] in (-32700, -32600), line[:20]
        for name in (b"1.5", b"{}", b"[]", b"true", b"null"):
            client.send(b'{"jsonrpc":"2.0","id":' + name + b',"method":"ping"}')
            reply = client.reply_to(None)["error"]
            assert (reply["code"], reply["message"][:3]) == (-32600, "id:"), name
        client.send(b"\n   \n")
        assert client.ask("nothing/here")["code"] == -32601
        assert client.ask("tools/call", {"name": 5})["code"] == -32602
        assert (
            client.ask("tools/call", {"name": "memory_search", "arguments": []})["code"] == -32602
        )
        assert client.ask("tools/call", {"name": "\ud83d"})["isError"]
        assert client.told("memory_search") == {"result": []}
        assert client.leave() == 0


def test_a_message_of_a_million_values_is_answered_and_costs_little_memory(home: Path):
    entry = {"type": "fact", "content": "x"}
    with McpProcess(home) as client:
        client.begin()
        client.told("memory_search")
        before = client.peak_mb
        for arguments in (
            {str(number): 1 for number in range(MEGABYTE)},
            {str(number): 1 for number in range(MAX_MESSAGE_VALUES - 10)},
            {**entry, "tags": [1] * (MAX_MESSAGE_VALUES - 10)},
            {**entry, "tags": f"[{'[],' * MEGABYTE}[]]"},
        ):
            asked = {"name": "memory_store", "arguments": arguments}
            reply = client.reply_to(client.request("tools/call", asked))
            assert "error" in reply or reply["result"]["isError"]
        assert client.told("memory_store", entry)["id"]
        assert client.peak_mb - before < 150


def test_the_largest_object_that_a_tool_accepts_is_no_message_too_large(home: Path):
    given = {"role": ROLE, "decision": "x", "asset": "SOL", "direction": "long"}
    with McpProcess(home) as client:
        client.begin()
        assert client.told("role_record", {**given, "context": {"a": [0] * 133_000}})["id"]
        assert client.told("role_record", {**given, "context": {"a": ',"' * 100_000}})["id"]


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_a_cancelled_call_leaves_the_server_as_it_was(revision: Revision, home: Path):
    with McpProcess(home, revision=revision, session_max_stores=100) as client:
        client.begin()
        for number in range(20):
            given = {"type": "context", "content": f"note {number}"}
            asked = client.request("tools/call", {"name": "memory_store", "arguments": given})
            gone = {"method": "notifications/cancelled", "params": {"requestId": asked}}
            client.send({"jsonrpc": "2.0", **gone})
        client.told("memory_store", {"type": "context", "content": "the last"})
        found = client.told("memory_search", {"query": "last"})["result"]
        assert found[0]["content"] == "the last"
        assert (client.log, client.leave()) == ("", 0)


def test_calls_that_are_sent_at_once_are_answered_each_and_run_in_order(home: Path):
    with McpProcess(home, session_max_stores=100) as client:
        client.begin()
        asked = []
        for number in range(50):
            given = {"type": "context", "content": f"note {number}"}
            asked.append(client.request("tools/call", {"name": "memory_store", "arguments": given}))
        last = client.request("tools/call", {"name": "memory_search", "arguments": {"limit": 100}})
        stored = [client.reply_to(one)["result"]["structuredContent"]["id"] for one in asked]
        found = client.reply_to(last)["result"]["structuredContent"]["result"]

    assert [one["id"] for one in found] == stored[::-1]
