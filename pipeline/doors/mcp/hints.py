"""What each tool does to the store, in the words of the protocol."""

from mcp_types import ToolAnnotations

from afterword.pipeline.doors.agent import TOOLS


def annotations(tool: str) -> ToolAnnotations:
    """Return the hints of a tool, from its declared effect; no tool reaches beyond the memory."""
    effect = TOOLS[tool].effect
    return ToolAnnotations(
        read_only_hint=not effect.writes,
        destructive_hint=effect.replaces,
        idempotent_hint=not effect.repeats,
        open_world_hint=False,
    )
