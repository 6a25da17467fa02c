"""Check the mirrors of accounts: whether they stand still, fail, or miss something."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from afterword.pipeline.clock import from_millis, iso
from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.accounts import rows as account_rows
from afterword.pipeline.domain.accounts.model import Account
from afterword.pipeline.domain.history.files import KnownFile, known_files
from afterword.pipeline.domain.sync.status import mirrors
from afterword.pipeline.domain.sync.turn import SyncPauses, SyncState, due_at, pauses_of
from afterword.pipeline.operations.doctor.model import Finding, SoundFile


def check_mirrors(file: SoundFile) -> Iterator[Finding]:
    """Check the mirrors of one group; there is no finding if it has no account of its owner."""
    with reading(file.store) as conn:
        accounts = [one for one in account_rows.listed(conn) if one.kind == "own"]
        states = mirrors(conn)
        files = known_files(conn) if accounts else []
    subject, pauses = f"mirrors of {file.name}", pauses_of(file.settings)
    added = {account.name: account.added_at for account in accounts}
    findings = [
        finding
        for state in states
        for finding in _of_mirror(subject, state, added, pauses, file.now())
    ]
    yield from findings
    yield from _paused(subject, accounts)
    yield from _left_out(subject, files)
    if states and not findings:
        yield Finding(subject, "fine", f"{len(states):,} mirrors, all current and whole")


def _of_mirror(
    subject: str,
    state: SyncState,
    added: dict[str, datetime],
    pauses: SyncPauses,
    now: datetime,
) -> Iterator[Finding]:
    """Yield what is wrong with one mirror: the worst first, and only that; then what it misses."""
    name, private = state.sub_account_id, (state.sub_account_id,)
    what = f"{state.source} of {name}"
    failures, error = state.consecutive_failures, state.last_error or ""
    still_since = state.last_synced_at or added[name]
    if failures >= pauses.most_failures:
        until = due_at(state, pauses) or now
        says = f"{what} failed {failures} times and is left out until {iso(until)}: {error}"
        remedy = "it is tried again by itself then; `afterword sync status` shows how it went"
        yield Finding(subject, "wrong", says, remedy, (*private, error))
    elif now - still_since > 2 * max(pauses.tick, timedelta(minutes=5)):
        says = f"{what} stands still since {iso(still_since)}"
        remedy = f"start `afterword up`; `afterword sync now {name}` mirrors it now"
        yield Finding(subject, "wrong", says, remedy, private)
    elif failures:
        times = "once" if failures == 1 else f"{failures} times"
        says = f"{what} failed {times}: {error}"
        yield Finding(subject, "note", says, f"`afterword sync now {name}`", (*private, error))
    if state.whole_since_ms:
        says = f"{what} is whole since {iso(from_millis(state.whole_since_ms))}, not before"
        remedy = "the venue hands out no more; what came before may be missing in sums"
        if state.source == "perps_fills":
            remedy = (
                "the CSV that you export at the venue has the time before: "
                f"`afterword learn FILE --keep --account {name}`"
            )
        yield Finding(subject, "note", says, remedy, private)


def _paused(subject: str, accounts: Sequence[Account]) -> Iterator[Finding]:
    for account in accounts:
        if account.paused_at is not None:
            says = f"{account.name} is paused since {iso(account.paused_at)}"
            remedy = f"`afterword sync resume {account.name}`"
            yield Finding(subject, "note", says, remedy, (account.name,))


def _left_out(subject: str, files: Sequence[KnownFile]) -> Iterator[Finding]:
    """Yield the accounts of which a file and a mirror, or two files, tell of trades otherwise."""
    for account in sorted({file.account for file in files}):
        parts = [part for file in files if file.account == account for part in file.set_aside]
        if parts:
            first = from_millis(min(part.first_ms for part in parts))
            count = sum(part.fills for part in parts)
            says = (
                f"{count:,} fills of {account}, the first at {iso(first)}, are left out: two "
                "sources tell of the same trades, otherwise; what came first counts"
            )
            remedy = f"`afterword learn --account {account}` names them"
            yield Finding(subject, "note", says, remedy, (account,))
