"""Sessions of the network door: each belongs to the token that began it."""

from datetime import datetime, timedelta

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.clients import rows
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.model import NewSession
from afterword.pipeline.domain.sessions.sessions import (
    begin_session_in,
    end_unless_busy,
    find_session,
)
from afterword.pipeline.errors import NotFoundError


def begin_client_session(by: Writer, token_id: int, label: str | None) -> NewSession:
    """Begin a session that this token alone may go on in.

    Raises:
        InvalidInputError: the label is blank or too long.
    """
    with writing(by.store) as conn:
        return _begin_in(conn, by, token_id, label, None)


def daily_session(by: Writer, token_id: int, label: str | None) -> str:
    """Return the handle of the session of a token on this UTC day; its first use begins it.

    The one before it ends then. While one of its turns is under way, it stays the session of the
    token, so that the turn can be finished in it.
    """
    day = day_of(by.clock())
    with reading(by.store) as conn:
        handle = rows.daily_handle(conn, token_id, day)
    if handle is not None:
        return handle
    with writing(by.store) as conn:
        handle = rows.daily_handle(conn, token_id, day)  # another request may have begun it
        if handle is not None:
            return handle
        for earlier in rows.open_handles(conn, token_id):
            if not end_unless_busy(conn, by, find_session(conn, earlier)):
                return earlier
        rows.leave_day(conn, token_id, day)
        return _begin_in(conn, by, token_id, label, day).handle


def last_client_session(store: Store, token_id: int) -> datetime | None:
    """Return when a token last began a session; None if it never did."""
    with reading(store) as conn:
        began = rows.last_session_at(conn, token_id)
    return None if began is None else from_micros(began)


def check_session(by: Writer, token_id: int, handle: str) -> None:
    """Check that a token began the session of a handle.

    Raises:
        NotFoundError: it did not, in the words for a handle that nobody has.
    """
    with reading(by.store) as conn:
        session = find_session(conn, handle)
        if rows.token_of(conn, session.id) != token_id:
            raise NotFoundError(
                "this session is not known here; begin one and write with its handle"
            )


def day_of(moment: datetime) -> str:
    """Return the UTC day of a moment, such as `2026-11-27`."""
    return moment.date().isoformat()


def next_day(moment: datetime) -> datetime:
    """Return when the UTC day after that of a moment begins."""
    return moment.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)


def _begin_in(
    conn: Connection, by: Writer, token_id: int, label: str | None, day: str | None
) -> NewSession:
    begun = begin_session_in(conn, by, label)
    rows.add_session(conn, begun.session.id, token_id, day)
    return begun
