"""Declares the suggestion of methods: its tool and its setting."""

from typing import Final

from afterword.pipeline.core.area import AgentTool, Area

AREA: Final = Area(
    name="methods",
    tools=(
        AgentTool(
            "methodology_suggest", "afterword.pipeline.doors.agent.methods:methodology_suggest", 124
        ),
    ),
    settings=("methodology_top_k",),
)
