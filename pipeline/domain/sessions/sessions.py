"""Begin, end and find sessions; only an issued handle opens one."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.checks import MAX_NAME, check_text, is_name
from afterword.pipeline.domain.memory.model import Actor
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions import rows
from afterword.pipeline.domain.sessions.model import NewSession, Session
from afterword.pipeline.errors import InvalidInputError, NotFoundError
from afterword.pipeline.rules.masking import mask

HANDLE: Final = "sess-"
"""Prefix of a handle, so that people can tell it from the uid of a memory."""


def begin_session(by: Writer, label: str | None = None) -> NewSession:
    """Begin a session; its handle is returned here and nowhere else.

    Args:
        by: its `ids` make the uid and the handle; in production they cannot be guessed.
        label: what the client calls it; shown, never trusted.

    Raises:
        InvalidInputError: the label is blank or too long.
    """
    with writing(by.store) as conn:
        return begin_session_in(conn, by, label)


def begin_session_in(conn: Connection, by: Writer, label: str | None = None) -> NewSession:
    """Begin a session in a transaction that is open; see `begin_session`."""
    check_label(label)
    return _begin_in(conn, by, label and mask(label), by.clock())


def check_label(label: str | None) -> None:
    """Refuse a label that cannot be shown.

    Raises:
        InvalidInputError: it is blank, too long or not storable.
    """
    if label is not None:
        check_text(label, MAX_NAME, "label")


def in_session(by: Writer, session: str) -> Writer:
    """Return a writer in a session, open or ended.

    Args:
        session: its handle; the owner may also use its uid.

    Raises:
        NotFoundError: there is no such session in this group.
    """
    with reading(by.store) as conn:
        return replace(by, session=find_session(conn, session, by.actor).uid)


def end_session(by: Writer) -> Session:
    """End the writer's session: nothing more is written in it. Repeated, it changes nothing.

    Raises:
        NotFoundError: the session was erased since.
    """
    with writing(by.store) as conn:
        session = session_of(conn, by)
        if session.ended_at is not None:
            return session
        return _end_in(conn, by, session, by.clock())


def begin_daily(by: Writer, label: str | None = None) -> tuple[Writer, str]:
    """Begin a session that the next one follows when the UTC day is over (`follow_daily`).

    Args:
        label: as for `begin_session`.

    Returns:
        The writer in the session, and the session's handle.

    Raises:
        InvalidInputError: the label is blank or too long.
    """
    begun = begin_session(by, label)
    return _until_midnight(by, begun.session), begun.handle


def follow_daily(by: Writer) -> tuple[Writer, str] | None:
    """End a daily session whose day is over, and begin the one that follows it.

    It keeps the label. A session in the middle of a turn stays until the turn is finished or
    abandoned, so that the turn can be finished in it.

    Args:
        by: the writer that `begin_daily` returned.

    Returns:
        The writer in the new session, and its handle; None if the session stays.
    """
    with writing(by.store) as conn:
        before = session_of(conn, by)
        if before.ended_at is not None or not end_unless_busy(conn, by, before):
            return None
        begun = _begin_in(conn, by, before.label, by.clock())
    return _until_midnight(by, begun.session), begun.handle


def end_unless_busy(conn: Connection, by: Writer, session: Session) -> bool:
    """End an open session in a transaction that is open; False if one of its turns is under way."""
    now = by.clock()
    if rows.is_busy(conn, session, to_micros(now)):
        return False
    _end_in(conn, by, session, now)
    return True


def find_session(conn: Connection, session: str, actor: Actor = "agent") -> Session:
    """Return a session, open or ended.

    Args:
        session: its handle; the owner may also use its uid.

    Raises:
        NotFoundError: there is no such session in this group. The message does not repeat the
            name: it may be a handle of another group.
    """
    row = None
    if is_name(session):
        row = rows.by_handle(conn, session)
        if row is None and actor == "owner":
            row = rows.by_uid(conn, session)
    return _known(row)


def session_of(conn: Connection, by: Writer) -> Session:
    """Return the session of a writer, open or ended.

    Raises:
        NotFoundError: the writer is in no session of this group, or it was erased since.
    """
    return _known(None if by.session is None else rows.by_uid(conn, by.session))


def open_session(conn: Connection, by: Writer) -> Session:
    """Return the session of a writer, which must be open.

    Raises:
        NotFoundError: the writer is in no session of this group, or it was erased since.
        InvalidInputError: the session has ended.
    """
    session = session_of(conn, by)
    if session.ended_at is not None:
        raise InvalidInputError("session", "has ended", "the handle of an open one; begin another")
    return session


def _known(session: Session | None) -> Session:
    if session is None:
        raise NotFoundError("this session is not known here; begin one and write with its handle")
    return session


def _begin_in(conn: Connection, by: Writer, label: str | None, now: datetime) -> NewSession:
    uid, handle = by.ids(), HANDLE + by.ids()
    session = rows.add_session(conn, uid, handle, label, to_micros(now))
    record(conn, now, by.actor, "session.begin", "sessions", [ChangedRow(session.id, uid)])
    return NewSession(handle, session)


def _end_in(conn: Connection, by: Writer, session: Session, now: datetime) -> Session:
    record(conn, now, by.actor, "session.end", "sessions", [ChangedRow(session.id, session.uid)])
    return rows.end(conn, session.id, to_micros(now))


def _until_midnight(by: Writer, session: Session) -> Writer:
    midnight = session.started_at.replace(hour=0, minute=0, second=0, microsecond=0)
    return replace(by, session=session.uid, next_session_at=midnight + timedelta(days=1))
