"""What each tool does to the store, as a client tells its user before a call."""

from typing import Final, NamedTuple

from mcp_types import ToolAnnotations


class ToolEffect(NamedTuple):
    """The effect of one tool on what is remembered.

    Args:
        writes: whether it changes anything.
        replaces: whether it may change, replace or hide what was there before.
        repeats: whether a second call with the same arguments adds something again.
    """

    writes: bool
    replaces: bool = False
    repeats: bool = False


_READS: Final = ToolEffect(writes=False)
_ADDS: Final = ToolEffect(writes=True, repeats=True)

EFFECTS: Final = {
    "memory_write": _ADDS,
    "memory_read": _READS,
    "memory_search": _READS,
    "memory_store": ToolEffect(writes=True, replaces=True, repeats=True),  # by `supersedes`
    "memory_brief": _READS,
    "memory_delete": ToolEffect(writes=True, replaces=True),
    "memory_compiled_page": _READS,
    "search_conversation_memory": _READS,
    "profile_read": _READS,
    "role_record": _ADDS,
    "role_recall": _READS,
    "role_prompt": _READS,
    "methodology_add": ToolEffect(writes=True, replaces=True, repeats=True),  # counts sightings
    "methodology_suggest": ToolEffect(writes=True),  # keeps what was shown, once
    "methodology_show": _READS,
    "trade_record": _ADDS,
    "trade_outcome": ToolEffect(writes=True, replaces=True),
    "search_user_trades": _READS,
}
"""The effect of every tool of the agent's table; a test runs each one and compares the tables."""


def annotations(tool: str) -> ToolAnnotations:
    """Return the hints of a tool in the protocol's words; no tool reaches beyond the memory."""
    effect = EFFECTS[tool]
    return ToolAnnotations(
        read_only_hint=not effect.writes,
        destructive_hint=effect.replaces,
        idempotent_hint=not effect.repeats,
        open_world_hint=False,
    )
