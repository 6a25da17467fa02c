"""The step that answers the questions of the ladder of institution runs."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.domain.decisions.area import MEASURE_OUTCOMES
from afterword.pipeline.domain.institution.area import REFLECT_RUNS
from afterword.pipeline.domain.institution.model import ReflectTally
from afterword.pipeline.domain.institution.reflect import answers_due, reflect_runs
from afterword.pipeline.domain.skills import Role
from afterword.pipeline.operations.loop.model import Learner, LoopStep


def _reflect(of: Learner, _roles: Sequence[Role]) -> ReflectTally | None:
    """Answer what was measured since; nothing where runs are not learned from."""
    if of.runs is None or not of.runs.is_enabled:
        return None
    return reflect_runs(of.store, of.clock, of.runs, leases=of.leases)


def runs_due(conn: Connection, _roles: Sequence[Role]) -> datetime | None:
    """Return since when an outcome of a run waits for its answer."""
    return answers_due(conn)


REFLECT_RUNS_STEP: Final = LoopStep(
    name=REFLECT_RUNS.name,
    run=_reflect,
    due=runs_due,
    follows=(MEASURE_OUTCOMES.name,),
    changes=lambda done: sum(done.answered.values()),
)
