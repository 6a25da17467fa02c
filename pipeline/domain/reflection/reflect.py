"""The pass of one role: look at what is ripe, end what needs no judge, ask about the rest.

    ripe → look → (right, noise: end; unknown: park) → gather → classify → keep → draft → end

No transaction is open while anybody is asked, and every write finds a decision as it was read or
leaves it alone: however many passes run at once, each decision is judged once.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.jobs.lease import Leases
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.decisions import settle, settle_rows, waiting_rows
from afterword.pipeline.domain.decisions.model import Tally, tally_all
from afterword.pipeline.domain.decisions.settle import EndedDecision, Told, settling, tell_settled
from afterword.pipeline.domain.decisions.triggers import look_later, plan_next
from afterword.pipeline.domain.reflection.case import gather
from afterword.pipeline.domain.reflection.judge import CLASSIFY, DecisionJudge
from afterword.pipeline.domain.reflection.judging import JudgingRound
from afterword.pipeline.domain.reflection.measure import LOOK_AGAIN, Measurement, Prices, look
from afterword.pipeline.domain.skills import Custom, Role, RoleRegistry
from afterword.pipeline.errors import PostponedError
from afterword.pipeline.gateway.switches import Mode

BATCH: Final = 500
"""Decisions of one pass that asks nobody: a write holds the only writer for 20 ms."""

MAX_ASKED: Final = 20
"""Decisions of one pass that asks: the job's deadline holds as many usual answers."""

MAX_SKIPPED: Final = 2_000
"""Decisions one pass skips."""


@dataclass(frozen=True, slots=True)
class Modes:
    """How the two tasks may run; read once, at the start of a pass."""

    classify: Mode = Mode.ON
    draft: Mode = Mode.ON


@dataclass(frozen=True, slots=True)
class PassResult:
    """What a pass did.

    Args:
        is_full: whether it ended at its limit: more is due now.
    """

    tally: Tally
    is_full: bool


@dataclass(frozen=True, slots=True)
class Reflector:
    """What a pass works with.

    Args:
        leases: the job it runs as; once that runs elsewhere, nothing it writes is kept.
        told: told what became of decisions of a role, once it is written; by any thread.
    """

    store: Store
    registry: RoleRegistry
    judge: DecisionJudge
    prices: Prices
    clock: Clock
    modes: Modes = field(default_factory=Modes)
    leases: Leases | None = None
    told: Told = tell_settled

    def run(self, role: Role) -> PassResult:
        """Make one pass over a role's ripe decisions, the oldest first.

        Raises:
            PostponedError: nothing may be asked for now; what was settled before stays.
            LeaseLostError: the job runs elsewhere by now.
        """
        if not self.modes.classify.is_enabled:
            return PassResult(Tally(), is_full=False)
        skipped = Tally() if self._in_shadow else self._skip_overdue(role)
        limit = self._limit(role)
        looked = self._look(role, limit)
        open_ = [one for one in looked if one.is_to_be_asked]
        asked = open_[:MAX_ASKED] if self.judge.at_once else open_
        settled = skipped + self._settle(looked)
        self.told(role.id, settled)
        with reading(self.store) as conn:
            cases = gather(conn, role, [(one.decision, one.measured) for one in asked])
        try:
            answered, left = self._asking().ask(cases)
        except PostponedError:
            self._go_on_for_free(role, looked)
            raise
        is_full = len(looked) == limit or len(asked) < len(open_) or left > 0
        return PassResult(settled + answered, is_full)

    @property
    def _in_shadow(self) -> bool:
        return not self.modes.classify.has_effect

    def _limit(self, role: Role) -> int:
        if isinstance(role.reflection_policy.outcome_probe, Custom):
            return MAX_ASKED  # it may ask the outside about each
        return 2 * MAX_ASKED if self.judge.at_once else BATCH

    def _skip_overdue(self, role: Role) -> Tally:
        oldest = to_micros(self.clock() - role.reflection_policy.max_age)
        with reading(self.store) as conn:
            ids = waiting_rows.overdue(conn, role.id, oldest, MAX_SKIPPED)
        if not ids:
            return Tally()
        with settling(self.store, self.clock, self.leases) as (conn, now):
            return settle.skip(conn, ids, "too old", now)

    def _look(self, role: Role, limit: int, but: Sequence[Measurement] = ()) -> list[Measurement]:
        """Look at the oldest that are ripe, but for some that were looked at just now."""
        now, seen = self.clock(), {one.decision.id for one in but}
        with reading(self.store) as conn:
            waiting = waiting_rows.ripe(
                conn,
                role.id,
                to_micros(now - role.reflection_policy.min_age),
                to_micros(now),
                limit,
                CLASSIFY if self._in_shadow else None,
            )
        rest = [one for one in waiting if one.id not in seen]
        return look(self.store, role, rest, self.registry.probes, self.prices, now)

    def _go_on_for_free(self, role: Role, looked: Sequence[Measurement]) -> None:
        """End what needs no judge while nobody may be asked: it does not wait for the others."""
        if not isinstance(role.reflection_policy.outcome_probe, Custom):  # that may ask outside
            self.told(role.id, self._settle(self._look(role, BATCH, but=looked)))

    def _settle(self, looked: Sequence[Measurement]) -> Tally:
        """Write down what needs no judge: ends, and pauses."""
        verdicts = [(one, one.verdict) for one in looked if not one.is_to_be_asked]
        if not verdicts:
            return Tally()
        known = [(one.decision, verdict) for one, verdict in verdicts if verdict is not None]
        with settling(self.store, self.clock, self.leases) as (conn, now):
            if self._in_shadow:
                outcomes = [(one.decision.id, one.outcome) for one, _ in verdicts]
                said = [
                    (row_id, "probe", None, f"{of.verdict}: {of.why}") for row_id, of in outcomes
                ]
                settle_rows.shadow(conn, CLASSIFY, said, to_micros(now))
                return Tally(shadowed=len(said))
            kept = settle.keep_verdicts(conn, known, now)
            ended = [EndedDecision(one, said) for one, said in known if one.id in kept]
            parked = [one.parked(now) for one, verdict in verdicts if verdict is None]
            return settle.end(conn, ended, now) + settle.park(conn, parked, now)

    def _asking(self) -> JudgingRound:
        return JudgingRound(
            self.store,
            self.judge,
            self.registry.post_hoc,
            self.prices,
            self.clock,
            self._in_shadow,
            self.modes.draft,
            self.leases,
            self.told,
        )


def reflect_entries(reflector: Reflector, leases: Leases) -> Tally:
    """Do the job `reflect_entries`: one pass over the role it names; the rest is the next one's.

    A role no skill declares any more ends the job without effect.

    Raises:
        PostponedError: nothing may be asked for now; what was settled before stays.
        LeaseLostError: the job runs elsewhere by now.
    """
    role_ids = dict.fromkeys(str(lease.payload["role"]) for lease in leases)
    roles = [role for one in role_ids if (role := reflector.registry.find(one)) is not None]
    passes = [(role, reflector.run(role)) for role in roles]
    with writing(reflector.store, finishing=leases) as conn:
        for role, done in passes:
            if not reflector.modes.classify.has_effect and not done.tally.shadowed:
                now = reflector.clock()
                look_later(conn, role, now, now + LOOK_AGAIN)
                continue
            plan_next(
                conn,
                role,
                reflector.clock(),
                is_full=done.is_full,
                again_at=done.tally.again_at,
            )
    return tally_all([done.tally for _, done in passes])


def reflect_role(reflector: Reflector, role_id: str, *, parked: bool = False) -> Tally:
    """Reflect on all ripe decisions of a role now, pass by pass.

    Args:
        parked: also on those that are parked, or wait after a failed question.

    Raises:
        NotFoundError: no skill declares the role.
        PostponedError: nothing may be asked for now; what was settled before stays.
    """
    role = reflector.registry.role(role_id)
    if parked:
        with writing(reflector.store) as conn:
            waiting_rows.look_at_all(conn, role.id, to_micros(reflector.clock()))
    tallies: list[Tally] = []
    while True:
        done = reflector.run(role)
        tallies.append(done.tally)
        if not done.is_full or done.tally == Tally():
            return tally_all(tallies)
