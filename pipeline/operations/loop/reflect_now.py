"""The driver of a person: do at once what the jobs do one after the other.

    reflect, role by role → measure the windows of the ladder → weigh the patterns → word them

A role with a running job of a step is left out, as the workers' lock would do. If no question may
be asked for one role, the other roles go on.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.decisions import read_rows
from afterword.pipeline.domain.decisions.measure_outcomes import LadderCounts
from afterword.pipeline.domain.decisions.tally import Tally
from afterword.pipeline.domain.decisions.triggers import next_pass
from afterword.pipeline.domain.patterns.triggers import weigh_later
from afterword.pipeline.domain.patterns.weigh import WeighTally
from afterword.pipeline.domain.patterns.word import Wording
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.skills import Role
from afterword.pipeline.errors import PipelineError
from afterword.pipeline.operations.loop import reflect_now_rows
from afterword.pipeline.operations.loop.measure import MEASURE_STEP
from afterword.pipeline.operations.loop.model import Learner, LoopStep, Result, steps_asked
from afterword.pipeline.operations.loop.patterns import WEIGH_STEP, WORD_STEP
from afterword.pipeline.operations.loop.progress import LoopProgress, OnProgress
from afterword.pipeline.rules.evidence.model import PatternState


@dataclass(frozen=True, slots=True)
class ReflectionCounts:
    """What became of decisions.

    Args:
        at_work: roles that were left out because a job reflects on them now.
        postponed: why a step could not be done now, by role, or by step for one that knows no
            roles; the tally has what was settled before.
        waiting: decisions with a failed question that is asked again later; count.
        again_at: when the first of these questions is asked again.
        pending: decisions that are not judged yet, those in `waiting` left out; count.
        parked: decisions that are parked now, by reason; count.
        next_at: when the next decision can be judged.
        ladder: the outcomes measured over the windows of the ladder.
        patterns: new forms of patterns, by state; count.
        unworded: why a model could not be asked to word patterns; they keep their template.
    """

    tally: Tally
    at_work: tuple[str, ...]
    postponed: Mapping[str, PipelineError]
    waiting: int
    again_at: datetime | None
    pending: int
    parked: Mapping[str, int]
    next_at: datetime | None
    ladder: LadderCounts
    patterns: Mapping[PatternState, int]
    unworded: PipelineError | None


def reflect_now(
    reflector: Reflector,
    roles: Sequence[Role],
    on_progress: OnProgress,
    *,
    parked: bool = False,
    wording: Wording | None = None,
) -> ReflectionCounts:
    """Reflect on the ripe decisions of roles, measure what is due, and weigh their patterns.

    The windows of the ladder are measured for decisions of all roles. Patterns of roles that are
    not among these are weighed by their job. Synthesis and audit have commands of their own.

    Args:
        on_progress: called after each write; from any thread, one at a time.
        parked: also on those that are parked, or wait after a failed question.
        wording: the model that words confirmed patterns; None leaves them their template.
    """
    progress, names = LoopProgress(on_progress), {role.id for role in roles}

    def on_own(conn: Connection, role_id: str, now: datetime) -> None:
        if role_id not in names:
            weigh_later(conn, role_id, now)

    of = Learner(
        store=reflector.store,
        registry=reflector.registry,
        clock=reflector.clock,
        prices=reflector.prices,
        reflector=lambda: replace(reflector, on_settled=progress.settled),
        on_own=on_own,
        level=reflector.pattern_error,
        wording=None if wording is None else lambda: wording,
        parked=parked,
        progress=progress,
    )
    done = _LoopDone()
    for step in steps_asked():
        done.run(step, of, roles)
    return _counted(of, roles, progress.tally, done)


def _counted(
    of: Learner, roles: Sequence[Role], tally: Tally, done: "_LoopDone"
) -> ReflectionCounts:
    """Return what became of the decisions of roles, and what of them waits still."""
    names = {role.id for role in roles}
    with reading(of.store) as conn:
        now_us = to_micros(of.clock())
        waiting, first = reflect_now_rows.waiting(conn, [role.id for role in roles], now_us)
        counts = read_rows.counts(conn)
        next_at = min((at for role in roles if (at := next_pass(conn, role))), default=None)
    ours = [(state, reason, number) for role, state, reason, number in counts if role in names]
    by_reason: Counter[str] = Counter()
    for state, reason, number in ours:
        by_reason[reason] += number if state == "parked" else 0
    unworded = done.stopped.pop(WORD_STEP.name, None)
    return ReflectionCounts(
        tally,
        tuple(done.at_work),
        done.stopped,
        waiting,
        None if first is None else from_micros(first),
        sum(number for state, _, number in ours if state == "pending") - waiting,
        +by_reason,
        next_at,
        done.result(MEASURE_STEP) or LadderCounts(),
        (done.result(WEIGH_STEP) or WeighTally()).written,
        unworded,
    )


class _LoopDone:
    """What the steps did.

    Attributes:
        at_work: roles that were left out because a job of the step does them now.
        stopped: errors that stopped a step alone, by its name, or by role.
    """

    def __init__(self) -> None:
        self._results: dict[str, object] = {}
        self.at_work: list[str] = []
        self.stopped: dict[str, PipelineError] = {}

    def run(self, step: LoopStep[Any], of: Learner, roles: Sequence[Role]) -> None:
        """Run a step, role by role if each is done apart."""
        for name, some in self._shares(step, of, roles):
            try:
                self._results[step.name] = step.run(of, some)
            except step.stops_alone as error:
                self.stopped[name] = error

    def result(self, step: LoopStep[Result]) -> Result | None:
        """Return the result of a step; of its last role if they are done apart."""
        return cast(Result | None, self._results.get(step.name))

    def _shares(
        self, step: LoopStep[Any], of: Learner, roles: Sequence[Role]
    ) -> Iterator[tuple[str, Sequence[Role]]]:
        if not step.by_role:
            yield step.name, roles
            return
        for role in roles:
            with reading(of.store) as conn:
                at_work = reflect_now_rows.at_work(conn, step.name, to_micros(of.clock()))
            if role.id in at_work:
                self.at_work.append(role.id)
            else:
                yield role.id, [role]
