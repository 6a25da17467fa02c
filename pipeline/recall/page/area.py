"""Declares the page about an asset: its command, its tool, and the sections of memories."""

from typing import Final

from afterword.pipeline.core.area import READS, AgentTool, Area, AreaCommand, AreaSection

_SECTIONS: Final = "afterword.pipeline.recall.page.sections"

AREA: Final = Area(
    name="page",
    sections=(
        AreaSection("afterword.pipeline.recall.page.methods:METHODS", order=5),
        AreaSection(f"{_SECTIONS}:PREFERENCES", order=10),
        AreaSection("afterword.pipeline.recall.page.habits:HABITS", order=12),
        AreaSection("afterword.pipeline.recall.page.patterns:PATTERNS", order=15),
        AreaSection(f"{_SECTIONS}:KNOWLEDGE", order=20),
        AreaSection(f"{_SECTIONS}:ALERTS", order=30),
        AreaSection("afterword.pipeline.recall.page.cases:CASES", order=60),
    ),
    commands=(
        AreaCommand(
            "page",
            "afterword.pipeline.doors.commands.prompts:page",
            "Print all that is known about an asset.",
            order=90,
        ),
    ),
    tools=(
        AgentTool(
            "memory_compiled_page",
            "afterword.pipeline.doors.agent.look_up:memory_compiled_page",
            READS,
            order=70,
        ),
    ),
)
