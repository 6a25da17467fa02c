"""Call a tool by its name with named arguments, as a model does; the answer is plain JSON."""

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Final

from afterword.pipeline.areas import AREAS
from afterword.pipeline.core.area import AgentTool, Area, in_order, load
from afterword.pipeline.domain.memory.checks import check_word, short_repr
from afterword.pipeline.doors.agent.agent import Agent, run_tool
from afterword.pipeline.doors.agent.arguments import as_meant, check, form, masking_refusals
from afterword.pipeline.errors import InvalidInputError


def tools_of(areas: Iterable[Area]) -> Mapping[str, AgentTool]:
    """Return the tools that areas declare, by name, in the order of the manifest."""
    return {tool.name: tool for tool in in_order(areas, lambda area: area.tools)}


TOOLS: Final = tools_of(AREAS)
"""Tools a model may call, by the names of R1, R3 and R4; of the profile it may only read; of its
roles (R2) it records decisions and recalls lessons, but sets no outcome."""

_OURS: Final = frozenset({"after", "before", "as_of"})
"""Arguments for programs only: a model does not choose the moment it reads."""


def call(agent: Agent, tool: str, arguments: Mapping[str, Any]) -> Any:
    """Run one tool; a wrong argument is refused by name before anything happens.

    Args:
        tool: one of `TOOLS`.
        arguments: by name. What clients send in another form is read as it is meant: null as an
            absent argument, `"5"` and `5.0` as 5, a list or an object as its JSON text.

    Returns:
        Objects, lists, texts, numbers.

    Raises:
        InvalidInputError: no such tool, an argument it does not have, one missing or of a wrong
            type.
        PipelineError: what the tool raised.
    """
    with masking_refusals(tool, arguments):
        check_word(tool, TOOLS, "tool")
        if not isinstance(arguments, Mapping):
            raise InvalidInputError(
                "arguments", f"{short_repr(arguments)} is not an object", "names and values"
            )
        run = load(TOOLS[tool].tool)
        named = as_meant(run, arguments, _OURS)
        check(run, named, _OURS)
        return _plain(run_tool(agent, run, named))


def schema(tool: str) -> dict[str, Any]:
    """Return the JSON schema of a tool's arguments, for a model.

    Raises:
        InvalidInputError: no such tool.
    """
    check_word(tool, TOOLS, "tool")
    return form(load(TOOLS[tool].tool), _OURS).model_json_schema()


def manifest() -> list[dict[str, Any]]:
    """Return every tool as a host declares it (R4): name, description, risk and schema."""
    schemas = {tool: schema(tool) for tool in TOOLS}
    return [
        {
            "name": tool,
            "description": of["description"],
            "risk_level": "low",  # its writes are limited, and their owner can undo them
            "arguments_schema": of,
        }
        for tool, of in schemas.items()
    ]


def _plain(value: Any) -> Any:
    """Return an answer as plain values; `asdict` copies even texts, at a quarter of a search."""
    match value:
        case list():
            return [_plain(item) for item in value]
        case tuple():
            return tuple(_plain(item) for item in value)
        case dict():
            return {name: _plain(item) for name, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {name: _plain(getattr(value, name)) for name in _field_names(type(value))}
    return value


@cache
def _field_names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))
