"""Pause an account: the venue is not asked for it until the pause ends."""

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.domain.accounts import rows
from afterword.pipeline.domain.accounts.checks import missing_account
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.model import Actor


def pause_accounts(
    store: Store, name: str | None, clock: Clock, actor: Actor = "owner", *, pauses: bool
) -> int:
    """Begin the pause of an account, or end it; return how many accounts that changed.

    Args:
        name: of one account; None for all.
        pauses: False ends the pause.

    Raises:
        NotFoundError: there is no such account.
    """
    with writing(store) as conn:
        if name is not None and rows.named(conn, name) is None:
            raise missing_account(name)
        now = clock()
        changed = rows.pause(conn, name, to_micros(now) if pauses else None)
        touched = [ChangedRow(row_id) for row_id in changed]
        if pauses:
            record(conn, now, actor, "account.pause", "accounts", touched)
        else:
            record(conn, now, actor, "account.resume", "accounts", touched)
    return len(changed)
