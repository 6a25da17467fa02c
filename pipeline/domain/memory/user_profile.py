"""Stable facts looked up by name, such as the risk tolerance; a new value replaces the old one."""

from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.memory import user_profile_rows as rows
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.checks import check_text, short_repr
from afterword.pipeline.domain.memory.flags import Flag, flag_texts, scan_ahead
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import NotFoundError
from afterword.pipeline.rules.masking import mask

MAX_KEY: Final = 64
MAX_VALUE: Final = 2_000
"""Characters of a name and of its value: both are lines of a prompt."""


def set_profile_value(by: Writer, key: str, value: str) -> Flag | None:
    """Set a named fact; the value until now stays readable as of its time.

    Returns:
        The flag it got because it reads like an order to the agent; None for most.

    Raises:
        InvalidInputError: the key or the value is not text, blank or too long.
    """
    check_value(key, value)
    with writing(by.store) as conn:
        return set_value(conn, by, key, value, by.clock())


def check_value(key: str, value: str) -> None:
    """Refuse a named fact that cannot be a line of a prompt, and scan one that can.

    Raises:
        InvalidInputError: the key or the value is not text, blank or too long.
    """
    check_text(key, MAX_KEY, "key")
    check_text(value, MAX_VALUE, "value")
    scan_ahead(_words(key, value))


def set_value(conn: Connection, by: Writer, key: str, value: str, now: datetime) -> Flag | None:
    """Set a checked value in a transaction the caller has open; see `set_profile_value`."""
    name, at = mask(key), to_micros(now)
    rows.end(conn, name, at)
    row_id = rows.add(conn, name, mask(value), at)
    flags = flag_texts(conn, "user_profile", [(row_id, _words(key, value))], now)
    touched = ChangedRow(row_id, by.session)
    record(conn, now, by.actor, "profile.set", "user_profile", [touched])
    return flags.get(row_id)


def _words(key: str, value: str) -> str:
    """Return a named fact as it is scanned."""
    return f"{key}: {value}"


def drop_profile_value(by: Writer, key: str) -> None:
    """End a named fact without a new value; it stays readable as of its time.

    Raises:
        InvalidInputError: the key is not text, blank or too long.
        NotFoundError: there is no value of this name.
    """
    check_text(key, MAX_KEY, "key")
    with writing(by.store) as conn:
        now = by.clock()
        row_id = rows.end(conn, mask(key), to_micros(now))
        if row_id is None:
            raise NotFoundError(f"the profile has no {short_repr(key)}; see `afterword profile ls`")
        touched = ChangedRow(row_id, by.session)
        record(conn, now, by.actor, "profile.drop", "user_profile", [touched])


def read_profile(store: Store, as_of: datetime | None = None) -> dict[str, str]:
    """Return the named facts that are current, or were at a moment, sorted by name.

    Raises:
        InvalidInputError: a moment without time zone, or one that was purged.
    """
    with reading(store) as conn:
        return profile_at(conn, read_moment(conn, as_of))


def profile_at(conn: Connection, as_of: int | None) -> dict[str, str]:
    """Return the named facts that are current, or were at a moment (microseconds), by name."""
    return rows.current(conn, as_of)


def profile_for_prompts(conn: Connection, as_of: int | None) -> dict[str, str]:
    """Return those values of `profile_at` that were not flagged as orders to the agent."""
    return rows.current(conn, as_of, are_unflagged=True)
