"""Read sessions and their turns, as their owner."""

from dataclasses import dataclass
from typing import Final

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.memory.checks import check_limit
from afterword.pipeline.domain.sessions import rows
from afterword.pipeline.domain.sessions.model import Session, Turn
from afterword.pipeline.domain.sessions.sessions import find_session

MAX_SESSIONS_READ: Final = 1_000
"""Sessions of one read, and turns of one session."""


@dataclass(frozen=True, slots=True)
class SessionDetails:
    """A session with its last turns, oldest first."""

    session: Session
    turns: tuple[Turn, ...]


def read_sessions(store: Store, limit: int = 20, *, after: int | None = None) -> list[Session]:
    """Return the sessions begun last, newest first.

    Args:
        after: `id` of the last session of the page before.

    Raises:
        InvalidInputError: a limit out of range.
    """
    check_limit(limit, MAX_SESSIONS_READ)
    with reading(store) as conn:
        return rows.recent_sessions(conn, limit, after)


def show_session(store: Store, session: str) -> SessionDetails:
    """Return one session and its turns.

    Args:
        session: its handle or its uid.

    Raises:
        NotFoundError: there is no such session in this group.
    """
    with reading(store) as conn:
        known = find_session(conn, session, "owner")
        return SessionDetails(known, tuple(rows.turns_of(conn, known, MAX_SESSIONS_READ)))
