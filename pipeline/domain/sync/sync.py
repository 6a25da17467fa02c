"""Keep the mirrors of a group current: every source of every own account whose turn it is."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import product
from typing import TypeVar

from afterword.pipeline.clock import from_millis, iso
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.accounts import rows as account_rows
from afterword.pipeline.domain.accounts.model import Account
from afterword.pipeline.domain.history.files import SetAside
from afterword.pipeline.domain.sync import state_rows
from afterword.pipeline.domain.sync.mirror import MIRRORS, MirrorParts
from afterword.pipeline.domain.sync.turn import SyncPauses, SyncSource, SyncState, due_at, is_due
from afterword.pipeline.errors import InvalidInputError, PostponedError
from afterword.pipeline.gateway.budget import NotSentError
from afterword.pipeline.gateway.http.model import (
    AskFailedError,
    BusyError,
    RefusedError,
    SetupError,
)
from afterword.pipeline.gateway.venue.info import VenueInfo, read_json
from afterword.pipeline.gateway.venue.model import InfoRequest

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class SyncedSource:
    """What a run did for one source of one account.

    Args:
        new: rows that were not mirrored before; count.
        error: why it failed; None if it did not.
        full_moments: with more rows than the venue hands out of one, so that some are missing.
        set_aside: what of the new rows was left out, since a file tells of the same trades,
            otherwise.
    """

    account: str
    source: SyncSource
    new: int = 0
    error: str | None = None
    full_moments: tuple[datetime, ...] = ()
    set_aside: tuple[SetAside, ...] = ()


@dataclass(slots=True)
class SyncReport:
    """What a run did.

    Args:
        resting: of mirrors whose turn it was not, when it will be.
        stopped_by: the error of the venue that ended the run early.
    """

    sources: list[SyncedSource] = field(default_factory=list)
    resting: list[datetime] = field(default_factory=list)
    stopped_by: Exception | None = None


class _Asking:
    """The venue, and whether it answered anything in this run."""

    def __init__(self, info: VenueInfo) -> None:
        self._info = info
        self.has_answered = False

    def ask(self, request: InfoRequest, read: Callable[[bytes], _Value] = read_json) -> _Value:
        """See `VenueInfo`."""
        try:
            reply = self._info.ask(request, read)
        except RefusedError:
            self.has_answered = True
            raise
        self.has_answered = True
        return reply

    def close(self) -> None:
        """See `VenueInfo`."""
        self._info.close()


def sync_accounts(
    parts: MirrorParts,
    info: VenueInfo,
    pauses: SyncPauses,
    *,
    is_forced: bool = False,
    name: str | None = None,
) -> SyncReport:
    """Mirror what is new at the venue.

    A failure counts against an account only if the venue answered another question of the run: an
    outage is nobody's fault, and one bad account holds no other.

    Args:
        is_forced: somebody asks for it, so the pause between two runs does not count.
        name: of one account only.

    Raises:
        InvalidInputError: the account of this name is none that is mirrored, or is paused.
        UnavailableError, PostponedError: the venue answered nothing; nothing was run.
    """
    asking, report = _Asking(info), SyncReport()
    failures: list[tuple[SyncState, AskFailedError | InvalidInputError]] = []
    for account, (source, mirror) in product(_own_accounts(parts.store, name), MIRRORS):
        with reading(parts.store) as conn:
            state = state_rows.of_account(conn, source, account)
        now = parts.clock()
        if not is_due(state, now, pauses, is_forced=is_forced):
            report.resting.append(due_at(state, pauses) or now)
            continue
        try:
            run = mirror(parts, asking, account, state)
        except (BusyError, SetupError, NotSentError, PostponedError) as error:
            report.stopped_by = error  # of the venue, so every other account would fail too
            break
        except (AskFailedError, InvalidInputError) as error:
            failures.append((state, error))
            continue
        with writing(parts.store) as conn:
            state_rows.save(conn, run.state)
        full = tuple(map(from_millis, run.full_ms))
        report.sources.append(
            SyncedSource(
                account.name,
                source,
                run.new,
                full_moments=full,
                set_aside=run.set_aside,
            )
        )
        if run.new and source == "perps_fills":
            emit("perps_fills:recorded", fills=run.new)
    if not asking.has_answered:
        _raise_first(report.stopped_by, *(failure for _, failure in failures))
    for state, failure in failures:
        _keep_failure(parts, state, str(failure))
        report.sources.append(SyncedSource(state.sub_account_id, state.source, error=str(failure)))
    return report


def _raise_first(*errors: Exception | None) -> None:
    for error in errors:
        if error is not None:
            raise error


def _own_accounts(store: Store, name: str | None) -> list[Account]:
    with reading(store) as conn:
        accounts = account_rows.listed(conn)
    asked = [account for account in accounts if name in (None, account.name)]
    if name is not None:
        for account in asked:
            _check_mirrored(account)
    return [account for account in asked if account.kind == "own" and account.paused_at is None]


def _check_mirrored(account: Account) -> None:
    name = account.name
    if account.kind == "reference":
        problem = f"{name} was added with --reference, and such accounts are not mirrored"
        remedy = f"an account of yours; afterword learn {account.address} looks at this one"
        raise InvalidInputError("name", problem, remedy)
    if account.paused_at is not None:
        problem = f"{name} is paused since {iso(account.paused_at)}"
        raise InvalidInputError("name", problem, f"it after afterword sync resume {name}")


def _keep_failure(parts: MirrorParts, state: SyncState, error: str) -> None:
    failed = replace(
        state,
        last_tried_at=parts.clock(),
        last_error=error[:300],
        consecutive_failures=state.consecutive_failures + 1,
    )
    with writing(parts.store) as conn:
        state_rows.save(conn, failed)
    emit(
        "history.sync_failed",
        level="WARNING",
        source=state.source,
        failures=failed.consecutive_failures,
        error=error[:300],
    )
