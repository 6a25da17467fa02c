"""The step that measures what became of decisions."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.decisions import due_rows
from afterword.pipeline.domain.decisions.area import MEASURE_OUTCOMES
from afterword.pipeline.domain.decisions.measure_outcomes import (
    MAX_MEASURED,
    LadderCounts,
    measure_due,
    measure_outcomes,
)
from afterword.pipeline.domain.skills import Role
from afterword.pipeline.operations.loop.model import Learner, LoopStep


def _measure(of: Learner, _roles: Sequence[Role]) -> LadderCounts:
    """Measure the windows of the ladder that are over, of all roles."""
    if of.leases is not None:
        return measure_outcomes(of.store, of.leases, of.registry, of.prices, of.clock, of.on_own)
    due = 0
    if of.progress is not None:
        with reading(of.store) as conn:
            due = due_rows.count_due(conn, to_micros(of.clock()))
    found = LadderCounts()
    while True:
        done = measure_due(
            of.store,
            of.registry,
            of.prices,
            of.clock,
            of.on_own,
            measurers_of=of.measurers_of,
        )
        found += done
        if of.progress is not None:
            of.progress.measured(found.looked, due)
        if done.looked < MAX_MEASURED:
            return found


def _outcomes_due(conn: Connection, _roles: Sequence[Role]) -> datetime | None:
    due_at = due_rows.first_due(conn)
    return None if due_at is None else from_micros(due_at)


MEASURE_STEP: Final = LoopStep(
    name=MEASURE_OUTCOMES.name,
    run=_measure,
    due=_outcomes_due,
    changes=lambda done: sum(done.outcomes.values()),
)
