"""The active preferences as every prompt about the user shows them (R3's always-injected core)."""

from collections.abc import Collection
from typing import Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.domain.preferences.dimensions import PREFERENCE_DIMENSIONS
from afterword.pipeline.domain.preferences.model import PreferenceKind
from afterword.pipeline.domain.preferences.read import active_preferences
from afterword.pipeline.recall.prompts.sanitize import SHORT, sanitize

MOST_PREFERENCES: Final = 20
"""Preferences of a portrait beside the hard constraints, all of which are shown."""

_WORDS: Final[dict[PreferenceKind, str]] = {
    "hard_constraint": "hard constraint, approved by the user",
    "soft_preference": "preference",
    "habit": "habit, learned from what the user does",
}


class PreferenceLines(NamedTuple):
    """The lines of a prompt, each safe, and the memories that tell the same."""

    lines: list[str]
    memory_ids: tuple[int, ...]


def preference_lines(
    conn: Connection, as_of: int | None, but: Collection[int] = ()
) -> PreferenceLines:
    """Return the active preferences, hard constraints first; what is not shown is counted.

    Preferences that are tags are told as tags.

    Args:
        as_of: as of this moment (microseconds); now if None.
        but: ids of memories that another text of the same moment shows; what they tell is left out.
    """
    told = [
        one
        for one in active_preferences(conn, as_of)
        if not PREFERENCE_DIMENSIONS[one.dimension].is_tag
        and (one.memory_id is None or one.memory_id not in but)
    ]
    hard = [one for one in told if one.is_hard]
    others = [one for one in told if not one.is_hard]
    shown = [*hard, *others[-MOST_PREFERENCES:]]
    lines = [f"- {_WORDS[one.kind]}: {sanitize(one.statement, SHORT)}" for one in shown]
    if len(told) > len(shown):
        lines.append(f"({len(told) - len(shown):,} more preferences: `afterword preference ls`)")
    return PreferenceLines(lines, tuple(one.memory_id for one in shown if one.memory_id))
