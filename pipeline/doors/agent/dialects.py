"""The tools in the form that each model service takes, made from the one table."""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, get_args

from afterword.pipeline.domain.memory.checks import check_word
from afterword.pipeline.doors.agent.call import TOOLS, schema

Json = dict[str, Any]

Dialect = Literal["anthropic", "openai", "openai-responses"]
"""Anthropic's Messages, OpenAI's Chat Completions (and who copies them), OpenAI's Responses."""

_STRICT: Final = frozenset(
    ("type", "description", "enum", "pattern", "minimum", "maximum", "minItems", "maxItems")
)
"""Keywords of a value that OpenAI's strict mode knows; lengths are checked by the tool."""


def tools(dialect: Dialect) -> list[Json]:
    """Return every tool as a model service takes it.

    The forms of OpenAI are strict: the model can send nothing but what the schema says. Strict mode
    knows no free objects and no optional arguments, so there an object is sent as its JSON text,
    and what is left out as null; `call` reads both.

    Args:
        dialect: `anthropic`, `openai` (Chat Completions) or `openai-responses`.

    Raises:
        InvalidInputError: no such dialect.
    """
    check_word(dialect, get_args(Dialect), "dialect")
    return [_FORMS[dialect](name, schema(name)) for name in TOOLS]


def _anthropic(name: str, told: Json) -> Json:
    return {"name": name, "description": told.pop("description"), "input_schema": told}


def _openai(name: str, told: Json) -> Json:
    return {"type": "function", "function": _strict_function(name, told)}


def _openai_responses(name: str, told: Json) -> Json:
    return {"type": "function", **_strict_function(name, told)}


_FORMS: Final[Mapping[Dialect, Callable[[str, Json], Json]]] = {
    "anthropic": _anthropic,
    "openai": _openai,
    "openai-responses": _openai_responses,
}


def _strict_function(name: str, told: Json) -> Json:
    description = told.pop("description")
    return {"name": name, "description": description, "parameters": _strict(told), "strict": True}


def _strict(told: Json) -> Json:
    """Return the schema of a value as strict mode takes it."""
    strict = {word: value for word, value in told.items() if word in _STRICT}
    if "anyOf" in told:
        parts = [part for part in told["anyOf"] if part["type"] != "null"]
        if len(parts) == 1:
            strict = _strict({**parts[0], **strict})
        else:
            strict["anyOf"] = [_strict(part) for part in parts]
        return _nullable(strict) if len(parts) < len(told["anyOf"]) else strict
    if told["type"] == "array":
        return {**strict, "items": _strict(told["items"])}
    if told["type"] != "object":
        return strict
    if "properties" not in told:
        return {"type": "string", "description": f"{told['description']} A JSON object, as text."}
    fields = {
        name: _strict(field) if name in told.get("required", ()) else _nullable(_strict(field))
        for name, field in told["properties"].items()
    }
    closed = {"properties": fields, "required": list(fields), "additionalProperties": False}
    return {**strict, **closed}


def _nullable(told: Json) -> Json:
    """Return the schema of a value that may be null instead."""
    if "anyOf" in told:
        nothing = {"type": "null"}
        return told if nothing in told["anyOf"] else {**told, "anyOf": [*told["anyOf"], nothing]}
    if isinstance(told["type"], list):
        return told
    enum = {"enum": [*told["enum"], None]} if "enum" in told else {}
    return {**told, "type": [told["type"], "null"], **enum}
