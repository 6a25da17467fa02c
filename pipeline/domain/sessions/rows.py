"""SQL over sessions and turns."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, and_, func, insert, select, text, update

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store.codec import Codec, Coding
from afterword.pipeline.domain.sessions.model import Limits, Outcome, Session, ToolCall, Turn
from afterword.pipeline.domain.sessions.tables import sessions, turns

_SESSION_CODEC: Final = Codec(Session, moments=("started_at", "ended_at"))
_SESSION: Final = tuple(sessions.c[name] for name in _SESSION_CODEC.names)
# Texts, not built statements: each start of a session asks a dozen times.
_BY_HANDLE: Final = text(f"SELECT {_SESSION_CODEC.columns} FROM sessions WHERE handle = :name")
_BY_UID: Final = text(f"SELECT {_SESSION_CODEC.columns} FROM sessions WHERE uid = :name")


def _tool_calls(text: str) -> tuple[ToolCall, ...]:
    return tuple(ToolCall(*call) for call in json.loads(text))


def _calls_text(calls: Sequence[ToolCall]) -> str:
    named = [[call.name, call.arguments, call.succeeded] for call in calls]
    return json.dumps(named, ensure_ascii=False)


_TURN_CODEC: Final = Codec(
    Turn,
    given=("session_uid",),
    moments=("started_at", "busy_until", "finished_at"),
    codings={"tool_calls": Coding(_tool_calls, _calls_text)},
)
_TURN: Final = tuple(turns.c[name] for name in _TURN_CODEC.names)


def add_session(conn: Connection, uid: str, handle: str, label: str | None, now: int) -> Session:
    """Begin a session (microseconds)."""
    values = {"uid": uid, "handle": handle, "label": label, "started_at": now}
    row = conn.execute(insert(sessions).values(values).returning(*_SESSION)).one()
    return _SESSION_CODEC.read(row)


def by_handle(conn: Connection, handle: str) -> Session | None:
    """Return the session a handle was issued for."""
    row = conn.execute(_BY_HANDLE, {"name": handle}).one_or_none()
    return None if row is None else _SESSION_CODEC.read(row)


def by_uid(conn: Connection, uid: str) -> Session | None:
    """Return the session of a uid."""
    row = conn.execute(_BY_UID, {"name": uid}).one_or_none()
    return None if row is None else _SESSION_CODEC.read(row)


def recent_sessions(conn: Connection, limit: int, after: int | None = None) -> list[Session]:
    """Return the sessions begun last, newest first; those after the one of an id, if given."""
    newest = select(*_SESSION).order_by(sessions.c.id.desc()).limit(limit)
    if after is not None:
        newest = newest.where(sessions.c.id < after)
    rows = conn.execute(newest)
    return [_SESSION_CODEC.read(row) for row in rows]


def end(conn: Connection, session_id: int, now: int) -> Session:
    """End a session and its unfinished turns; with a clock set back, it ends at its start."""
    until = func.max(turns.c.started_at, func.min(turns.c.busy_until, now))
    unfinished = turns.c.outcome.is_(None)
    conn.execute(
        update(turns).where(turns.c.session_id == session_id, unfinished).values(busy_until=until)
    )
    ended = (
        update(sessions)
        .where(sessions.c.id == session_id)
        .values(ended_at=func.max(sessions.c.started_at, now))
    )
    return _SESSION_CODEC.read(conn.execute(ended.returning(*_SESSION)).one())


def spend(conn: Connection, uid: str | None, wanted: Limits, most: Limits) -> bool:
    """Count what is written in an open session, in one statement; False if it does not fit.

    A limit that is not asked for is not compared: one that was lowered meanwhile stops its own kind
    of write only.
    """
    counts = {name: sessions.c[name] + count for name, count in asdict(wanted).items() if count}
    fits = [counted <= getattr(most, name) for name, counted in counts.items()]
    open_one = update(sessions).where(sessions.c.uid == uid, sessions.c.ended_at.is_(None), *fits)
    return conn.execute(open_one.values(counts)).rowcount == 1


def is_busy(conn: Connection, session: Session, now: int) -> bool:
    """Return whether a session is in the middle of a turn at a moment (microseconds)."""
    open_turn = and_(
        turns.c.session_id == session.id, turns.c.outcome.is_(None), turns.c.busy_until > now
    )
    return conn.execute(select(turns.c.id).where(open_turn).limit(1)).first() is not None


def add_turn(
    conn: Connection, session: Session, uid: str, message: str, now: int, busy_until: int
) -> Turn:
    """Begin a turn (microseconds)."""
    values = {
        "uid": uid,
        "session_id": session.id,
        "message": message,
        "started_at": now,
        "busy_until": busy_until,
    }
    row = conn.execute(insert(turns).values(values).returning(*_TURN)).one()
    return _to_turn(row, session)


def finish_turn(
    conn: Connection,
    session: Session,
    uid: str,
    outcome: Outcome,
    reply: str | None,
    tool_calls: Sequence[ToolCall],
    now: int,
) -> Turn | None:
    """Finish an unfinished turn of a session; None if there is no such turn."""
    done = (
        update(turns)
        .where(_named(session, uid), turns.c.outcome.is_(None))
        .values(
            outcome=outcome,
            reply=reply,
            tool_calls=_calls_text(tool_calls),
            finished_at=func.max(turns.c.started_at, now),
        )
    )
    row = conn.execute(done.returning(*_TURN)).one_or_none()
    return None if row is None else _to_turn(row, session)


def turn(conn: Connection, session: Session, uid: str) -> Turn | None:
    """Return a turn of a session by its uid."""
    row = conn.execute(select(*_TURN).where(_named(session, uid))).one_or_none()
    return None if row is None else _to_turn(row, session)


def turns_of(conn: Connection, session: Session, limit: int) -> list[Turn]:
    """Return the last turns of a session, oldest first."""
    newest = select(*_TURN).where(turns.c.session_id == session.id).order_by(turns.c.id.desc())
    return [_to_turn(row, session) for row in conn.execute(newest.limit(limit))][::-1]


def turn_of_id(conn: Connection, turn_id: int) -> Turn | None:
    """Return a turn by its primary key."""
    joined = select(*_TURN, sessions.c.uid.label("session_uid")).join(
        sessions, sessions.c.id == turns.c.session_id
    )
    row = conn.execute(joined.where(turns.c.id == turn_id)).one_or_none()
    return None if row is None else _TURN_CODEC.read(row, session_uid=row.session_uid)


def open_turn(conn: Connection, session: Session, now: int) -> Turn | None:
    """Return the turn that a session is in the middle of at a moment (microseconds)."""
    is_open = and_(
        turns.c.session_id == session.id, turns.c.outcome.is_(None), turns.c.busy_until > now
    )
    newest = select(*_TURN).where(is_open).order_by(turns.c.id.desc()).limit(1)
    row = conn.execute(newest).one_or_none()
    return None if row is None else _to_turn(row, session)


def finished_before(conn: Connection, turn: Turn, limit: int) -> list[Turn]:
    """Return the turns of all sessions that were finished before one began, the latest first."""
    before = (
        select(*_TURN, sessions.c.uid.label("session_uid"))
        .join(sessions, sessions.c.id == turns.c.session_id)
        .where(
            turns.c.outcome.is_not(None),
            turns.c.finished_at <= to_micros(turn.started_at),
            turns.c.id < turn.id,
        )
        .order_by(turns.c.finished_at.desc(), turns.c.id.desc())
        .limit(limit)
    )
    return [_TURN_CODEC.read(row, session_uid=row.session_uid) for row in conn.execute(before)]


def begun_after(conn: Connection, turn: Turn, limit: int) -> list[Turn]:
    """Return the next turns of the session of one, the first first."""
    own = select(turns.c.session_id).where(turns.c.id == turn.id).scalar_subquery()
    after = select(*_TURN).where(turns.c.session_id == own, turns.c.id > turn.id)
    rows = conn.execute(after.order_by(turns.c.id).limit(limit))
    return [_TURN_CODEC.read(row, session_uid=turn.session_uid) for row in rows]


def _named(session: Session, uid: str) -> ColumnElement[bool]:
    return and_(turns.c.session_id == session.id, turns.c.uid == uid)


def _to_turn(row: Any, session: Session) -> Turn:
    return _TURN_CODEC.read(row, session_uid=session.uid)
