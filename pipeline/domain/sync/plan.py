"""Which mirrors a run takes: those whose turn it is."""

from datetime import datetime
from hashlib import sha256
from itertools import product
from typing import NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.accounts import rows as account_rows
from afterword.pipeline.domain.accounts.model import Account
from afterword.pipeline.domain.sync import state_rows
from afterword.pipeline.domain.sync.mirror import MIRRORS, Mirror
from afterword.pipeline.domain.sync.report import SyncReport
from afterword.pipeline.domain.sync.turn import (
    SyncPauses,
    SyncState,
    due_at,
    is_due,
    is_left_out,
    ran_since,
)


class MirrorTurn(NamedTuple):
    """One source of one account, and how far it is."""

    account: Account
    state: SyncState
    mirror: Mirror


def mirrored(conn: Connection) -> list[MirrorTurn]:
    """Return every source of the own accounts that are not paused, by account."""
    return [
        MirrorTurn(account, state_rows.of_account(conn, source, account), mirror)
        for account, (source, mirror) in product(account_rows.listed(conn), MIRRORS)
        if account.kind == "own" and account.paused_at is None
    ]


def plan_run(
    store: Store,
    clock: Clock,
    pauses: SyncPauses,
    report: SyncReport,
    joined_since: datetime | None,
    *,
    is_forced: bool,
    name: str | None,
) -> list[MirrorTurn]:
    """Return the mirrors whose turn it is, and tell of the others in the report.

    Nobody waits for the order of a worker's run, and it is another one each time: an account that
    ends every run, because the venue is busy with it, then holds no other.

    Args:
        joined_since: since when another process mirrored that this one waited for; None for none.
        is_forced: somebody asks for it, so no pause counts.
        name: of one account only.
    """
    now, turns = clock(), []
    with reading(store) as conn:
        known = mirrored(conn)
    for turn in known:
        state = turn.state
        if name not in (None, turn.account.name):
            continue
        if joined_since is not None and ran_since(state, joined_since):
            report.joined += 1
        elif is_due(state, now, pauses, is_forced=is_forced):
            turns.append(turn)
        elif not is_left_out(state, pauses):
            report.resting.append(due_at(state, pauses) or now)
    return turns if is_forced else sorted(turns, key=lambda turn: _place(turn.account, now))


def is_wanted(store: Store, account: Account) -> bool:
    """Return whether an account is still there, and not paused: a run may take minutes."""
    with reading(store) as conn:
        return account_rows.named(conn, account.name) == account


def _place(account: Account, now: datetime) -> bytes:
    return sha256(f"{account.name} {to_micros(now)}".encode()).digest()
