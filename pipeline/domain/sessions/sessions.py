"""Begin, end and find sessions; a handle nobody issued opens nothing."""

from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.checks import MAX_NAME, check_text, is_name
from afterword.pipeline.domain.memory.model import Actor
from afterword.pipeline.domain.sessions import rows
from afterword.pipeline.domain.sessions.model import NewSession, Session
from afterword.pipeline.errors import InvalidInputError, NotFoundError
from afterword.pipeline.ids import IdSource
from afterword.pipeline.rules.masking import mask

HANDLE: Final = "sess-"
"""What a handle begins with, so that people tell it from the uid of a memory."""


def begin_session(
    store: Store, clock: Clock, ids: IdSource, label: str | None = None, *, actor: Actor = "agent"
) -> NewSession:
    """Begin a session; its handle is told here and nowhere else.

    Args:
        ids: the source of its name and of its handle; in production nobody can guess the next one.
        label: what the client calls it; shown, never believed.

    Raises:
        InvalidInputError: the label is blank or too long.
    """
    check_label(label)
    uid, handle, shown = ids(), HANDLE + ids(), label and mask(label)
    with writing(store) as conn:
        now = clock()
        session = rows.add_session(conn, uid, handle, shown, to_micros(now))
        record(conn, now, actor, "session.begin", "sessions", [ChangedRow(session.id, uid)])
    return NewSession(handle, session)


def check_label(label: str | None) -> None:
    """Refuse a label that cannot be shown.

    Raises:
        InvalidInputError: it is blank, too long or not storable.
    """
    if label is not None:
        check_text(label, MAX_NAME, "label")


def end_session(store: Store, session: str, clock: Clock, *, actor: Actor = "agent") -> Session:
    """End a session: nothing more is written in it. Repeated, it changes nothing.

    Args:
        session: its handle; its owner may also say its uid.

    Raises:
        NotFoundError: there is no such session in this group.
    """
    with writing(store) as conn:
        found = find_session(conn, session, actor)
        if found.ended_at is not None:
            return found
        now = clock()
        record(conn, now, actor, "session.end", "sessions", [ChangedRow(found.id, found.uid)])
        return rows.end(conn, found.id, to_micros(now))


def find_session(conn: Connection, session: str, actor: Actor = "agent") -> Session:
    """Return a session, open or ended.

    Args:
        session: its handle; its owner may also say its uid.

    Raises:
        NotFoundError: there is no such session in this group. The message repeats nothing of it:
            it may be a handle of another group.
    """
    found = None
    if is_name(session):
        found = rows.by_handle(conn, session)
        if found is None and actor == "owner":
            found = rows.by_uid(conn, session)
    if found is None:
        raise NotFoundError("this session is not known here; begin one and write with its handle")
    return found


def open_session(conn: Connection, handle: str) -> Session:
    """Return the session a handle may write in.

    Raises:
        NotFoundError: the handle was not issued in this group.
        InvalidInputError: the session has ended.
    """
    found = find_session(conn, handle)
    if found.ended_at is not None:
        raise InvalidInputError("session", "has ended", "the handle of an open one; begin another")
    return found
