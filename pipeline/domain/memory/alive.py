"""Which memories a reader sees: those that stand now, or those that stood at a moment."""

from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, Connection, Select, and_, func, not_, or_, select

from afterword.pipeline.clock import checked_moment, from_micros, iso, to_micros
from afterword.pipeline.domain.memory.tables import memories, memory_absences, memory_purges
from afterword.pipeline.errors import InvalidInputError

alive: Final = (
    memories.c.deleted_at.is_(None)
    & memories.c.superseded_at.is_(None)
    & memories.c.stale_at.is_(None)
)
"""Rows that stand: neither deleted, nor superseded, nor derived from what no longer stands."""

present: Final = memories.c.deleted_at.is_(None)
"""Rows that are not deleted; the superseded and the stale ones among them."""

ALIVE: Final = (
    "memories.deleted_at IS NULL AND memories.superseded_at IS NULL AND memories.stale_at IS NULL"
)
"""`alive`, for statements written as text."""

ALIVE_AT: Final = (
    "memories.known_at <= :as_of AND NOT EXISTS (SELECT 1 FROM memory_absences"
    " WHERE memory_id = memories.id AND gone_at <= :as_of"
    " AND (back_at IS NULL OR back_at > :as_of))"
    " AND (memories.superseded_at IS NULL OR memories.superseded_at > :as_of)"
    " AND (memories.stale_at IS NULL OR memories.stale_at > :as_of)"
)
"""`is_alive(as_of)`, for statements written as text; `:as_of` in microseconds."""


REPLACED: Final = """
SELECT id FROM memories WHERE superseded_at IS NOT NULL
UNION ALL SELECT id FROM memories WHERE stale_at IS NOT NULL
"""
GONE: Final = f"SELECT id FROM memories WHERE deleted_at IS NOT NULL UNION ALL {REPLACED}"
"""Ids of the rows no reader sees: few beside the living ones, each found in an index of its own.

UNION ALL, since UNION reads whole tables instead.
"""

_ABSENT_THEN: Final = """
SELECT memory_id FROM memory_absences
WHERE gone_at <= :as_of AND (back_at IS NULL OR back_at > :as_of)
"""
DELETED_THEN: Final = f"{_ABSENT_THEN} AND cause = 'deleted'"
"""Ids of the rows that were deleted at `:as_of`; microseconds."""

REPLACED_THEN: Final = """
SELECT id FROM memories WHERE superseded_at <= :as_of
UNION ALL SELECT id FROM memories WHERE stale_at <= :as_of
"""
GONE_THEN: Final = f"{_ABSENT_THEN} UNION ALL {REPLACED_THEN}"
"""Ids of the rows known at `:as_of` (microseconds) that no reader saw then."""

CHANGED_SINCE: Final = """
EXISTS (SELECT 1 FROM memories WHERE known_at > :as_of)
OR EXISTS (SELECT 1 FROM memories WHERE deleted_at > :as_of)
OR EXISTS (SELECT 1 FROM memories WHERE superseded_at > :as_of)
OR EXISTS (SELECT 1 FROM memories WHERE stale_at > :as_of)
OR EXISTS (SELECT 1 FROM memory_absences WHERE back_at > :as_of)
"""
"""Whether a row came, left or came back after `:as_of` (microseconds); if none did, the rows that
stood then are those that stand now."""


def is_alive(as_of: int | None) -> ColumnElement[bool]:
    """Return the condition that a row stands now, or stood at a moment (microseconds)."""
    if as_of is None:
        return alive
    return and_(
        memories.c.known_at <= as_of,
        not_(_absent(as_of).exists()),
        or_(memories.c.superseded_at.is_(None), memories.c.superseded_at > as_of),
        or_(memories.c.stale_at.is_(None), memories.c.stale_at > as_of),
    )


def is_present(as_of: int | None) -> ColumnElement[bool]:
    """Return the condition that a row is not deleted now, or was known and not deleted then."""
    if as_of is None:
        return present
    deleted = _absent(as_of).where(memory_absences.c.cause == "deleted")
    return and_(memories.c.known_at <= as_of, not_(deleted.exists()))


def _absent(as_of: int) -> Select[tuple[int]]:
    """Return the absences of a row that a moment lies in: deleted, or superseded until undone."""
    return select(memory_absences.c.id).where(
        memory_absences.c.memory_id == memories.c.id,
        memory_absences.c.gone_at <= as_of,
        or_(memory_absences.c.back_at.is_(None), memory_absences.c.back_at > as_of),
    )


def read_moment(conn: Connection, as_of: datetime | None) -> int | None:
    """Return the moment of a read in microseconds, if it can still be read as it was.

    Raises:
        InvalidInputError: no moment, no time zone, or rows that stood then are purged.
    """
    if as_of is None:
        return None
    moment = to_micros(checked_moment(as_of, "as_of"))
    horizon = conn.execute(select(func.max(memory_purges.c.horizon))).scalar_one()
    if horizon is not None and moment < horizon:
        from_then_on = f"a moment from {iso(from_micros(horizon))} on"
        raise InvalidInputError("as_of", "rows that stood then were purged", from_then_on)
    return moment
