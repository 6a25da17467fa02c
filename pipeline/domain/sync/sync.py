"""Keep the mirrors of a group current: every source of every own account whose turn it is."""

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.accounts import rows as account_rows
from afterword.pipeline.domain.accounts.model import Account
from afterword.pipeline.domain.sync import state_rows
from afterword.pipeline.domain.sync.histories import sources_of
from afterword.pipeline.domain.sync.mirror import MirrorParts
from afterword.pipeline.domain.sync.report import SyncReport
from afterword.pipeline.domain.sync.sync_account import VenueTurn, keep_failure, sync_account
from afterword.pipeline.domain.sync.turn import SyncPauses, SyncState, due_at, is_due
from afterword.pipeline.gateway.venue.info import VenueInfo


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
    venues: dict[str, VenueTurn] = {}
    for account in _own_accounts(parts.store, name):
        venue = venues.setdefault(account.venue, VenueTurn())
        due = _due_sources(parts, account, pauses, report, is_forced=is_forced)
        if due and venue.stopped_by is None:
            sync_account(parts, info, account, due, venue, report)
    for venue in venues.values():
        if venue.has_answered:
            for account, state, failure in venue.unproven:
                keep_failure(parts, account, state, failure, report)
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
