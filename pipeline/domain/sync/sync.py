"""Keep the mirrors of a group current: every source of every own account whose turn it is."""

from dataclasses import replace
from typing import Final

from afterword.pipeline.core.store import writing
from afterword.pipeline.core.store.alone import Wait, working_alone
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.capital.nudge import ask_for_capital
from afterword.pipeline.domain.sync import state_rows
from afterword.pipeline.domain.sync.cover import cover_values
from afterword.pipeline.domain.sync.mirror import MirrorParts
from afterword.pipeline.domain.sync.outage import check_venue
from afterword.pipeline.domain.sync.plan import MirrorTurn, is_wanted, plan_run
from afterword.pipeline.domain.sync.report import SyncedSource, SyncReport
from afterword.pipeline.domain.sync.turn import SyncPauses, SyncState
from afterword.pipeline.errors import InvalidInputError, PostponedError
from afterword.pipeline.gateway.budget import NotSentError
from afterword.pipeline.gateway.http.model import AskFailedError, BusyError, SetupError
from afterword.pipeline.gateway.venue.info import VenueInfo

SYNC_WORK: Final = "sync"
"""What one process of a group does at a time; see `working_alone`."""


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
    with working_alone(parts.store, SYNC_WORK, parts.clock, wait) as joined_since:
        turns = plan_run(
            *(parts.store, parts.clock, pauses, report, joined_since),
            is_forced=is_forced,
            name=name,
        )
        try:
            if len({turn.account.name for turn in turns}) > 1:
                check_venue(info)  # the account that is asked first may be a broken one
            for turn in turns:
                if is_wanted(parts.store, turn.account):
                    _mirror(parts, info, turn, report)
        except (AskFailedError, NotSentError, PostponedError) as error:
            if not report.sources:
                raise
            report.stopped_by = error
    return report


def _mirror(parts: MirrorParts, info: VenueInfo, turn: MirrorTurn, report: SyncReport) -> None:
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


def _keep_pages(parts: MirrorParts, info: VenueInfo, turn: MirrorTurn, done: SyncedSource) -> None:
    state = turn.state
    try:
        for synced, new in turn.mirror(parts, info, turn.account, turn.state):
            state = synced
            with writing(parts.store) as conn:
                state_rows.save(conn, state)
                if new and state.source == "perps_fills":
                    ask_for_capital(conn, parts.clock())
            done.new += new
            if new and state.source == "perps_fills":
                emit("perps_fills:recorded", fills=new)
        with writing(parts.store) as conn:
            cover_values(conn, turn.account.name, parts.clock())
    except (BusyError, SetupError):
        raise
    except AskFailedError as error:
        check_venue(info)
        _keep_failure(parts, state, error, done)
    except InvalidInputError as error:  # the venue answered
        _keep_failure(parts, state, error, done)


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
