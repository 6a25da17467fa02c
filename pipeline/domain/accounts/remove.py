"""Remove an account: nothing more is asked for it; what was mirrored stays."""

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.domain.accounts import rows
from afterword.pipeline.domain.accounts.checks import missing_account
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.model import Actor


def remove_account(store: Store, name: str, clock: Clock, actor: Actor = "owner") -> None:
    """End an account.

    Raises:
        NotFoundError: there is no such account.
    """
    with writing(store) as conn:
        now = clock()
        row_id = rows.remove(conn, name, to_micros(now))
        if row_id is None:
            raise missing_account(name)
        record(conn, now, actor, "account.remove", "accounts", [ChangedRow(row_id)])
