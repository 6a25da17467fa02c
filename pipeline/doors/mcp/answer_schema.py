"""The shape of what a tool returns, as a JSON schema made from its return type."""

from typing import Any, Final, get_type_hints

from pydantic import TypeAdapter

from afterword.pipeline.core.area import load
from afterword.pipeline.doors.agent import TOOLS

RESULT: Final = "result"
"""The field of an answer that is a list: until revision 2025-11-25 an answer must be an object."""


def answer_schema(tool: str) -> dict[str, Any] | None:
    """Return the JSON schema of a tool's structured answer; None for a text or nothing."""
    returned = get_type_hints(load(TOOLS[tool].tool))["return"]
    if returned in (str, type(None)):
        return None
    schema: dict[str, Any] = _brief(TypeAdapter(returned).json_schema(mode="serialization"))
    if schema["type"] == "object":
        return schema
    definitions = {"$defs": schema.pop("$defs")} if "$defs" in schema else {}
    fields = {"properties": {RESULT: schema}, "required": [RESULT]}
    return {"type": "object", **fields, **definitions}


def structured(answer: Any) -> dict[str, Any] | None:
    """Return a tool's answer in the shape of its schema; None for a text or nothing."""
    if answer is None or isinstance(answer, str):
        return None
    return answer if isinstance(answer, dict) else {RESULT: answer}


def _brief(schema: Any) -> Any:
    """Return a schema with the first lines of its descriptions, which are docstrings."""
    if isinstance(schema, list):
        return [_brief(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    described = schema.get("description")
    short = {"description": described.partition("\n\n")[0]} if isinstance(described, str) else {}
    return {name: _brief(part) for name, part in schema.items()} | short
