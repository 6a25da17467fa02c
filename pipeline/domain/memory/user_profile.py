"""Stable facts looked up by name, such as the risk tolerance; a new value replaces the old one."""

from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, Connection, and_, insert, or_, select, update

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.memory.alive import read_moment
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.checks import check_text, shown
from afterword.pipeline.domain.memory.model import Actor
from afterword.pipeline.domain.memory.tables import user_profile
from afterword.pipeline.errors import NotFoundError
from afterword.pipeline.rules.masking import mask

MAX_KEY: Final = 64
MAX_VALUE: Final = 2_000
"""Characters of a name and of its value: both are lines of a prompt."""


def set_profile_value(
    store: Store, key: str, value: str, clock: Clock, *, actor: Actor = "agent"
) -> None:
    """Remember a named fact; the value it had until now stays readable as of its time.

    Raises:
        InvalidInputError: the key or the value is no text, blank or too long.
    """
    check_value(key, value)
    with writing(store) as conn:
        set_value(conn, key, value, clock(), actor=actor)


def check_value(key: str, value: str) -> None:
    """Refuse a named fact that is no line of a prompt.

    Raises:
        InvalidInputError: the key or the value is no text, blank or too long.
    """
    check_text(key, MAX_KEY, "key")
    check_text(value, MAX_VALUE, "value")


def set_value(
    conn: Connection,
    key: str,
    value: str,
    now: datetime,
    *,
    actor: Actor,
    session_id: str | None = None,
) -> None:
    """Remember a checked value in a transaction the caller has open."""
    name, at = mask(key), to_micros(now)
    _end(conn, name, at)
    added = insert(user_profile).values(key=name, value=mask(value), updated_at=at)
    row_id: int = conn.execute(added.returning(user_profile.c.id)).scalar_one()
    record(conn, now, actor, "profile.set", "user_profile", [ChangedRow(row_id, session_id)])


def drop_profile_value(store: Store, key: str, clock: Clock, *, actor: Actor = "owner") -> None:
    """Let a named fact end without another one; it stays readable as of its time.

    Raises:
        InvalidInputError: the key is no text, blank or too long.
        NotFoundError: there is no value of this name.
    """
    check_text(key, MAX_KEY, "key")
    with writing(store) as conn:
        now = clock()
        row_id = _end(conn, mask(key), to_micros(now))
        if row_id is None:
            raise NotFoundError(f"the profile has no {shown(key)}; see `afterword profile ls`")
        record(conn, now, actor, "profile.drop", "user_profile", [ChangedRow(row_id)])


def read_profile(store: Store, as_of: datetime | None = None) -> dict[str, str]:
    """Return the named facts as they stand, or stood at a moment, sorted by name.

    Raises:
        InvalidInputError: a moment without time zone, or one that was purged.
    """
    with reading(store) as conn:
        return profile_at(conn, read_moment(conn, as_of))


def profile_at(conn: Connection, as_of: int | None) -> dict[str, str]:
    """Return the named facts as they stand, or stood at a moment (microseconds)."""
    stands = _current if as_of is None else _stood(as_of)
    query = select(user_profile.c.key, user_profile.c.value).where(stands)
    found = conn.execute(query.order_by(user_profile.c.key))
    return {str(key): str(value) for key, value in found}


def _end(conn: Connection, key: str, at: int) -> int | None:
    ended = update(user_profile).where(user_profile.c.key == key, _current)
    row_id: int | None = conn.execute(
        ended.values(superseded_at=at).returning(user_profile.c.id)
    ).scalar_one_or_none()
    return row_id


_current: Final = user_profile.c.superseded_at.is_(None)


def _stood(as_of: int) -> ColumnElement[bool]:
    known = user_profile.c.updated_at <= as_of
    return and_(known, or_(_current, user_profile.c.superseded_at > as_of))
