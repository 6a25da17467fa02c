"""Keep the mirrors of a group current: every source of every own account whose turn it is."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime

from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.accounts import rows as account_rows
from afterword.pipeline.domain.accounts.model import Account
from afterword.pipeline.domain.sync import state_rows
from afterword.pipeline.domain.sync.account_history import AccountHistory
from afterword.pipeline.domain.sync.histories import open_history, sources_of
from afterword.pipeline.domain.sync.mirror import MIRRORS, MirrorParts
from afterword.pipeline.domain.sync.turn import SyncPauses, SyncSource, SyncState, due_at, is_due
from afterword.pipeline.errors import InvalidInputError, PostponedError
from afterword.pipeline.gateway.budget import NotSentError
from afterword.pipeline.gateway.http.model import (
    AskFailedError,
    BusyError,
    SetupError,
)
from afterword.pipeline.gateway.venue.info import VenueInfo


@dataclass(frozen=True, slots=True)
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


@dataclass(slots=True)
class SyncReport:
    """What a run did.

    Args:
        resting: of mirrors whose turn it was not, when it will be.
        stopped: by venue, the error of one that was asked nothing more.
    """

    sources: list[SyncedSource] = field(default_factory=list)
    resting: list[datetime] = field(default_factory=list)
    stopped: Mapping[str, Exception] = field(default_factory=dict)

    @property
    def stopped_by(self) -> Exception | None:
        """Return the error of the first venue that was asked nothing more."""
        return next(iter(self.stopped.values()), None)


@dataclass(slots=True)
class _VenueTurn:
    """What a run knows of one venue.

    Args:
        stopped_by: why nothing more is asked of it.
        unproven: failures that count only if the venue answers something.
    """

    has_answered: bool = False
    stopped_by: Exception | None = None
    unproven: list[tuple[Account, SyncState, AskFailedError]] = field(default_factory=list)


def sync_accounts(
    parts: MirrorParts,
    info: VenueInfo,
    pauses: SyncPauses,
    *,
    is_forced: bool = False,
    name: str | None = None,
) -> SyncReport:
    """Mirror what is new at the venues.

    A failure counts against an account only if its venue answered another question of the run: an
    outage is nobody's fault, and one bad account holds no other. One venue holds no other, either.

    Args:
        info: Hyperliquid's.
        is_forced: somebody asks for it, so the pause between two runs does not count.
        name: of one account only.

    Raises:
        UnavailableError, PostponedError: no venue answered anything; nothing was mirrored.
    """
    report = SyncReport()
    venues: dict[str, _VenueTurn] = {}
    for account in _own_accounts(parts.store, name):
        venue = venues.setdefault(account.venue, _VenueTurn())
        due = _due_sources(parts, account, pauses, report, is_forced=is_forced)
        if due and venue.stopped_by is None:
            _sync_account(parts, info, account, due, venue, report)
    for venue in venues.values():
        if venue.has_answered:
            for account, state, failure in venue.unproven:
                _keep_failure(parts, account, state, failure, report)
        elif venue.stopped_by is None and venue.unproven:
            venue.stopped_by = venue.unproven[0][2]
    report.stopped = {
        name: venue.stopped_by for name, venue in venues.items() if venue.stopped_by is not None
    }
    if not report.sources and not any(venue.has_answered for venue in venues.values()):
        _raise_first(*report.stopped.values())
    return report


def _due_sources(
    parts: MirrorParts,
    account: Account,
    pauses: SyncPauses,
    report: SyncReport,
    *,
    is_forced: bool,
) -> list[SyncState]:
    """Return the mirrors of an account whose turn it is, and note when the others' will be."""
    due: list[SyncState] = []
    for source in sources_of(account):
        with reading(parts.store) as conn:
            state = state_rows.of_account(conn, source, account)
        now = parts.clock()
        if is_due(state, now, pauses, is_forced=is_forced):
            due.append(state)
        else:
            report.resting.append(due_at(state, pauses) or now)
    return due


def _sync_account(
    parts: MirrorParts,
    info: VenueInfo,
    account: Account,
    due: list[SyncState],
    venue: _VenueTurn,
    report: SyncReport,
) -> None:
    try:
        history = open_history(info, parts.exchanges, account)
        with closing(history):
            for state in due:
                _sync_source(parts, history, account, state, venue, report)
    except (BusyError, SetupError, NotSentError, PostponedError) as error:
        venue.stopped_by = error  # of the venue, so every other account would fail too
    except AskFailedError as error:
        venue.unproven += [(account, state, error) for state in due]
    except InvalidInputError as error:  # its key
        for state in due:
            _keep_failure(parts, account, state, error, report)


def _sync_source(
    parts: MirrorParts,
    history: AccountHistory,
    account: Account,
    state: SyncState,
    venue: _VenueTurn,
    report: SyncReport,
) -> None:
    try:
        synced, new = MIRRORS[state.source](parts, history, account, state)
    except (BusyError, SetupError, NotSentError, PostponedError):
        raise
    except AskFailedError as error:
        venue.unproven.append((account, state, error))
        return
    except InvalidInputError as error:
        _keep_failure(parts, account, state, error, report)
        return
    finally:
        venue.has_answered |= history.has_answered
    with writing(parts.store) as conn:
        state_rows.save(conn, synced)
    report.sources.append(SyncedSource(account.name, state.source, new))
    if new and state.source == "perps_fills":
        emit("perps_fills:recorded", fills=new)


def _raise_first(*errors: Exception | None) -> None:
    for error in errors:
        if error is not None:
            raise error


def _own_accounts(store: Store, name: str | None) -> list[Account]:
    with reading(store) as conn:
        accounts = account_rows.listed(conn)
    return [
        account
        for account in accounts
        if account.kind == "own" and account.paused_at is None and name in (None, account.name)
    ]


def _keep_failure(
    parts: MirrorParts,
    account: Account,
    state: SyncState,
    failure: Exception,
    report: SyncReport,
) -> None:
    error = str(failure)[:300]
    with writing(parts.store) as conn:
        # What the run mirrored before it failed stays.
        reached = state_rows.of_account(conn, state.source, account)
        failed = replace(
            reached,
            last_tried_at=parts.clock(),
            last_error=error,
            consecutive_failures=state.consecutive_failures + 1,
        )
        state_rows.save(conn, failed)
    report.sources.append(SyncedSource(state.sub_account_id, state.source, error=error))
    emit(
        "history.sync_failed",
        level="WARNING",
        source=state.source,
        failures=failed.consecutive_failures,
        error=error,
    )
