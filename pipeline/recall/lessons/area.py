"""Declares lessons: the tools that recall what was learned from decisions."""

from typing import Final

from afterword.pipeline.core.area import READS, AgentTool, Area

_TOOLS: Final = "afterword.pipeline.doors.agent.roles"

AREA: Final = Area(
    name="lessons",
    settings=("role_lessons", "lesson_holdout"),
    tools=(
        AgentTool("role_recall", f"{_TOOLS}:role_recall", READS, order=110),
        AgentTool("role_prompt", f"{_TOOLS}:role_prompt", READS, order=120),
    ),
)
