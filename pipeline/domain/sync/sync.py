"""Keep the mirrors of a group current: every source of every own account whose turn it is."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import product
from typing import Final, NamedTuple

from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.store.alone import Wait, working_alone
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.accounts import rows as account_rows
from afterword.pipeline.domain.accounts.model import Account
from afterword.pipeline.domain.sync import state_rows
from afterword.pipeline.domain.sync.mirror import MIRRORS, Mirror, MirrorParts
from afterword.pipeline.domain.sync.outage import check_venue
from afterword.pipeline.domain.sync.turn import (
    SyncPauses,
    SyncSource,
    SyncState,
    due_at,
    is_due,
    is_left_out,
    ran_since,
)
from afterword.pipeline.errors import InvalidInputError, PostponedError
from afterword.pipeline.gateway.budget import NotSentError
from afterword.pipeline.gateway.http.model import AskFailedError, BusyError, SetupError
from afterword.pipeline.gateway.venue.info import VenueInfo

_WORK: Final = "sync"


@dataclass(slots=True)
class SyncedSource:
    """What a run did for one source of one account.

    Args:
        new: rows that were not mirrored before; count.
        error: why it failed; None if it did not.
    """

    account: str
    source: SyncSource
    new: int = 0
    error: str | None = None


class _Turn(NamedTuple):
    """One source of one account whose turn it is."""

    account: Account
    state: SyncState
    mirror: Mirror


@dataclass(slots=True)
class SyncReport:
    """What a run did.

    Args:
        resting: of mirrors that ran a moment ago, when they may run again. Those that are left out
            are not among them.
        joined: mirrors that another process brought up to date while this one waited; count.
        stopped_by: the error of the venue that ended the run early.
    """

    sources: list[SyncedSource] = field(default_factory=list)
    resting: list[datetime] = field(default_factory=list)
    joined: int = 0
    stopped_by: Exception | None = None


def sync_accounts(
    parts: MirrorParts,
    info: VenueInfo,
    pauses: SyncPauses,
    *,
    is_forced: bool = False,
    name: str | None = None,
    wait: Wait | None = None,
) -> SyncReport:
    """Mirror what is new at the venue; one process of a group at a time.

    A failure counts against an account only if the venue answers another question: an outage is
    nobody's fault, and one bad account holds no other.

    Args:
        is_forced: somebody asks for it, so no pause counts.
        name: of one account only.
        wait: for another process that mirrors now; what it brings up to date is not asked again.

    Raises:
        UnavailableError, PostponedError: the venue answered nothing, or another process mirrors
            now; nothing was mirrored.
    """
    report = SyncReport()
    with working_alone(parts.store, _WORK, parts.clock, wait) as joined_since:
        turns = _turns(parts, pauses, report, joined_since, is_forced=is_forced, name=name)
        try:
            if len({turn.account.name for turn in turns}) > 1:
                check_venue(info)  # the account that is asked first may be a broken one
            for turn in turns:
                if _is_wanted(parts.store, turn.account):
                    _mirror(parts, info, turn, report)
        except (AskFailedError, NotSentError, PostponedError) as error:
            if not report.sources:
                raise
            report.stopped_by = error
    return report


def _turns(
    parts: MirrorParts,
    pauses: SyncPauses,
    report: SyncReport,
    joined_since: datetime | None,
    *,
    is_forced: bool,
    name: str | None,
) -> list[_Turn]:
    """Return the mirrors whose turn it is, and tell of the others in the report."""
    turns = []
    now = parts.clock()
    for account, (source, mirror) in product(_own_accounts(parts.store, name), MIRRORS):
        with reading(parts.store) as conn:
            state = state_rows.of_account(conn, source, account)
        if joined_since is not None and ran_since(state, joined_since):
            report.joined += 1
        elif is_due(state, now, pauses, is_forced=is_forced):
            turns.append(_Turn(account, state, mirror))
        elif not is_left_out(state, pauses):
            report.resting.append(due_at(state, pauses) or now)
    return turns


def _mirror(parts: MirrorParts, info: VenueInfo, turn: _Turn, report: SyncReport) -> None:
    """Mirror one source of an account, and tell of it in the report.

    Raises:
        AskFailedError, NotSentError, PostponedError: of the venue, so every other account would
            fail too.
    """
    done = SyncedSource(turn.account.name, turn.state.source)
    try:
        _keep_pages(parts, info, turn, done)
    except (AskFailedError, NotSentError, PostponedError):
        if done.new:
            report.sources.append(done)
        raise
    report.sources.append(done)


def _keep_pages(parts: MirrorParts, info: VenueInfo, turn: _Turn, done: SyncedSource) -> None:
    state = turn.state
    try:
        for synced, new in turn.mirror(parts, info, turn.account, turn.state):
            state = synced
            with writing(parts.store) as conn:
                state_rows.save(conn, state)
            done.new += new
            if new and state.source == "perps_fills":
                emit("perps_fills:recorded", fills=new)
    except (BusyError, SetupError):
        raise
    except AskFailedError as error:
        check_venue(info)
        _keep_failure(parts, state, error, done)
    except InvalidInputError as error:  # the venue answered
        _keep_failure(parts, state, error, done)


def _own_accounts(store: Store, name: str | None) -> list[Account]:
    with reading(store) as conn:
        accounts = account_rows.listed(conn)
    return [
        account
        for account in accounts
        if account.kind == "own" and account.paused_at is None and name in (None, account.name)
    ]


def _is_wanted(store: Store, account: Account) -> bool:
    """Return whether an account is still there, and not paused: a run may take minutes."""
    with reading(store) as conn:
        return account_rows.named(conn, account.name) == account


def _keep_failure(
    parts: MirrorParts, state: SyncState, error: Exception, done: SyncedSource
) -> None:
    done.error = str(error)
    failed = replace(
        state,
        last_tried_at=parts.clock(),
        last_error=done.error[:300],
        consecutive_failures=state.consecutive_failures + 1,
    )
    with writing(parts.store) as conn:
        state_rows.save(conn, failed)
    emit(
        "history.sync_failed",
        level="WARNING",
        source=state.source,
        failures=failed.consecutive_failures,
        error=done.error[:300],
    )
