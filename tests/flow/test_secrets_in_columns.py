"""A secret in any text that a caller gives reaches no column: whatever door, field and form."""

import shlex
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pytest

from afterword import Agent
from afterword.pipeline.core.store import Stores, reading
from afterword.pipeline.doors.agent import ToolCall, call
from afterword.pipeline.errors import PipelineError
from afterword.pipeline.testing.command import Command
from tests.corpora.secrets import ALNUM, Maker

MAKER = Maker(32)
TOKEN, KEY, PHRASE = "ghp_" + MAKER.of(ALNUM, 36), MAKER.wif(), MAKER.phrase()
PIECES = (TOKEN[4:20], KEY[:16], " ".join(PHRASE.split()[:3]), " ".join(PHRASE.split()[-3:]))
ROLE: Final = "market.spot.momentum"

TOOLS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("memory_write", {"category": "lesson", "content": "wait", "metadata": {"why": ["noise"]}}),
    ("memory_store", {"type": "fact", "content": "closes at 22:00", "tags": ["desk"]}),
    ("memory_search", {"query": "desk"}),
    (
        "role_record",
        {
            "role": ROLE,
            "decision": "buy",
            "asset": "SOL",
            "direction": "long",
            "inputs": {"price": "145"},
            "context": {"news": "none"},
            "key": "first",
            "methods": ["breakout"],
            "hint_hash": "0123456789abcdef" * 4,
        },
    ),
    (
        "trade_record",
        {
            "venue": "hyperliquid",
            "account": "main",
            "asset": "SOL",
            "side": "buy",
            "size": "1",
            "price": "145",
            "fee": "0.1",
            "fee_token": "USDC",
            "oid": "o1",
            "tid": "t1",
            "cloid": "0x" + "ab" * 16,
            "key": "k1",
        },
    ),
    (
        "methodology_add",
        {
            "methodology": "Buy SOL when RSI is below 30",
            "asset_class": "major_crypto",
            "direction": "bullish",
            "timeframe": "short",
            "name": "dip",
            "evidence": "two cases",
            "primary_signal": "momentum",
            "indicators": ["rsi"],
            "key": "m1",
            "phases": [{"name": "wait", "criteria": ["RSI < 30"], "tools_used": ["chart"]}],
        },
    ),
)
"""A valid call of every tool that writes."""

COMMANDS: Final = (
    'memory write lesson wait --tag desk --meta \'{"why": "noise"}\'',
    "fact record 'the desk trades SOL'",
    "profile set risk low",
    "entry store fact 'closes at 22:00' --tag desk",
    "session begin --label monday",
    f'role record {ROLE} buy --asset SOL --direction long --inputs \'{{"a": "b"}}\' --key k2',
    "history record hyperliquid hl-main buy 0.8 SOL 145.20 --oid o2 --key k3",
    "methodology add 'Buy BTC when daily RSI is below 30' --class major_crypto --direction bullish "
    "--timeframe short --key m2",
    "jobs pause embed_memories --note 'the service is down'",
    "budget reserve agent 0.05 --task t --model m",
    "budget stop --note 'end of the month'",
    "switch set judge_facts shadow --note 'we try it'",
    "forget --subject 'Jane Doe'",
)
"""A line of every command that writes what its caller says."""


def altered(value: Any, change: Callable[[str], str]) -> Iterator[Any]:
    """Yield a JSON value with one of its texts or names changed, for each of them."""
    match value:
        case str():
            yield change(value)
        case list():
            for at, item in enumerate(value):
                yield from ([*value[:at], one, *value[at + 1 :]] for one in altered(item, change))
        case dict():
            for name, item in value.items():
                yield from ({**value, name: one} for one in altered(item, change))


def changes() -> Iterator[Callable[[str], str]]:
    yield lambda _text: TOKEN
    yield lambda text: f"{text} {PHRASE}"
    yield lambda text: f"{text} {KEY}"


@pytest.fixture
def agent(home: Path) -> Iterator[Agent]:
    with Agent.open("main", home=home, label=f"desk {TOKEN}") as agent:
        yield agent


def test_no_column_holds_a_secret_that_an_agent_gave(agent: Agent, stores: Stores, home: Path):
    for tool, arguments in TOOLS:
        call(agent, tool, arguments)
    for change in changes():
        for tool, arguments in TOOLS:
            for wrong in altered(arguments, change):
                with suppress(PipelineError):
                    call(agent, tool, wrong)
        turn = agent.begin_turn(change("what now"))
        used = [ToolCall(change("memory_search"), {change("query"): change("desk")})]
        agent.finish_turn(turn, "succeeded", reply=change("nothing"), tool_calls=used)
        with suppress(PipelineError):
            agent.profile_set(change("risk"), change("low"))

    assert leaks(stores, home) == []


def test_no_column_holds_a_secret_that_a_command_was_given(
    command: Command, stores: Stores, home: Path
):
    assert [line for line in COMMANDS if command(*shlex.split(line)).code] == []
    for change in changes():
        for line in COMMANDS:
            words = shlex.split(line)
            for at in range(2, len(words)):
                if not words[at].startswith("--"):
                    command(*words[:at], change(words[at]), *words[at + 1 :])

    assert leaks(stores, home) == []


def leaks(stores: Stores, home: Path) -> list[str]:
    """Return the columns and files that hold a piece of a secret."""
    places = []
    for store in (stores.group("main"), stores.instance):
        with reading(store) as conn:
            query = (
                "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'"
            )
            for table in conn.exec_driver_sql(query).scalars().all():
                rows = conn.exec_driver_sql(f'SELECT * FROM "{table}"').mappings().all()
                places += [
                    f"{table}.{name}: {value}"
                    for row in rows
                    for name, value in row.items()
                    if is_leak(str(value))
                ]
    files = [path for path in home.rglob("*") if path.is_file()]
    return places + [
        str(path) for path in files if is_leak(path.name + path.read_bytes().decode("latin-1"))
    ]


def is_leak(text: str) -> bool:
    return any(piece in text for piece in PIECES)
