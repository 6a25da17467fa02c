"""What an active preference writes with the source `learned_preference`: a tag, or a memory.

A tag stands below what the owner declared, in a row of its own. A hard constraint writes neither:
pages that leave hard constraints out must not find it among the memories.
"""

from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.domain.memory.delete import retire
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.rows import find
from afterword.pipeline.domain.memory.write import insert_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.preferences.dimensions import PREFERENCE_DIMENSIONS
from afterword.pipeline.domain.preferences.model import Preference
from afterword.pipeline.domain.profile.tags import end_tag, set_tag, tags_at


def begin_effect(conn: Connection, by: Writer, preference: Preference, now: datetime) -> int | None:
    """Write what an active preference says; return the id of its memory, None without one."""
    if preference.is_hard:
        return None
    if PREFERENCE_DIMENSIONS[preference.dimension].is_tag:
        set_tag(conn, by, preference.dimension, preference.value, "learned_preference", now)
        return None
    origin = "owner" if preference.decided_by == "owner" else "system"
    new = NewMemory(
        "preference",
        preference.statement,
        {"preference": preference.uid, "kind": preference.kind},
        source="learned_preference",
        origin=origin,
    )
    return insert_memory(conn, by, new, now).id


def end_effect(conn: Connection, by: Writer, preference: Preference, now: datetime) -> None:
    """Take back what a preference wrote, unless somebody else did already."""
    if preference.is_hard:
        return
    if PREFERENCE_DIMENSIONS[preference.dimension].is_tag:
        learned = {
            tag.dimension: tag.value
            for tag in tags_at(conn, None)
            if tag.source == "learned_preference"
        }
        if learned.get(preference.dimension) == preference.value:
            end_tag(conn, preference.dimension, "learned_preference", now)
        return
    memory = None if preference.memory_id is None else find(conn, preference.memory_id)
    if memory is not None and memory.deleted_at is None and memory.superseded_at is None:
        retire(conn, by, memory.id, now, {"preference": preference.uid})
