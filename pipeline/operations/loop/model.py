"""A step of the learning loop, what the steps work with, and the order of all steps."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sqlalchemy import Connection

from afterword.pipeline.areas import all_areas
from afterword.pipeline.clock import Clock
from afterword.pipeline.core.area import AreaStep, load
from afterword.pipeline.core.jobs.lease import Leases
from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.decisions.measure_outcomes import OnMeasured
from afterword.pipeline.domain.outcomes.measure import MeasurersOf, OpenPrices, OutcomeMeasurers
from afterword.pipeline.domain.patterns.weigh import ReadNews
from afterword.pipeline.domain.patterns.word import Wording
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.skills import Role, RoleRegistry
from afterword.pipeline.errors import PipelineError, PostponedError
from afterword.pipeline.gateway.switches import Mode
from afterword.pipeline.operations.loop.progress import LoopProgress
from afterword.pipeline.rules.evidence.family import CONFIRMED_LEVEL

if TYPE_CHECKING:  # a person who asks for the loop needs none of them
    from afterword.pipeline.domain.synthesis.parts import Synthesis
    from afterword.pipeline.operations.loop.methodologies import AuditTerms
    from afterword.pipeline.operations.loop.preferences import MiningTerms

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """What the steps work with; each driver makes one.

    A part that is None is not given: the step that needs it does nothing. The other parts are made
    when their step asks for them.

    Args:
        leases: of the job that the step is run for. A step then does one bounded run, ends the
            leases with its effect, and adds the jobs that this causes. Without leases it does all
            that is due, and adds none.
        prices: opens the prices for one read of the store.
        level: chance of any false pattern in a role without effects.
        reflector: what a reflection works with.
        on_own: called in the write that adds outcomes of a role over its own window.
        measurers_of, news: keep what was read for the next pass of a replay; see `measure_due` and
            `weigh_patterns`.
        runs: how the ladder of institution runs is answered; None where runs are not learned from.
        parked: whether to reflect also on what is parked, or waits after a failed question.
        progress: is told how far a step is.
    """

    store: Store
    registry: RoleRegistry
    clock: Clock
    prices: OpenPrices
    reflector: Callable[[], Reflector]
    on_own: OnMeasured
    level: float = CONFIRMED_LEVEL
    leases: Leases | None = None
    wording: Callable[[], Wording] | None = None
    synthesis: "Callable[[], Synthesis] | None" = None
    audit: "Callable[[], AuditTerms] | None" = None
    mining: "Callable[[], MiningTerms] | None" = None
    measurers_of: MeasurersOf = OutcomeMeasurers
    news: ReadNews | None = None
    runs: Mode | None = None
    parked: bool = False
    progress: LoopProgress | None = None


StepRun = Callable[[Learner, Sequence[Role]], Result | None]
"""Does a step for some roles, or for the whole store if it knows no roles; None if it did nothing:
the leases are then still to be ended."""

StepDue = Callable[[Connection, Sequence[Role]], datetime | None]
"""Returns since when a store has work for a step, or from when on it will; None if it has none
until it changes. A cheap read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopStep(Generic[Result]):
    """One step of the loop.

    Args:
        name: the kind of its job.
        due: since when there is work; None if only the steps that it follows make some.
        every: for a step that leaves a trace of each run: a replay runs it at the first pass of
            each such span, counted from 1970, whatever is due. Live, its line in the schedule says
            when.
        follows: steps whose changes are its work, by name. Live, their writes add its job.
        changes: counts what a run changed.
        by_role: whether each role is due by itself, and is done apart from the others.
        stops_alone: errors that, where a person asks, stop this step only (by role: that role).
    """

    name: str
    run: StepRun[Result]
    due: StepDue | None = None
    every: timedelta | None = None
    follows: tuple[str, ...] = ()
    changes: Callable[[Result], int] = lambda _result: 0
    by_role: bool = False
    stops_alone: tuple[type[PipelineError], ...] = (PostponedError,)


def steps_of_pass() -> list[LoopStep[Any]]:
    """Return the steps of a pass of a replay, in order."""
    placed = [(one.place, one.step) for one in _declared().values()]
    return [load(step) for _, step in sorted(placed)]


def steps_asked() -> list[LoopStep[Any]]:
    """Return the steps that are done where a person asks for the loop, in order."""
    asked = [
        (one.asked_place, one.step) for one in _declared().values() if one.asked_place is not None
    ]
    return [load(step) for _, step in sorted(asked)]


def step_of(job: str) -> LoopStep[Any]:
    """Return the step that a kind of job does."""
    step: LoopStep[Any] = load(_declared()[job].step)
    return step


@cache
def _declared() -> Mapping[str, AreaStep]:
    """Return what areas declare beside their jobs, by the kind of job."""
    return {job.kind.name: job.step for area in all_areas() for job in area.jobs if job.step}


def roles_named(registry: RoleRegistry, payloads: Iterable[Mapping[str, Any]]) -> list[Role]:
    """Return the roles that jobs name in their payload, those that no skill declares left out; all
    roles for jobs that name none."""
    names = dict.fromkeys(str(one["role"]) for one in payloads if "role" in one)
    if not names:
        return list(registry)
    return [role for name in names if (role := registry.find(name)) is not None]
