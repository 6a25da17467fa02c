"""The tools as the protocol describes them: the agent's own table, and nothing beside it."""

from mcp_types import Tool, ToolAnnotations

from afterword.pipeline.doors.agent import TOOLS, schema
from afterword.pipeline.doors.mcp.answer_schema import answer_schema


def tool(name: str) -> Tool:
    """Return a tool with its schemas and hints."""
    arguments = schema(name)
    return Tool(
        name=name,
        description=arguments.pop("description"),
        input_schema=arguments,
        output_schema=answer_schema(name),
        annotations=_hints(name),
    )


def _hints(name: str) -> ToolAnnotations:
    """Return the hints of a tool, from its declared effect; no tool reaches beyond the memory."""
    effect = TOOLS[name].effect
    return ToolAnnotations(
        read_only_hint=not effect.writes,
        destructive_hint=effect.replaces,
        idempotent_hint=not effect.repeats,
        open_world_hint=False,
    )
