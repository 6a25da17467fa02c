"""Every tool in the form of each model service; OpenAI's strict mode takes each one."""

import json
from typing import Any, get_args

import pytest

from afterword import tools
from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.memory.read import read_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.doors.agent import TOOLS, Agent, Dialect, call, manifest, schema
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.errors import InvalidInputError

KNOWN = {
    "string": {"pattern", "enum"},
    "number": {"minimum", "maximum", "multipleOf"},
    "integer": {"minimum", "maximum", "multipleOf", "enum"},
    "boolean": set(),
    "null": set(),
    "array": {"items", "minItems", "maxItems"},
    "object": {"properties", "required", "additionalProperties"},
}
"""Keywords of each type in the documented subset of JSON schema that strict mode supports."""


def faults(told: Any, at: str = "$") -> list[str]:
    """Return what strict mode would refuse in a schema."""
    if "anyOf" in told:
        spare = set(told) - {"anyOf", "description"}
        inside = [fault for part in told["anyOf"] for fault in faults(part, f"{at}|")]
        return [*(f"{at}: {word}" for word in spare), *inside]
    types = told["type"] if isinstance(told["type"], list) else [told["type"]]
    known = {"type", "description"}.union(*(KNOWN[kind] for kind in types))
    found = [f"{at}: {word}" for word in set(told) - known]
    if "enum" in told and ("null" in types) is not (None in told["enum"]):
        found.append(f"{at}: an enum without null")
    if "array" in types:
        found += faults(told["items"], f"{at}[]")
    if "object" in types:
        if told.get("additionalProperties") is not False:
            found.append(f"{at}: a free object")
        fields = told.get("properties", {})
        if list(fields) != told.get("required", []):
            found.append(f"{at}: an optional field")
        for name, field in fields.items():
            found += faults(field, f"{at}.{name}")
    return found


@pytest.fixture
def agent(writer: Writer) -> Agent:
    return Agent(Door(writer, begin_session(writer).handle))


def test_strict_mode_takes_every_tool_of_openai():
    chat = [tool["function"] for tool in tools("openai")]

    assert [function["name"] for function in chat] == list(TOOLS)
    for function in chat:
        assert function["strict"] is True and len(function["description"]) <= 1024
        assert function["parameters"]["type"] == "object"
        assert faults(function["parameters"]) == [], function["name"]
        told = schema(function["name"])
        assert set(function["parameters"]["properties"]) == set(told["properties"])
        assert function["description"] == told["description"]
    assert [{"type": "function", **function} for function in chat] == tools("openai-responses")
    assert {tool["type"] for tool in tools("openai")} == {"function"}


def test_the_validator_of_these_tests_refuses_what_strict_mode_refuses():
    text = {"type": "string", "maxLength": 5}
    assert faults({"type": "object", "properties": {"a": text}}) == [
        "$: a free object",
        "$: an optional field",
        "$.a: maxLength",
    ]
    assert "$.metadata|: a free object" in faults(schema("memory_write"))


def test_the_form_of_anthropic_is_the_manifest_without_its_risk():
    for tool, told in zip(tools("anthropic"), manifest(), strict=True):
        assert (tool["name"], tool["description"]) == (told["name"], told["description"])
        assert {**tool["input_schema"], "description": told["description"]} == schema(told["name"])


def test_what_a_strict_model_must_send_is_taken(store: Store, agent: Agent):
    phases = [
        {"name": name, "criteria": [], "tools_used": ["chart"], "depends_on": []} for name in "ab"
    ]
    sent = {
        "memory_write": {"category": "lesson", "content": "Cut losers", "metadata": '{"a": [1]}'},
        "memory_store": {"type": "context", "content": "x", "tags": None, "supersedes": None},
        "methodology_add": {
            "methodology": "Buy BTC when daily RSI is below 30",
            "asset_class": "major_crypto",
            "direction": "bullish",
            "timeframe": "short",
            "name": None,
            "evidence": None,
            "phases": phases,
            "primary_signal": None,
            "indicators": None,
            "key": None,
        },
        "memory_search": dict.fromkeys(schema("memory_search")["properties"]),
        "memory_brief": {"include_provenance": None},
    }
    for name, arguments in sent.items():
        assert set(arguments) == set(schema(name)["properties"])
        assert call(agent, name, json.loads(json.dumps(arguments)))

    assert [row.metadata for row in read_memories(store, "lesson")] == [{"a": [1]}]


def test_the_texts_of_both_writes_say_which_one_to_take():
    said = {tool["name"]: json.dumps(tool) for tool in tools("anthropic")}

    assert "`memory_write`" in said["memory_store"] and "`memory_store`" in said["memory_write"]
    for kind in schema("memory_store")["properties"]["type"]["enum"]:
        assert f"{kind}: " in schema("memory_store")["properties"]["type"]["description"]


def test_an_unknown_dialect_is_refused_with_those_there_are():
    with pytest.raises(InvalidInputError) as refused:
        tools("gemini")  # type: ignore[arg-type]

    assert refused.value.accepted == ", ".join(get_args(Dialect))
