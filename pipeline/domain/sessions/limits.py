"""The limits of what an agent may write in one session, counted in the write's transaction."""

from dataclasses import fields

from sqlalchemy import Connection

from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions import rows
from afterword.pipeline.domain.sessions.model import Limits, Session
from afterword.pipeline.domain.sessions.sessions import open_session
from afterword.pipeline.errors import BudgetExceededError


def spend(
    conn: Connection,
    by: Writer,
    limits: Limits,
    *,
    stores: int = 0,
    supersedes: int = 0,
    deletes: int = 0,
) -> None:
    """Count what is about to be written in the writer's session, or refuse it.

    Call it first in the transaction of the write: if anything later is refused, the count is rolled
    back too.

    Args:
        limits: the most of each; count.
        stores: memories to be written; count.
        supersedes: how many of them supersede another one; count.
        deletes: memories to be deleted; count.

    Raises:
        NotFoundError: the writer is in no session of this group, or it was erased since.
        InvalidInputError: the session has ended.
        BudgetExceededError: the session has no more of it; `reopens_at` is None.
    """
    wanted = Limits(stores, supersedes, deletes)
    if not rows.spend(conn, by.session, wanted, limits):
        raise _spent(open_session(conn, by), wanted, limits)


def _spent(session: Session, wanted: Limits, limits: Limits) -> BudgetExceededError:
    full = next(
        one.name
        for one in fields(Limits)
        if getattr(wanted, one.name)
        and getattr(session, one.name) + getattr(wanted, one.name) > getattr(limits, one.name)
    )
    used, most = getattr(session, full), getattr(limits, full)
    message = f"session {session.uid} has used {used} of its {most} {full}; begin another session"
    return BudgetExceededError(message, None)
