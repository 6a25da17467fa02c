"""The limits of what an agent may write in one session, counted in the write's transaction."""

from dataclasses import fields
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions import rows
from afterword.pipeline.domain.sessions.model import Limits, Session
from afterword.pipeline.domain.sessions.sessions import open_session
from afterword.pipeline.errors import BudgetExceededError

_STILL_POSSIBLE: Final = {
    "stores": "decisions, trades, methodologies and deletions are counted apart",
    "supersedes": "an entry can still be stored without one, and the older one deleted",
    "deletes": "an entry can still be superseded",
    "decisions": "memories and trades are counted apart",
    "trades": "memories and decisions are counted apart",
    "methodologies": "memories, decisions and trades are counted apart",
}
"""What a session that has reached one of its limits may still do."""


def spend(
    conn: Connection,
    by: Writer,
    limits: Limits,
    *,
    stores: int = 0,
    supersedes: int = 0,
    deletes: int = 0,
    decisions: int = 0,
    trades: int = 0,
    methodologies: int = 0,
) -> None:
    """Count what is about to be written in the writer's session, or refuse it.

    Call it in the transaction of the write: if anything later is refused, the count is rolled back
    too.

    Args:
        limits: the most of each; count.
        stores, supersedes, deletes, decisions, trades, methodologies: what is to be written, as
            `Limits` names it; count.

    Raises:
        NotFoundError: the writer is in no session of this group, or it was erased since.
        InvalidInputError: the session has ended.
        BudgetExceededError: the session has no more of it; `reopens_at` is when the next session
            begins, and None if the writer's session is followed by none.
    """
    wanted = Limits(stores, supersedes, deletes, decisions, trades, methodologies)
    if not rows.spend(conn, by.session, wanted, limits):
        raise _spent(by, open_session(conn, by), wanted, limits)


def _spent(by: Writer, session: Session, wanted: Limits, limits: Limits) -> BudgetExceededError:
    full = next(
        limit.name
        for limit in fields(Limits)
        if getattr(wanted, limit.name)
        and getattr(session, limit.name) + getattr(wanted, limit.name) > getattr(limits, limit.name)
    )
    used, most = getattr(session, full), getattr(limits, full)
    begin = "begin another session"
    if by.next_session_at is not None:
        begin = f"the next session begins at {by.next_session_at:%Y-%m-%dT%H:%MZ}"
    message = (
        f"session {session.uid} has used {used} of its {most} {full}; {begin}, or ask the owner to "
        f"raise AFTERWORD_SESSION_MAX_{full.upper()}; {_STILL_POSSIBLE[full]}"
    )
    return BudgetExceededError(message, by.next_session_at)
