"""The loop of a replay: pass after pass, a slice of them in one transaction.

Order of events at a pass, as it is written down in decision record 0047:

    decisions made before it, each known at its own moment → outcomes that are due → reflections
    → patterns → synthesis → audit, at the first pass of a day

The steps are those of the learning loop (`afterword.pipeline.operations.loop`); this is one of its
three drivers. They read a clock that says the moment of the pass, and `one_transaction` lets their
writes join that of the slice.
"""

import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.store import Finisher, Store, one_transaction, reading
from afterword.pipeline.core.telemetry import emit, muting
from afterword.pipeline.domain.audit.busy import Courtesy
from afterword.pipeline.domain.decisions.frozen_context import FrozenJson
from afterword.pipeline.domain.decisions.model import NewDecisionRow
from afterword.pipeline.domain.decisions.record import insert
from afterword.pipeline.domain.decisions.tally import Tally
from afterword.pipeline.domain.decisions.triggers import make_due, next_pass
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.outcomes.measure import KeptMeasurers
from afterword.pipeline.domain.patterns.kept import KeptNews
from afterword.pipeline.domain.prices.feed import PriceSource
from afterword.pipeline.domain.prices.record_cache import KEPT, RecordCache
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.reflection.judge import DecisionJudge
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.reflection.setup_walk import SetupWalks
from afterword.pipeline.domain.skills import Role, RoleRegistry
from afterword.pipeline.domain.synthesis.judge import HeuristicSynthesisJudge
from afterword.pipeline.domain.synthesis.model import GateRules
from afterword.pipeline.domain.synthesis.parts import Synthesis
from afterword.pipeline.domain.synthesis.reads import KeptReads
from afterword.pipeline.errors import ConflictError
from afterword.pipeline.gateway.switches import Mode
from afterword.pipeline.operations.loop.measure import MEASURE_STEP
from afterword.pipeline.operations.loop.methodologies import AuditTerms
from afterword.pipeline.operations.loop.model import Learner, LoopStep, steps_of_pass
from afterword.pipeline.operations.loop.preferences import MINED_SPAN, MiningTerms
from afterword.pipeline.operations.loop.reflect import REFLECT_STEP
from afterword.pipeline.operations.replay import rows
from afterword.pipeline.operations.replay.chain import complete_links
from afterword.pipeline.operations.replay.ids import DerivedIds
from afterword.pipeline.operations.replay.judge import ReplayEffects
from afterword.pipeline.operations.replay.model import ReplaySettings
from afterword.pipeline.operations.replay.passes import is_first_of, is_first_of_link, passes
from afterword.pipeline.operations.replay.pauses import PriceReturn, price_returns

AUDIT_DAYS: Final = 30
"""Days that each audit of a replay looks back."""

OF_THE_LIVE: Final = (
    *("audit.", "injection.", "methodology.", "outcomes.", "pattern.", "preference.", "prices."),
    "role.",
    *("store.finish", "store.waited", "store.wrote"),
)
"""Events that feed the metrics of live groups; a replay is none of them. What leaves the process
and what it costs is told as ever."""


class PassClock:
    """A clock that stands at the moment of the present pass."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        """Return the moment."""
        return self.now


@dataclass(frozen=True, slots=True)
class SliceReport:
    """What a slice did.

    Args:
        until: its last pass; microseconds.
        passes, recorded, outcomes, reflected: counts.
    """

    until: int
    passes: int
    recorded: int
    outcomes: int
    reflected: int


Then = Callable[[Connection, SliceReport], object]
"""Receives the report of a slice before its commit."""

HasTime = Callable[[], bool]
"""Says whether there is time for another pass."""


def _always() -> bool:
    return True


class ReplayLoop:
    """Runs the slices of one replay, one after the other.

    It keeps what the passes have read; after an error make another one.

    Args:
        store: the file of the replay.
        registry: the roles of the installation and those of replays.
        judge: of decisions that went wrong.
        records: what the slices have read of the prices.
    """

    def __init__(
        self,
        store: Store,
        registry: RoleRegistry,
        settings: ReplaySettings,
        judge: DecisionJudge,
        records: RecordCache = KEPT,
    ) -> None:
        self._store, self._registry, self._settings = store, registry, settings
        self._records = records
        with reading(store) as conn:
            run = rows.run(conn)
        assert run is not None  # it was prepared
        self._cursor = run.cursor
        self._clock = PassClock(from_micros(run.cursor))
        self._ids = DerivedIds(settings.seed, run.ids)
        self._reads = KeptReads(self._opened)
        self._returns: deque[PriceReturn] | None = None
        self._ripe_at: dict[str, datetime | None] = {}
        self._learner = self._learner_of(judge)
        # Asked anew at each pass, the roles would take 3 % of the time of a replay.
        reflect = replace(REFLECT_STEP, due=self._next_reflection, run=self._reflect)
        self._steps = [
            reflect if step.name == REFLECT_STEP.name else step for step in steps_of_pass()
        ]

    @property
    def cursor(self) -> int:
        """The last pass that is done; microseconds."""
        return self._cursor

    def advance(
        self,
        until: int,
        *,
        finishing: Finisher | None = None,
        then: Then | None = None,
        has_time: HasTime = _always,
    ) -> SliceReport:
        """Run the passes up to a moment, in one transaction.

        Args:
            until: a pass; microseconds.
            finishing: ended with the slice, such as the lease of its job.
            then: called at the end, inside the transaction.
            has_time: asked after each pass; where it says no, the slice ends there. That is the
                same to the result as a smaller slice.

        Raises:
            ConflictError: another process runs this replay.
            PipelineError: a pass could not be done; the slice left nothing behind.
        """
        done = recorded = outcomes = reflected = 0
        with muting(*OF_THE_LIVE), one_transaction(self._store, finishing) as conn:
            self._prices = StoredPrices(conn, kept=self._records)
            before = self._cursor
            for at in passes(before, until):
                self._clock.now = from_micros(at)
                new = self._record(conn, self._cursor, at)
                self._wake(conn, at)
                changes = self._learn(conn, at)
                self._cursor = at
                complete_links(conn, at, is_last=at == self._settings.ends_at)
                done, recorded = done + 1, recorded + new
                outcomes += changes[MEASURE_STEP.name]
                reflected += changes[REFLECT_STEP.name]
                if not has_time():
                    break
            self._keep(conn, before)
            report = SliceReport(self._cursor, done, recorded, outcomes, reflected)
            if then is not None:
                then(conn, report)
            emit("replay.keeping", level="DEBUG", until=self._cursor)
        emit("replay.kept", until=self._cursor)
        return report

    def _record(self, conn: Connection, from_at: int, at: int) -> int:
        """Record the decisions made since the last pass; return how many."""
        new = [decision_row(body) for body in rows.decisions(conn, from_at, at)]
        if new:
            insert(conn, self._registry, new, self._clock.now, actor="system", begins_jobs=False)
            for decision in new:
                self._ripe_at.pop(decision.role_id, None)
        return len(new)

    def _wake(self, conn: Connection, at: int) -> None:
        """Make due what waits for prices that came back after a long pause."""
        if self._returns is None:
            self._returns = deque(price_returns(self._prices, rows.symbols(conn), self._cursor))
        back = set()
        while self._returns and self._returns[0].at <= at:
            back.add(self._returns.popleft().symbol)
        if back:
            make_due(conn, self._registry, back, self._clock.now)

    def _learn(self, conn: Connection, at: int) -> Mapping[str, int]:
        """Run the steps that are due at this pass; return how much each one changed, by name."""
        changes: dict[str, int] = {}
        for step in self._steps:
            roles = self._due_roles(step, conn, at, changes)
            result = step.run(self._learner, roles) if roles else None
            changes[step.name] = 0 if result is None else step.changes(result)
        return changes

    def _due_roles(
        self, step: LoopStep[Any], conn: Connection, at: int, changes: Mapping[str, int]
    ) -> Sequence[Role]:
        """Return the roles that a step is run for; all or none if they are not due apart."""
        every = list(self._registry)
        if step.every is not None:
            return every if is_first_of(at, step.every) else []
        if any(changes[name] for name in step.follows):
            return every
        if step.due is None:
            return []
        shares = [[role] for role in every] if step.by_role else [every]
        moments = [(share, step.due(conn, share)) for share in shares]
        return [
            role
            for share, due_at in moments
            if due_at is not None and due_at <= self._clock.now
            for role in share
        ]

    def _reflect(self, of: Learner, roles: Sequence[Role]) -> Tally | None:
        """Reflect, and look when these roles are due next."""
        tally = REFLECT_STEP.run(of, roles)
        with reading(self._store) as conn:
            for role in roles:
                del self._ripe_at[role.id]
                self._next_reflection(conn, [role])
        return tally

    def _next_reflection(self, conn: Connection, roles: Sequence[Role]) -> datetime | None:
        """Return when a role is due, as it was when its last decision was recorded or judged."""
        (role,) = roles
        if role.id not in self._ripe_at:
            self._ripe_at[role.id] = next_pass(conn, role)
        return self._ripe_at[role.id]

    def _learner_of(self, judge: DecisionJudge) -> Learner:
        level, measurers = self._settings.pattern_error, KeptMeasurers()
        reflector = Reflector(
            self._store,
            self._registry,
            judge,
            self._opened,
            self._clock,
            ReplayEffects(),
            standings=SetupWalks(level),
            pattern_error=level,
            side_by_side=False,
            measurers_of=measurers,
        )
        return Learner(
            store=self._store,
            registry=self._registry,
            clock=self._clock,
            prices=self._opened,
            reflector=lambda: reflector,
            on_own=lambda *_: None,
            level=level,
            synthesis=self._synthesis,
            audit=self._audit,
            mining=self._mining,
            measurers_of=measurers,
            news=KeptNews(),
            runs=Mode.ON,
        )

    def _opened(self, _conn: Connection) -> PriceSource:
        """Return the prices of this slice: no price is written while it runs."""
        return self._prices

    def _synthesis(self) -> Synthesis:
        return Synthesis(
            self._store,
            HeuristicSynthesisJudge(),
            GateRules(self._settings.gate, self._settings.fdr),
            self._clock,
            self._ids,
            reads=self._reads,
            seeds="all" if is_first_of_link(to_micros(self._clock.now)) else "none",
        )

    def _audit(self) -> AuditTerms:
        courtesy = Courtesy(self._store, self._clock, _nobody_waits)
        uid = f"replay-{to_micros(self._clock.now)}"
        return AuditTerms(courtesy, uid, "cron", self._settings.gate, AUDIT_DAYS)

    def _mining(self) -> MiningTerms:
        by = Writer(self._store, self._clock, self._ids, "system")
        return MiningTerms(by, "on", since=MINED_SPAN, has_effects=False)

    def _keep(self, conn: Connection, before: int) -> None:
        """Write the cursor."""
        is_done = self._cursor >= self._settings.ends_at
        last = rows.last_link(conn)
        moved = rows.advance(
            conn,
            before,
            self._cursor,
            "done" if is_done else "running",
            "" if last is None else last.chain,
            self._ids.drawn,
        )
        if not moved:
            raise ConflictError(
                f"replay {self._store.name}: another process runs it; wait until that has ended"
            )


def body_of(row: NewDecisionRow) -> str:
    """Return a checked decision as it is kept until its moment."""
    return json.dumps(
        {field.name: getattr(row, field.name) for field in fields(row)}, ensure_ascii=False
    )


def decision_row(body: str) -> NewDecisionRow:
    """Return a kept decision."""
    named = json.loads(body)
    context = named.pop("context")
    return NewDecisionRow(**named, context=None if context is None else FrozenJson(*context))


def _nobody_waits(_seconds: float) -> None:
    """Return at once: no agent works on a replay."""
