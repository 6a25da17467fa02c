"""The loop of a replay: pass after pass, a slice of them in one transaction.

Order of events at a pass, as it is written down in decision record 0047:

    decisions made before it, each known at its own moment → outcomes that are due → reflections
    → patterns → synthesis → audit, at the first pass of a day

The verbs are those of the live program. They read a clock that says the moment of the pass, and
`one_transaction` lets their writes join that of the slice.
"""

import json
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.store import Finisher, Store, one_transaction, reading
from afterword.pipeline.core.telemetry import emit, muting
from afterword.pipeline.domain.audit.busy import Courtesy
from afterword.pipeline.domain.audit.run_audit import run_audit
from afterword.pipeline.domain.decisions import ladder_rows
from afterword.pipeline.domain.decisions.frozen_context import FrozenContext
from afterword.pipeline.domain.decisions.measure_outcomes import MAX_DRAINED, measure_due
from afterword.pipeline.domain.decisions.record import insert
from afterword.pipeline.domain.decisions.rows import NewDecisionRow
from afterword.pipeline.domain.decisions.triggers import make_due, next_pass
from afterword.pipeline.domain.outcomes.measure import KeptMeasurers
from afterword.pipeline.domain.patterns.kept import KeptNews
from afterword.pipeline.domain.patterns.weigh import weigh_patterns
from afterword.pipeline.domain.prices.feed import PriceSource
from afterword.pipeline.domain.prices.record_cache import KEPT, RecordCache
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.reflection.judge import DecisionJudge
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.reflection.reflect import reflect_role
from afterword.pipeline.domain.reflection.setup_walk import SetupWalk
from afterword.pipeline.domain.skills import Role, RoleRegistry
from afterword.pipeline.domain.synthesis.judge import HeuristicSynthesisJudge
from afterword.pipeline.domain.synthesis.model import GateRules
from afterword.pipeline.domain.synthesis.parts import Synthesis
from afterword.pipeline.domain.synthesis.reads import KeptReads
from afterword.pipeline.domain.synthesis.synthesize import synthesize
from afterword.pipeline.errors import ConflictError
from afterword.pipeline.operations.replay import rows
from afterword.pipeline.operations.replay.chain import complete_links
from afterword.pipeline.operations.replay.ids import DerivedIds
from afterword.pipeline.operations.replay.judge import ReplayEffects
from afterword.pipeline.operations.replay.model import ReplaySettings
from afterword.pipeline.operations.replay.passes import is_first_of_day, is_first_of_link, passes
from afterword.pipeline.operations.replay.pauses import PriceReturn, price_returns

AUDIT_DAYS: Final = 30
"""Days that each audit of a replay looks back."""

OF_THE_LIVE: Final = (
    *("audit.", "injection.", "methodology.", "outcomes.", "pattern.", "prices.", "role."),
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
        self._judge, self._records = judge, records
        with reading(store) as conn:
            kept = rows.run(conn)
        assert kept is not None  # it was prepared
        self._cursor = kept.cursor
        self._clock = PassClock(from_micros(kept.cursor))
        self._ids = DerivedIds(settings.seed, kept.ids)
        self._news, self._measurers = KeptNews(), KeptMeasurers()
        self._walks: dict[str, SetupWalk] = {}
        self._reads = KeptReads(self._opened)
        self._returns: deque[PriceReturn] | None = None
        self._next_reflection: dict[str, datetime | None] = {}

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
                measured = self._measure(conn)
                ended = self._reflect(conn, new)
                if measured or ended:
                    weigh_patterns(
                        self._store,
                        self._registry,
                        self._clock.now,
                        level=self._settings.pattern_error,
                        news=self._news,
                    )
                self._synthesize()
                if is_first_of_day(at):
                    self._audit(at)
                self._cursor = at
                complete_links(conn, at, is_last=at == self._settings.ends_at)
                done, recorded = done + 1, recorded + len(new)
                outcomes, reflected = outcomes + measured, reflected + ended
                if not has_time():
                    break
            self._keep(conn, before)
            report = SliceReport(self._cursor, done, recorded, outcomes, reflected)
            if then is not None:
                then(conn, report)
            emit("replay.keeping", level="DEBUG", until=self._cursor)
        emit("replay.kept", until=self._cursor)
        return report

    def _record(self, conn: Connection, from_at: int, at: int) -> list[str]:
        """Record the decisions made since the last pass; return the roles, once a decision."""
        found = [decision_row(body) for body in rows.decisions(conn, from_at, at)]
        if found:
            insert(conn, self._registry, found, self._clock.now, actor="system", begins_jobs=False)
        return [one.role_id for one in found]

    def _wake(self, conn: Connection, at: int) -> None:
        """Make due what waits for prices that came back after a long pause."""
        if self._returns is None:
            self._returns = deque(price_returns(self._prices, rows.symbols(conn), self._cursor))
        back = set()
        while self._returns and self._returns[0].at <= at:
            back.add(self._returns.popleft().symbol)
        if back:
            make_due(conn, self._registry, back, self._clock.now)

    def _measure(self, conn: Connection) -> int:
        """Measure the windows that are over; return how many outcomes were added."""
        due_at = ladder_rows.first_due(conn)
        if due_at is None or due_at > to_micros(self._clock.now):
            return 0
        added = 0
        while True:
            found = measure_due(
                self._store,
                self._registry,
                self._opened,
                self._clock,
                lambda *_: None,
                measurers_of=self._measurers,
            )
            added += sum(found.outcomes.values())
            if found.looked < MAX_DRAINED:
                break
        return added

    def _reflect(self, conn: Connection, recorded: Sequence[str]) -> int:
        """Reflect on the decisions that are due; return how many ended."""
        ended = 0
        for role in self._registry:
            if role.id in recorded or role.id not in self._next_reflection:
                self._next_reflection[role.id] = next_pass(conn, role)
            due = self._next_reflection[role.id]
            if due is None or due > self._clock.now:
                continue
            ended += reflect_role(self._reflector(role), role.id).settled
            self._next_reflection[role.id] = next_pass(conn, role)
        return ended

    def _reflector(self, role: Role) -> Reflector:
        walk = self._walks.setdefault(role.id, SetupWalk(self._settings.pattern_error))
        return Reflector(
            self._store,
            self._registry,
            self._judge,
            self._opened,
            self._clock,
            ReplayEffects(),
            standings=walk,
            pattern_error=self._settings.pattern_error,
            side_by_side=False,
            measurers_of=self._measurers,
        )

    def _opened(self, _conn: Connection) -> PriceSource:
        """Return the prices of this slice: no price is written while it runs."""
        return self._prices

    def _synthesize(self) -> None:
        by = Synthesis(
            self._store,
            HeuristicSynthesisJudge(),
            GateRules(self._settings.gate, self._settings.fdr),
            self._clock,
            self._ids,
            reads=self._reads,
            seeds="all" if is_first_of_link(to_micros(self._clock.now)) else "none",
        )
        synthesize(by, "cron")

    def _audit(self, at: int) -> None:
        courtesy = Courtesy(self._store, self._clock, _nobody_waits)
        run_audit(courtesy, f"replay-{at}", "cron", self._settings.gate, AUDIT_DAYS)

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
    return json.dumps({one.name: getattr(row, one.name) for one in fields(row)}, ensure_ascii=False)


def decision_row(body: str) -> NewDecisionRow:
    """Return a kept decision."""
    named = json.loads(body)
    context = named.pop("context")
    return NewDecisionRow(**named, context=None if context is None else FrozenContext(*context))


def _nobody_waits(_seconds: float) -> None:
    """Return at once: no agent works on a replay."""
