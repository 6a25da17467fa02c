"""Tags of the user: each source keeps its own, and what the owner declared counts first.

Nothing is overwritten: a new value supersedes that of the same source, and no other source's.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.profile import tag_rows
from afterword.pipeline.domain.profile.model import UserTag
from afterword.pipeline.rules.user_tags.schema import TAG_DIMENSIONS, TagSource


def set_tag(
    conn: Connection, by: Writer, dimension: str, stored: str, source: TagSource, now: datetime
) -> bool:
    """Set a checked value in a transaction the caller has open; return whether it changed.

    Args:
        stored: as `serialize_tag_value` returns it.
        source: one that the writer may speak for, as `check_tag_source` says.
    """
    at = to_micros(now)
    if any(
        (tag.dimension, tag.source, tag.value) == (dimension, source, stored)
        for tag in tag_rows.current(conn)
    ):
        return False
    tag_rows.end(conn, dimension, source, at)
    row_id = tag_rows.add(conn, UserTag(dimension, stored, source, now), at)
    if by.actor == "owner":  # what is rebuilt has no audit line (R3)
        touched = ChangedRow(row_id, by.session, {"dimension": dimension})
        record(conn, now, by.actor, "user_tag.set", "user_tags", [touched])
    return True


def end_tag(conn: Connection, dimension: str, source: TagSource, now: datetime) -> bool:
    """End what a source says of a dimension, in a transaction the caller has open.

    Args:
        source: one that the writer may speak for, as `check_tag_source` says.

    Returns:
        Whether it said something.
    """
    return tag_rows.end(conn, dimension, source, to_micros(now)) is not None


def list_tags(store: Store, as_of: datetime | None = None) -> list[UserTag]:
    """Return the current tag of each dimension and source, or those of a moment.

    Raises:
        InvalidInputError: a moment without time zone, or one that was purged.
    """
    with reading(store) as conn:
        return tags_at(conn, read_moment(conn, as_of))


def tags_at(conn: Connection, as_of: int | None) -> list[UserTag]:
    """Return the tags of a moment (microseconds): by dimension, the one that counts first."""
    tags = tag_rows.current(conn, as_of)
    return sorted(tags, key=lambda tag: (TAG_DIMENSIONS.index(tag.dimension), tag.rank))


def effective_tags(tags: Iterable[UserTag]) -> Mapping[str, UserTag]:
    """Return the tag that counts by dimension, in their order: what was declared comes first."""
    counting: dict[str, UserTag] = {}
    for tag in sorted(tags, key=lambda tag: (TAG_DIMENSIONS.index(tag.dimension), tag.rank)):
        counting.setdefault(tag.dimension, tag)
    return counting


def declared_tags(tags: Iterable[UserTag]) -> Mapping[str, str]:
    """Return what the owner declared, as it is stored, by dimension."""
    return {tag.dimension: tag.value for tag in tags if tag.source == "user"}
