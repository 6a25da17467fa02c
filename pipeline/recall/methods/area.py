"""Declares the suggestion of methods: its tool and its setting."""

from typing import Final

from afterword.pipeline.core.area import AgentTool, Area, ToolEffect

AREA: Final = Area(
    name="methods",
    tools=(
        AgentTool(
            "methodology_suggest",
            "afterword.pipeline.doors.agent.methods:methodology_suggest",
            ToolEffect(writes=True),  # keeps what was shown, once
            order=124,
        ),
    ),
    settings=("methodology_top_k",),
)
