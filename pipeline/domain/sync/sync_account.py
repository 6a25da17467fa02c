"""Mirror what is due of one account, and tell its own failures from those of its venue."""

from contextlib import closing
from dataclasses import dataclass, field, replace

from afterword.pipeline.core.store import writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.accounts.model import Account
from afterword.pipeline.domain.sync import state_rows
from afterword.pipeline.domain.sync.account_history import AccountHistory
from afterword.pipeline.domain.sync.histories import open_history
from afterword.pipeline.domain.sync.mirror import MIRRORS, MirrorParts
from afterword.pipeline.domain.sync.report import SyncedSource, SyncReport
from afterword.pipeline.domain.sync.turn import SyncState
from afterword.pipeline.errors import InvalidInputError, PostponedError
from afterword.pipeline.gateway.budget import NotSentError
from afterword.pipeline.gateway.http.model import AskFailedError, BusyError, SetupError
from afterword.pipeline.gateway.venue.info import VenueInfo


@dataclass(slots=True)
class VenueTurn:
    """What a run knows of one venue.

    Args:
        stopped_by: why nothing more is asked of it.
        unproven: failures that count only if the venue answers something.
    """

    has_answered: bool = False
    stopped_by: Exception | None = None
    unproven: list[tuple[Account, SyncState, AskFailedError]] = field(default_factory=list)


def sync_account(
    parts: MirrorParts,
    info: VenueInfo,
    account: Account,
    due: list[SyncState],
    venue: VenueTurn,
    report: SyncReport,
) -> None:
    """Mirror what is due of an account, and note in the turn and the report what came of it."""
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
            keep_failure(parts, account, state, error, report)


def _sync_source(
    parts: MirrorParts,
    history: AccountHistory,
    account: Account,
    state: SyncState,
    venue: VenueTurn,
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
        keep_failure(parts, account, state, error, report)
        return
    finally:
        venue.has_answered |= history.has_answered
    with writing(parts.store) as conn:
        state_rows.save(conn, synced)
    report.sources.append(SyncedSource(account.name, state.source, new))
    if new and state.source == "perps_fills":
        emit("perps_fills:recorded", fills=new)


def keep_failure(
    parts: MirrorParts,
    account: Account,
    state: SyncState,
    failure: Exception,
    report: SyncReport,
) -> None:
    """Count a failure against an account."""
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
