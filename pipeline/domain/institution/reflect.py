"""Answer what is due of the ladder: gather runs with new outcomes, decide, and settle the answers.

No model is asked, so it costs nothing. Two at once write one answer: each window has one row.
"""

from collections import Counter
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, from_micros, to_micros
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.lease import LeaseLostError, Leases, still_held
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.institution import reflection_rows
from afterword.pipeline.domain.institution.area import REFLECT_RUNS
from afterword.pipeline.domain.institution.ladder import LadderAnswer, answer_window
from afterword.pipeline.domain.institution.model import ReflectTally, RunAnswer
from afterword.pipeline.domain.outcomes.model import LADDER_HOURS
from afterword.pipeline.gateway.switches import Mode

REFLECT_BATCH: Final = 500
"""Runs of one transaction: it holds the only writer for some 50 ms."""

MAX_REFLECTED: Final = 10_000
"""Runs of one job; the next one does the rest."""


def reflect_runs(
    store: Store,
    clock: Clock,
    mode: Mode,
    *,
    leases: Leases | None = None,
    limit: int = MAX_REFLECTED,
) -> ReflectTally:
    """Answer the windows that are measured and not answered; done again, it adds nothing.

    Args:
        mode: in the shadow, answers are kept apart and shown to nobody.
        leases: of the job that does it, if a job does; ended with the last answers.
        limit: runs that are looked at.

    Raises:
        LeaseLostError: the job runs elsewhere by now; what was answered stays.
    """
    answered: Counter[RunAnswer] = Counter()
    looked = after = 0
    while mode.is_enabled and looked < limit:
        now = to_micros(clock())
        with reading(store) as conn:
            runs = reflection_rows.due(
                conn, now, after, min(REFLECT_BATCH, limit - looked), is_shadow=not mode.has_effect
            )
            answers = _answers(conn, runs, now)
        if not runs:
            break
        looked, after = looked + len(runs), runs[-1].id
        if answers:
            with writing(store) as conn:
                if leases is not None and still_held(conn, leases) < len(leases):
                    raise LeaseLostError("reflect_institution_runs: its job runs elsewhere")
                new = reflection_rows.keep_answers(
                    conn, answers, now, is_shadow=not mode.has_effect
                )
            answered.update(answer.answer for answer in new)
    if leases is not None:
        with writing(store, finishing=leases) as conn:
            if looked >= limit and answered:
                add(conn, REFLECT_RUNS, {}, clock(), key="more")
    if answered:
        emit("institution.reflected", answers=answered.total())
    return ReflectTally(looked, dict(answered))


def answers_due(conn: Connection) -> datetime | None:
    """Return since when a group has a measured window without an answer; None if it has none."""
    at = reflection_rows.first_unanswered(conn)
    return None if at is None else from_micros(at)


def _answers(
    conn: Connection, runs: list[reflection_rows.DueRun], now: int
) -> list[tuple[int, LadderAnswer]]:
    measured = reflection_rows.outcomes(conn, [run.decision_id for run in runs], now)
    return [
        (run.id, answer)
        for run in runs
        for hours in LADDER_HOURS
        if hours not in run.answered
        and (answer := answer_window(hours, run.horizon_hours, measured[run.decision_id]))
    ]
