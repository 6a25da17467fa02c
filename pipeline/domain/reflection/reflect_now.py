"""Do at once, when a person asks for it, what the jobs do one after the other.

    reflect, role by role → measure the windows of the ladder → weigh the patterns → word them

A role that a running job reflects on is left out, as the workers' lock would do. If no question
may be asked for one role, the other roles go on.
"""

import threading
from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.decisions import ladder_rows, rows, waiting_rows
from afterword.pipeline.domain.decisions.area import REFLECT_ENTRIES
from afterword.pipeline.domain.decisions.measure_outcomes import (
    MAX_DRAINED,
    LadderCounts,
    measure_due,
)
from afterword.pipeline.domain.decisions.model import Tally
from afterword.pipeline.domain.decisions.settle import emit_settled
from afterword.pipeline.domain.decisions.triggers import next_pass
from afterword.pipeline.domain.patterns.triggers import weigh_later
from afterword.pipeline.domain.patterns.weigh import weigh_patterns
from afterword.pipeline.domain.patterns.word import MOST_ASKED, Wording, word_patterns
from afterword.pipeline.domain.reflection import reflect_now_rows
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.reflection.reflect import reflect_role
from afterword.pipeline.domain.skills import Role
from afterword.pipeline.errors import PipelineError, PostponedError, UnavailableError
from afterword.pipeline.rules.evidence.model import PatternState

OnProgress = Callable[[str, int, int], None]
"""Called with a role or `LADDER`, how many of its decisions are done, and how many were due."""

LADDER: Final = "outcomes"
"""What the measuring of the ladder is called beside the roles."""


@dataclass(frozen=True, slots=True)
class ReflectionCounts:
    """What became of decisions.

    Args:
        at_work: roles that were left out because a job reflects on them now.
        postponed: why no question may be asked now, by role; the tally has what was settled before.
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
    postponed: Mapping[str, PostponedError]
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
    not among these are weighed by their job.

    Args:
        on_progress: called after each write; from any thread, one at a time.
        parked: also on those that are parked, or wait after a failed question.
        wording: the model that words confirmed patterns; None leaves them their template.
    """
    progress, at_work, postponed = _Progress(on_progress), [], {}
    for role in roles:
        now = reflector.clock()
        with reading(reflector.store) as conn:
            if role.id in reflect_now_rows.at_work(conn, REFLECT_ENTRIES.name, to_micros(now)):
                at_work.append(role.id)
                continue
            ripe_at = to_micros(now - role.reflection_policy.min_age)
            ripe = waiting_rows.count_ripe(conn, role.id, ripe_at, to_micros(now))
        progress.begin(role.id, ripe)
        try:
            reflect_role(replace(reflector, on_settled=progress), role.id, parked=parked)
        except PostponedError as error:
            postponed[role.id] = error
    names = {role.id for role in roles}
    ladder = _measure_ladder(reflector, names, on_progress)
    level = reflector.pattern_error
    weighed = weigh_patterns(reflector.store, roles, reflector.clock(), level=level)
    unworded = None if wording is None else _word(reflector, sorted(names), wording)
    with reading(reflector.store) as conn:
        now_us = to_micros(reflector.clock())
        waiting, first = reflect_now_rows.waiting(conn, [role.id for role in roles], now_us)
        counts = rows.counts(conn)
        next_at = min((at for role in roles if (at := next_pass(conn, role))), default=None)
    ours = [(state, reason, number) for role, state, reason, number in counts if role in names]
    by_reason: Counter[str] = Counter()
    for state, reason, number in ours:
        by_reason[reason] += number if state == "parked" else 0
    return ReflectionCounts(
        progress.tally,
        tuple(at_work),
        postponed,
        waiting,
        None if first is None else from_micros(first),
        sum(number for state, _, number in ours if state == "pending") - waiting,
        +by_reason,
        next_at,
        ladder,
        weighed.written,
        unworded,
    )


def _measure_ladder(
    reflector: Reflector, weighed: Container[str], on_progress: OnProgress
) -> LadderCounts:
    """Measure the windows of the ladder that are over.

    Args:
        weighed: roles whose patterns are weighed after it.
    """

    def on_own(conn: Connection, role_id: str, now: datetime) -> None:
        if role_id not in weighed:
            weigh_later(conn, role_id, now)

    with reading(reflector.store) as conn:
        due = ladder_rows.count_due(conn, to_micros(reflector.clock()))
    found = LadderCounts()
    while True:
        done = measure_due(
            reflector.store, reflector.registry, reflector.prices, reflector.clock, on_own
        )
        found += done
        if due:
            on_progress(LADDER, min(found.looked, due), due)
        if done.looked < MAX_DRAINED:
            return found


def _word(
    reflector: Reflector, role_ids: Sequence[str], wording: Wording
) -> PostponedError | UnavailableError | None:
    """Have a model word confirmed patterns; return why it could not be asked about all."""
    try:
        while _asked(reflector, role_ids, wording) == MOST_ASKED:
            pass
    except (PostponedError, UnavailableError) as error:
        return error
    return None


def _asked(reflector: Reflector, role_ids: Sequence[str], wording: Wording) -> int:
    writer, mode = wording
    return word_patterns(reflector.store, writer, role_ids, mode, reflector.clock)


class _Progress:
    """Adds up what becomes of decisions, also before a pass that ends with an error."""

    def __init__(self, on_progress: OnProgress) -> None:
        self._on_progress, self._lock = on_progress, threading.Lock()
        self._ripe = self._done = 0
        self.tally = Tally()

    def begin(self, role_id: str, ripe: int) -> None:
        """Start counting for another role."""
        self._ripe, self._done = ripe, 0
        if ripe:
            self._on_progress(role_id, 0, ripe)

    def __call__(self, role_id: str, tally: Tally) -> None:
        emit_settled(role_id, tally)
        with self._lock:
            self.tally += tally
            self._done += tally.settled + sum(tally.parked.values()) + tally.failed + tally.shadowed
            if self._ripe:  # a decision parked by its answer counts twice, new ones ripen
                self._on_progress(role_id, min(self._done, self._ripe), self._ripe)
