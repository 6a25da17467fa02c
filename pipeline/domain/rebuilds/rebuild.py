"""Run a rebuild: whatever it is of, it rests, fails and ends in the same way.

gather → ask (no transaction is open) → settle, guarded by the number of runs that ended before
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.core.store import Finisher, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.rebuilds import rows
from afterword.pipeline.domain.rebuilds.kinds import Rebuild
from afterword.pipeline.domain.rebuilds.model import (
    PreparedRebuild,
    RebuildOutcome,
    RebuildReport,
    RebuildState,
)
from afterword.pipeline.domain.rebuilds.parts import RebuildParts
from afterword.pipeline.domain.rebuilds.turn import (
    FIRST_RETRY,
    LONGEST_RETRY,
    rests_until,
    retry_after,
)
from afterword.pipeline.errors import InvalidInputError, PostponedError, UnavailableError
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.rules.text.line import one_line

MAX_REBUILD_ERROR: Final = 300
"""Characters of a stored error."""


def run_rebuild(
    parts: RebuildParts,
    rebuild: Rebuild,
    *,
    is_forced: bool = False,
    finishing: Finisher | None = None,
) -> RebuildReport:
    """Do one rebuild, unless it rests or there is nothing new.

    A failure keeps every cursor and is tried again after a pause that grows; only a success starts
    the cooldown. Of two runs at once the first one that ends counts.

    Args:
        is_forced: somebody asks for it: no pause counts, and after the first run nothing need be
            new.
        finishing: the jobs that asked for it; they end here, also after a failure.
    """
    store, settings = parts.by.store, parts.settings
    with reading(store) as conn:
        state = rows.state_of_rebuild(conn, rebuild.name)
        # Before the first run there is nothing that somebody could ask for again.
        may_repeat = bool(state.error) or (is_forced and state.updated_at is not None)
        has_news = may_repeat or rebuild.has_news(conn, state, settings)
    held: RebuildOutcome | None = None if has_news else "nothing_new"
    if not is_forced and rests_until(state, parts.by.clock()) is not None:
        held = "resting"
    if settings.personalization_rebuild == "disabled":
        held = "disabled"
    if held is not None:
        return _ended(parts, state, held, finishing)
    prepared = _prepared(parts, rebuild, state)
    with writing(store, finishing=finishing) as conn:
        now = parts.by.clock()
        after = _after(state, prepared, now, rebuild.cooldown(settings))
        is_mine = rows.save(conn, after)
        changes = _write(conn, prepared, after, now) if is_mine else ()
    if not is_mine:
        return _ended(parts, state, "overtaken", None)
    outcome: RebuildOutcome = "rebuilt"
    if prepared.unfinished is not None:
        is_postponed = isinstance(prepared.unfinished, PostponedError)
        outcome = "postponed" if is_postponed else "failed"
    return _report(parts, rebuild.name, outcome, tuple(changes))


def _prepared(parts: RebuildParts, rebuild: Rebuild, state: RebuildState) -> PreparedRebuild:
    try:
        return rebuild.prepare(parts, state)
    except (UnavailableError, PostponedError, InvalidInputError) as error:
        worded_by, refusal = state.worded_by, state.refusal
        return PreparedRebuild(
            write=_nothing, worded_by=worded_by, refusal=refusal, unfinished=error
        )


def _write(
    conn: Connection, prepared: PreparedRebuild, after: RebuildState, now: datetime
) -> Sequence[str]:
    changes = prepared.write(conn, now)
    rows.mark_broken(conn, after.name, prepared.broken)
    if prepared.unfinished is None:
        rows.see(conn, after.name, prepared.cursors)
    return changes


def _after(
    state: RebuildState, prepared: PreparedRebuild, now: datetime, cooldown: timedelta
) -> RebuildState:
    """Return the state after a run."""
    ended = replace(state, runs=state.runs + 1, tried_at=now)
    error = prepared.unfinished
    ended = replace(ended, worded_by=prepared.worded_by, refusal=prepared.refusal)
    if error is None:
        pause = cooldown if prepared.pause is None else min(prepared.pause, cooldown)
        return replace(
            ended,
            updated_at=now,
            next_update=now + pause,
            failures=0,
            retry_at=None,
            error=None,
        )
    is_fault = not isinstance(error, PostponedError)
    failures = state.failures + is_fault
    pause = retry_after(max(failures, 1)) if is_fault else LONGEST_RETRY
    if isinstance(error, PostponedError) and error.reopens_at is not None:
        pause = max(error.reopens_at - now, FIRST_RETRY)
    # What is computed needs no model: it is written again as often as if one had answered.
    retry_at = now + min(pause, cooldown)
    said = one_line(mask(str(error)), MAX_REBUILD_ERROR) or type(error).__name__
    return replace(ended, failures=failures, retry_at=retry_at, error=said)


def _ended(
    parts: RebuildParts,
    state: RebuildState,
    outcome: RebuildOutcome,
    finishing: Finisher | None,
) -> RebuildReport:
    """End the jobs without effect."""
    if finishing is not None:
        with writing(parts.by.store, finishing=finishing):
            pass
    return _report(parts, state.name, outcome)


def _report(
    parts: RebuildParts, name: str, outcome: RebuildOutcome, changes: tuple[str, ...] = ()
) -> RebuildReport:
    with reading(parts.by.store) as conn:
        state, cursors = rows.state_of_rebuild(conn, name), rows.cursors(conn, name)
    emit("profile.rebuilt", rebuild=name, outcome=outcome, error=state.error)
    in_order = tuple(sorted(cursors.values()))
    return RebuildReport(name=name, outcome=outcome, changes=changes, state=state, cursors=in_order)


def _nothing(_conn: Connection, _now: datetime) -> Sequence[str]:
    return ()
