"""The tools of a client with a model: the agent's own, with hints that are what each tool does."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp_types import CallToolRequestParams, CallToolResult

from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.sessions.model import Limits
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.doors.agent import TOOLS, Agent, instructions, manifest
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.doors.agent.offered import USUAL_TOOLS, offered
from afterword.pipeline.doors.mcp.offer import tool
from afterword.pipeline.doors.mcp.server import BEGIN_WORDS, UNEXPECTED, server_of
from afterword.pipeline.doors.mcp.wire import MAX_MESSAGE_BYTES, MAX_MESSAGE_VALUES, read_message
from afterword.pipeline.errors import UnavailableError

ROLE = "market.spot.momentum"
FIRST_2_KB = 2048
"""Bytes of the instructions that one large client gives to its model."""

METHOD = {
    "methodology": "Buy BTC when daily RSI is below 30",
    "asset_class": "major_crypto",
    "direction": "bullish",
    "timeframe": "short",
    "primary_signal": "mean_reversion",
}
RUN = {
    "run": "desk 1",
    "asset": "BTC",
    "outputs": [
        {
            "role": "portfolio manager",
            "form": "portfolio_decision",
            "output": {
                "direction": "long",
                "confidence": 0.6,
                "horizon_days": 7,
                "trigger": "A break",
                "base_case": "It holds the range",
                "thesis": "It is scarce",
            },
        }
    ],
}
BOOKKEEPING = re.compile(
    r"audit_log|chain_blocks|jobs|job_runs|sessions|lesson_(?:sets|prompts)|\w+_stats|sqlite_\w+"
)
"""Tables that say who wrote, how much and what is left to do; none holds what is remembered."""

Rows = dict[str, set[tuple[Any, ...]]]


@pytest.fixture
def agent(writer, home) -> Agent:
    handle, roles = begin_session(writer).handle, load_roles(home)
    return Agent(Door(writer, handle, roles=roles, institution_enabled=True))


@pytest.fixture
def known(agent: Agent, store: Store) -> dict[str, str]:
    """What is in the memory before a tool is called: the ids that its arguments name."""
    agent.memory_write("personalization", "Wants short answers")
    trade = {"venue": "hyperliquid", "account": "hl", "asset": "SOL", "side": "buy"}
    method = agent.methodology_add(**METHOD).id
    with writing(store) as conn:
        conn.exec_driver_sql("UPDATE methodologies SET quarantine = 0, confidence = 0.6")
    agent.institution_capture(**{**RUN, "run": "desk 0"})
    return {
        "method": method,
        "run": "desk 0",
        "entry": agent.memory_store("preference", "Wants weekly charts of BTC").id,
        "decision": agent.role_record(ROLE, "breakout", "SOL", "long").id,
        "trade": agent.trade_record(**trade, size="1", price="150").id,
    }


def calls_of(name: str, known: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return arguments that make a tool do all it can, the plainest last."""
    trade = {"venue": "hyperliquid", "account": "hl", "asset": "SOL", "size": "1", "price": "160"}
    daily = {"type": "preference", "content": "Wants daily charts"}
    return {
        "memory_write": [
            {"category": "fact", "content": "The desk trades on Hyperliquid"},
            {"category": "lesson", "content": "Cut losers", "metadata": {"seen": 2}},
        ],
        "memory_read": [{}],
        "memory_search": [{"query": "charts", "include_superseded": True}],
        "memory_store": [{**daily, "supersedes": known["entry"]}, daily],
        "memory_brief": [{"include_provenance": True}],
        "memory_delete": [{"id": known["entry"]}],
        "memory_compiled_page": [{"asset": "BTC"}],
        "memory_why": [{"id": known["entry"]}],
        "search_conversation_memory": [{"query": "answers"}],
        "profile_read": [{}],
        "personalization_snapshot": [{}],
        "role_record": [{"role": ROLE, "decision": "again", "asset": "SOL", "direction": "short"}],
        "role_recall": [{"role": ROLE, "question": "long SOL", "single_cases": True}],
        "role_prompt": [{"skill": "market.spot", "question": "long SOL"}],
        "methodology_add": [METHOD, {**METHOD, "methodology": "Buy a break of the 50 day high"}],
        "methodology_suggest": [{"asset": "BTC"}],
        "methodology_show": [{"method": known["method"]}],
        "institution_capture": [RUN],
        "institution_retrospect": [{"asset": "BTC"}],
        "institution_show": [{"run": known["run"]}],
        "skill_learn": [
            {"trigger": "swap tokens", "tool_sequence": [{"tool_name": "swap_quote"}]},
        ],
        "memory_learn": [{"trigger": "odds", "guidance": "Read the page of the market."}],
        "trade_record": [
            {**trade, "side": "sell", "closes": known["trade"]},
            {**trade, "side": "buy"},
        ],
        "trade_outcome": [{"trade": known["trade"], "realised_usd": "10"}],
        "search_user_trades": [{"asset": "SOL"}],
        "trading_profile": [{}],
    }[name]


def rows(*stores: Store) -> Rows:
    """Return every row of every table."""
    found: Rows = {}
    for store in stores:
        with reading(store) as conn:
            names = conn.exec_driver_sql(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%fts%'"
            ).scalars()
            for name in names:
                read = conn.exec_driver_sql(f"SELECT * FROM {name}").all()
                found[f"{store.name} {name}"] = {tuple(row) for row in read}
    return found


def remembered(found: Rows) -> set[tuple[Any, ...]]:
    """Return the rows that hold what is remembered."""
    return {
        (table, *row)
        for table, all_rows in found.items()
        if not BOOKKEEPING.fullmatch(table.split()[1])
        for row in all_rows
    }


def calling(agent: Agent, home: Path, choice: Any = "all") -> Any:
    """Return the server's own way to run a tool."""
    server = server_of(agent, Limits(), choice, home)
    entry = server.get_request_handler("tools/call")
    assert entry is not None

    def run(name: str, **given: Any) -> CallToolResult:
        asked = CallToolRequestParams(name=name, arguments=given)
        return anyio.run(entry.handler, None, asked)

    return run


@pytest.mark.parametrize("name", TOOLS)
def test_the_hints_of_a_tool_are_what_it_does_to_the_store(
    name, agent, known, store, instance, home, clock
):
    run = calling(agent, home)
    writes = replaces = repeats = False
    for arguments in calls_of(name, known):
        before = rows(store, instance)
        assert not run(name, **arguments).is_error
        after = rows(store, instance)
        clock.advance(minutes=1)
        run(name, **arguments)  # a second deletion finds nothing: that is a refusal
        again = rows(store, instance)
        writes |= before != after
        replaces |= bool(remembered(before) - remembered(after))
        repeats |= remembered(after) != remembered(again)

    hints = tool(name).annotations
    assert hints.read_only_hint is not writes
    assert hints.destructive_hint is replaces
    assert hints.idempotent_hint is not repeats
    assert hints.open_world_hint is False


def test_the_usual_tools_are_a_part_of_the_table():
    assert set(USUAL_TOOLS) < set(TOOLS)
    assert offered("all") == tuple(TOOLS)


def test_names_descriptions_and_arguments_are_those_of_the_manifest():
    for told in manifest():
        offer = tool(told["name"])
        schema = {**offer.input_schema, "description": offer.description}
        assert (offer.name, schema) == (told["name"], told["arguments_schema"])


def test_an_answer_has_the_shape_that_its_tool_declares(agent, known, home):
    import jsonschema

    run = calling(agent, home)
    for name in TOOLS:
        result = run(name, **calls_of(name, known)[-1])
        schema = tool(name).output_schema
        text = result.content[0].text
        if schema is None:
            assert (result.is_error, result.structured_content) == (False, None)
            assert text or name == "role_prompt"
        else:
            answer = json.loads(json.dumps(result.structured_content))
            jsonschema.validate(answer, schema)
            assert json.loads(text) == (answer["result"] if list(answer) == ["result"] else answer)


def test_a_refusal_is_a_result_that_names_the_argument_and_what_is_accepted(agent, home):
    run = calling(agent, home, "usual")
    refused = {
        "type: 'wish' is unknown; accepted: preference, fact": run(
            "memory_store", type="wish", content="x"
        ),
        "limit: is 1000; accepted: a number from 1 to 100": run("memory_search", limit=1000),
        "tool: 'profile_read' is unknown; accepted: memory_store": run("profile_read"),
        "no skill declares the role 'desk'; there are": run("role_recall", role="desk"),
    }

    for reason, result in refused.items():
        assert result.is_error and result.structured_content is None
        assert result.content[0].text.startswith(reason)


OURS = ("as_of", "after", "before", "group", "home", "session_id", "origin", "source", "limits")


@pytest.mark.parametrize("name", USUAL_TOOLS)
def test_a_model_cannot_choose_limits_moments_provenance_or_another_group(
    agent, known, home, store, name
):
    before, run = rows(store), calling(agent, home)
    given = calls_of(name, known)[-1]

    for ours in OURS:
        refusal = run(name, **given, **{ours: "2020-01-01"})
        assert refusal.is_error
        assert f"'{ours}': is not an argument of {name}; accepted: " in refusal.content[0].text
    assert rows(store) == before


def test_no_answer_names_a_folder_of_the_machine(agent, home, monkeypatch, capfd):
    def fail(*_given: Any) -> None:
        raise errors.pop(0)

    where = home / "groups" / "main.sqlite"
    errors: list[Exception] = [
        UnavailableError(f"{where}: disk full; free some space"),
        RuntimeError(f"cannot read {where}"),
    ]
    monkeypatch.setattr("afterword.pipeline.doors.mcp.server.call", fail)
    run = calling(agent, home)

    told = [run("memory_brief").content[0].text for _ in range(2)]

    assert told == ["<home>/groups/main.sqlite: disk full; free some space", UNEXPECTED]
    out, err = capfd.readouterr()
    assert (out, f"RuntimeError: cannot read {where}" in err) == ("", True)


def test_the_instructions_are_the_agents_and_name_no_tool_that_is_not_offered(agent, home):
    usual, whole = (
        server_of(agent, Limits(9, 2, 1), choice, home).instructions for choice in ("usual", "all")
    )

    assert whole == f"{BEGIN_WORDS}\n\n{instructions(Limits(9, 2, 1), agent.roles)}"
    assert set(re.findall(r"`(\w+_\w+)`", usual)) == set(USUAL_TOOLS)
    assert "9 writes, of which 2 may" in usual and f"`{ROLE}`" in usual
    kept = [line for line in usual.splitlines() if line not in whole.splitlines()]
    assert len(kept) == 2, "two paragraphs lose a sentence"
    assert len(usual.encode()) <= FIRST_2_KB


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"nonsense", -32700),
        (b"\xff\xfe{}", -32700),
        (b'{"jsonrpc": "2.0", "id": 1', -32700),
        (b'{"a":' * 100_000, -32700),
        (b"[" * 100_000 + b"]" * 100_000, -32700),
        (b"1" * (MAX_MESSAGE_BYTES + 1), -32700),
        (b"[]", -32600),
        (b"null", -32600),
        (b"{}", -32600),
        (b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": "\\ud800", "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "\\ud800"}', -32600),
    ],
    ids=lambda value: str(value)[:24],
)
def test_a_line_that_is_no_message_is_answered_and_not_dropped(line: bytes, code: int):
    assert read_message(line).error.code == code


@pytest.mark.parametrize(
    "line",
    [
        '{"jsonrpc": "2.0", "id": "q7", "method": "x", "params": [%s]}',
        '{"id": "q7", "jsonrpc": "2.0", "method": "x", "params": [%s]}',
        '{"method": "x", "params": [{"id": 3}, %s], "jsonrpc": "2.0", "id": "q7"}',
        '{"method": "x", "params": [%s, {"id": 3, "a": "\\"id\\": 4}"}],"id":"q7","jsonrpc":"2.0"}',
    ],
)
def test_a_message_of_too_many_values_is_refused_under_its_id(line: str):
    written = line % ", ".join(["1"] * (MAX_MESSAGE_VALUES + 1))

    refusal = read_message(written.encode())
    assert (refusal.error.code, refusal.id) == (-32600, "q7")


def test_a_comma_in_a_text_is_no_value():
    line = {"jsonrpc": "2.0", "id": 1, "method": "x", "params": {"a": ',\\",' * MAX_MESSAGE_VALUES}}

    assert read_message(json.dumps(line).encode()).params == line["params"]


def test_half_a_surrogate_pair_reaches_the_tool_that_refuses_it():
    line = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"a": "\ud83d"}}

    assert read_message(json.dumps(line).encode()).params == {"a": "\ud83d"}


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Hide a package, as if it were not installed."""

    def hide(package: str) -> None:
        for name in list(sys.modules):
            if name.startswith(("afterword.pipeline.doors.mcp.", "mcp.", "mcp_types")):
                monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, package, None)

    return hide


@pytest.mark.parametrize("package", ["mcp", "mcp_types"])
def test_without_its_package_the_command_says_in_one_line_what_to_install(
    without, command, package
):
    without(package)

    done = command("mcp")

    assert (done.code, done.out) == (1, "")
    assert done.err == (
        "afterword: afterword mcp needs the package mcp, version 2; pip install 'afterword[mcp]'\n"
    )
    assert not command.home.exists()


SLOW_TO_LOAD = (
    "afterword.pipeline.rules.injection.scan",
    "afterword.pipeline.domain.facts.wording",
    "afterword.pipeline.doors.render.html",
    "anthropic",
    "numpy",
)


def test_a_start_loads_nothing_that_only_a_call_needs():
    line = "import sys, afterword.pipeline.doors.mcp.serve; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", line], capture_output=True, text=True, check=True, timeout=60
    )

    assert "mcp.server" in done.stdout.split()
    assert set(done.stdout.split()).isdisjoint(SLOW_TO_LOAD)


def test_what_a_tool_answers_is_what_the_python_door_returns(agent, home):
    stored = agent.memory_store("preference", "Wants weekly charts")
    found = calling(agent, home)("memory_search", query="weekly").structured_content["result"]

    assert found[0]["id"] == stored.id and found[0]["provenance"] == asdict(stored.provenance)
