"""The bound of what an agent may write in one session, held in the transaction of the write."""

from dataclasses import fields

from sqlalchemy import Connection

from afterword.pipeline.domain.memory.checks import is_name
from afterword.pipeline.domain.sessions import rows
from afterword.pipeline.domain.sessions.model import Limits, Session
from afterword.pipeline.domain.sessions.sessions import open_session
from afterword.pipeline.errors import BudgetExceededError


def spend(
    conn: Connection,
    handle: str,
    limits: Limits,
    *,
    stores: int = 0,
    supersedes: int = 0,
    deletes: int = 0,
) -> str:
    """Count what is about to be written in a session, or refuse it.

    Call it first in the transaction of the write: when anything later is refused, the count rolls
    back with it.

    Args:
        limits: the most of each; count.
        stores: memories to be written; count.
        supersedes: how many of them take another's place; count.
        deletes: memories to be deleted; count.

    Returns:
        The session's uid, for the rows written in it.

    Raises:
        NotFoundError: the handle was not issued in this group.
        InvalidInputError: the session has ended.
        BudgetExceededError: the session has no more of it; `reopens_at` is None.
    """
    wanted = Limits(stores, supersedes, deletes)
    uid = rows.spend(conn, handle, wanted, limits) if is_name(handle) else None
    if uid is None:
        raise _spent(open_session(conn, handle), wanted, limits)
    return uid


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
