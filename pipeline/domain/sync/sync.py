"""Keep the mirrors of a group current: every source of every own account whose turn it is."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from afterword.pipeline.clock import from_millis
from afterword.pipeline.core.store import writing
from afterword.pipeline.core.store.alone import Wait, working_alone
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.accounts.model import VENUE
from afterword.pipeline.domain.capital.nudge import ask_for_capital
from afterword.pipeline.domain.sync import state_rows
from afterword.pipeline.domain.sync.cover import cover_values
from afterword.pipeline.domain.sync.mirror import MirrorParts
from afterword.pipeline.domain.sync.outage import check_venue
from afterword.pipeline.domain.sync.plan import (
    MirrorTurn,
    asked_venues,
    check_mirrored,
    is_wanted,
    plan_run,
)
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
    """Mirror what is new at the venues; one process of a group at a time.

    A failure counts against an account only if its venue answers another question: an outage is
    nobody's fault, and one bad account holds no other. One venue holds no other, either.

    Args:
        info: Hyperliquid's.
        is_forced: somebody asks for it, so no pause counts.
        name: of one account only.
        wait: for another process that mirrors now; what it brings up to date is not asked again.

    Raises:
        NotFoundError, InvalidInputError: no account has this name; or it is paused, or of those
            that are not mirrored.
        UnavailableError, PostponedError: no venue answered anything, or another process mirrors
            now; nothing was mirrored.
    """
    report = SyncReport()
    if name is not None:
        check_mirrored(parts.store, name)
    with working_alone(parts.store, SYNC_WORK, parts.clock, wait) as joined_since:
        turns = plan_run(
            *(parts.store, parts.clock, pauses, report, joined_since),
            is_forced=is_forced,
            name=name,
        )
        for venue in dict.fromkeys(turn.account.venue for turn in turns):
            its_turns = [turn for turn in turns if turn.account.venue == venue]
            try:
                _mirror_venue(parts, info, venue, its_turns, report)
            except (AskFailedError, NotSentError, PostponedError) as error:
                report.stopped[venue] = error
    if not report.sources:
        _raise_if_all_stopped(report, asked_venues(parts.store, name))
    return report


def _raise_if_all_stopped(report: SyncReport, venues: set[str]) -> None:
    if report.stopped and venues <= report.stopped.keys():
        raise next(iter(report.stopped.values()))


def _mirror_venue(
    parts: MirrorParts,
    info: VenueInfo,
    venue: str,
    turns: Sequence[MirrorTurn],
    report: SyncReport,
) -> None:
    """Mirror the accounts of one venue; see `_mirror`."""
    if len({turn.account.name for turn in turns}) > 1:
        check_venue(parts, info, venue)  # the account that is asked first may be a broken one
    for turn in turns:
        if is_wanted(parts.store, turn.account):
            _mirror(parts, info, turn, report)


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
    state, is_public = turn.state, turn.account.venue == VENUE
    try:
        for step in turn.mirror(parts, info, turn.account, turn.state):
            state = step.state
            with writing(parts.store) as conn:
                state_rows.save(conn, state)
                if step.new and is_public and state.source == "perps_fills":
                    ask_for_capital(conn, parts.clock())
            done.new += step.new
            done.missing_moments += tuple(map(from_millis, step.missing_ms))
            done.set_aside = step.set_aside or done.set_aside  # the last one tells of all before
            if step.new and state.source == "perps_fills":
                emit("perps_fills:recorded", fills=step.new)
        if is_public:  # no other venue is asked what an account is worth
            with writing(parts.store) as conn:
                cover_values(conn, turn.account.name, parts.clock())
    except (BusyError, SetupError):
        raise
    except AskFailedError as error:
        check_venue(parts, info, turn.account.venue)
        _keep_failure(parts, state, error, done)
    except InvalidInputError as error:  # the venue answered, or its key is wrong
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
