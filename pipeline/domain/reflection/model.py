"""The value that travels through a reflection, and what its steps work with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.jobs.lease import Leases
from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.decisions.model import Decision
from afterword.pipeline.domain.decisions.settle import emit_settled, settling
from afterword.pipeline.domain.decisions.tally import Tally
from afterword.pipeline.domain.outcomes.measure import MeasurersOf, OpenPrices, OutcomeMeasurers
from afterword.pipeline.domain.reflection.case import Case, JudgedCase
from afterword.pipeline.domain.reflection.effects import Effects, RealEffects, Settling
from afterword.pipeline.domain.reflection.judge import DecisionJudge
from afterword.pipeline.domain.reflection.measure import Measurement
from afterword.pipeline.domain.reflection.setup_walk import SetupWalk
from afterword.pipeline.domain.reflection.standing import SetupStanding, Standings
from afterword.pipeline.domain.skills import Role, RoleRegistry
from afterword.pipeline.rules.evidence.family import CONFIRMED_LEVEL

OnSettled = Callable[[str, Tally], None]
"""Called with a role and what became of some of its decisions, once that is written."""


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass over the ripe decisions of a role; each step returns it with one field more.

    Args:
        now: when it began; nothing known later is read.
        limit: most decisions; count.
        seen: ids of decisions measured just now, left out when a pass goes on without a judge;
            overdue decisions were skipped then.
        decisions: the ripe ones, the oldest first.
        measured: the same with their outcomes.
        to_judge: those of them a judge is asked about in this pass.
        standings: how such decisions had turned out when each of these was made, by its id.
        cases: the same as the judge sees them.
        judged: cases with their verdicts, later with their lessons.
        tally: what became of decisions so far.
        is_full: whether it ended at a limit: more is due now.
    """

    role: Role
    now: datetime
    limit: int
    seen: frozenset[int] = frozenset()
    decisions: tuple[Decision, ...] = ()
    measured: tuple[Measurement, ...] = ()
    to_judge: tuple[Measurement, ...] = ()
    standings: Mapping[int, SetupStanding] = field(default_factory=dict)
    cases: tuple[Case, ...] = ()
    judged: tuple[JudgedCase, ...] = ()
    tally: Tally = field(default_factory=Tally)
    is_full: bool = False


@dataclass(frozen=True, slots=True)
class Reflector:
    """What the steps of a pass work with.

    Args:
        prices: opens the prices for one read of the store.
        effects: what a pass writes; see `effects_of`.
        leases: the job it runs as; once that runs elsewhere, nothing it writes is kept.
        on_settled: called from any thread.
        standings: reads how decisions like those to be judged had turned out.
        pattern_error: chance of any false pattern in a role without effects.
        side_by_side: whether a judge that asks is asked from several threads; a replay asks from
            its own, which has its transaction open.
        measurers_of: a replay keeps what they have read.
    """

    store: Store
    registry: RoleRegistry
    judge: DecisionJudge
    prices: OpenPrices
    clock: Clock
    effects: Effects = field(default_factory=RealEffects)
    leases: Leases | None = None
    on_settled: OnSettled = emit_settled
    standings: Standings = field(default_factory=SetupWalk)
    pattern_error: float = CONFIRMED_LEVEL
    side_by_side: bool = True
    measurers_of: MeasurersOf = OutcomeMeasurers

    @property
    def settling(self) -> Settling:
        """What opens the write that settles decisions; it fails once the job runs elsewhere."""
        return partial(settling, self.store, self.clock, self.leases)
