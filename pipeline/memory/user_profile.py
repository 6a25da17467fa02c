"""Stable facts looked up by name, such as the risk tolerance; a new value replaces the old one."""

from datetime import datetime
from typing import Final

from sqlalchemy import Connection, insert, select, update

from pipeline.clock import Clock, to_micros
from pipeline.memory.audit_log import Touched, record
from pipeline.memory.checks import check_text
from pipeline.memory.model import Actor
from pipeline.memory.tables import user_profile
from pipeline.store import Store, reading, writing

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
    check_text(key, MAX_KEY, "key")
    check_text(value, MAX_VALUE, "value")
    with writing(store) as conn:
        now = clock()
        row_id = _replace(conn, key, value, now)
        record(conn, now, actor, "profile.set", "user_profile", [Touched(row_id)])


def read_profile(store: Store) -> dict[str, str]:
    """Return the named facts as they stand, sorted by name."""
    columns = (user_profile.c.key, user_profile.c.value)
    query = select(*columns).where(_current).order_by(user_profile.c.key)
    with reading(store) as conn:
        return {str(key): str(value) for key, value in conn.execute(query)}


def _replace(conn: Connection, key: str, value: str, now: datetime) -> int:
    at = to_micros(now)
    conn.execute(
        update(user_profile).where(user_profile.c.key == key, _current).values(superseded_at=at)
    )
    added = insert(user_profile).values(key=key, value=value, updated_at=at)
    row_id: int = conn.execute(added.returning(user_profile.c.id)).scalar_one()
    return row_id


_current = user_profile.c.superseded_at.is_(None)
