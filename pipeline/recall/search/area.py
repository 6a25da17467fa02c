"""Declares search: its tools, and the settings of its ranking."""

from typing import Final

from afterword.pipeline.core.area import READS, AgentTool, Area

_TOOLS: Final = "afterword.pipeline.doors.agent.look_up"

AREA: Final = Area(
    name="search",
    tools=(
        AgentTool("memory_search", f"{_TOOLS}:memory_search", READS, order=30),
        AgentTool(
            "search_conversation_memory", f"{_TOOLS}:search_conversation_memory", READS, order=80
        ),
    ),
    settings=("recall_fusion", "recall_embed_timeout_s", "recall_index_mb"),
)
