"""The job `measure_outcomes`: what became of each decision over the windows of the ladder.

Each window is measured once, when it is over and its prices are here. The window of a role's own is
left to its reflection while a decision waits for that, and measured here otherwise.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, from_micros, to_micros
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.lease import LeaseLostError, Leases, still_held
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.decisions import due_rows, settle_rows
from afterword.pipeline.domain.decisions.area import MEASURE_OUTCOMES
from afterword.pipeline.domain.decisions.checks import claimed_inputs
from afterword.pipeline.domain.decisions.ladder import (
    LadderDecision,
    MeasuredBefore,
    next_look,
    own_window,
    windows_beside_reflection,
    windows_of,
)
from afterword.pipeline.domain.decisions.plan import stored_plan
from afterword.pipeline.domain.outcomes import rows as outcome_rows
from afterword.pipeline.domain.outcomes.measure import (
    USUAL_COSTS,
    MeasurersOf,
    OpenPrices,
    OutcomeMeasurers,
)
from afterword.pipeline.domain.outcomes.model import MeasuredOutcome, Subject
from afterword.pipeline.domain.outcomes.obstacles import OutcomeObstacle
from afterword.pipeline.domain.outcomes.probes import named_peers
from afterword.pipeline.domain.skills import PeerRelative, PriceDelta, Role, RoleRegistry
from afterword.pipeline.rules.market.volatility import Costs
from afterword.pipeline.rules.market.windows import HOUR_US

OnMeasured = Callable[[Connection, str, datetime], object]
"""Called in the write that adds outcomes of a role over its own window."""

MEASURE_BATCH: Final = 500
"""Decisions of one transaction: it holds the only writer for some 50 ms."""

_NOTHING: Final = MeasuredBefore()

MAX_MEASURED: Final = 5_000
"""Decisions of one run, all measured in one read of the prices; the next run does the rest."""


@dataclass(frozen=True, slots=True)
class LadderCounts:
    """What a run measured; counts.

    Args:
        looked: decisions that were due.
        outcomes: outcomes added, by window (hours).
        anew: of these, those that older rules had measured; `changed` of them have another verdict.
    """

    looked: int = 0
    outcomes: Mapping[int, int] = field(default_factory=dict)
    anew: int = 0
    changed: int = 0

    def __add__(self, other: "LadderCounts") -> "LadderCounts":
        return LadderCounts(
            self.looked + other.looked,
            Counter(self.outcomes) + Counter(other.outcomes),
            self.anew + other.anew,
            self.changed + other.changed,
        )


def measure_outcomes(
    store: Store,
    leases: Leases,
    registry: RoleRegistry,
    prices: OpenPrices,
    clock: Clock,
    on_own: OnMeasured,
    *,
    limit: int = MAX_MEASURED,
) -> LadderCounts:
    """Do the job `measure_outcomes`: measure what is due; if more is, another job goes on.

    Args:
        on_own, limit: see `measure_due`.

    Raises:
        LeaseLostError: the job runs elsewhere by now; what was measured stays.
    """
    done = measure_due(store, registry, prices, clock, on_own, limit=limit, leases=leases)
    with writing(store, finishing=leases) as conn:
        now, first = clock(), due_rows.first_due(conn)
        if first is not None and first <= to_micros(now):
            add(conn, MEASURE_OUTCOMES, {}, now, key="more")
    return done


def measure_due(
    store: Store,
    registry: RoleRegistry,
    prices: OpenPrices,
    clock: Clock,
    on_own: OnMeasured,
    *,
    limit: int = MAX_MEASURED,
    leases: Leases | None = None,
    measurers_of: MeasurersOf = OutcomeMeasurers,
) -> LadderCounts:
    """Measure the outcomes that are due, the longest due first; a repeated call adds none.

    Args:
        on_own: called once in each write for each role with new outcomes over its own window.
        limit: decisions of this call.
        leases: of the job that does it, if a job does.
        measurers_of: a replay keeps what they have read.

    Raises:
        LeaseLostError: the job runs elsewhere by now.
    """
    now = clock()
    with reading(store) as conn:
        decisions = due_rows.due(conn, to_micros(now), limit)
        # Neighbours share their prices.
        decisions.sort(key=lambda decision: (decision.asset_key, decision.decided_at, decision.id))
        before = due_rows.measured(conn, [decision.id for decision in decisions])
        measurers = measurers_of(prices(conn), now)
        named = {decision.role_id for decision in decisions}
        roles = {role_id: _role_ladder(registry.find(role_id)) for role_id in named}
        looks = [
            _look(decision, roles[decision.role_id], before, measurers) for decision in decisions
        ]
    done = LadderCounts(len(decisions))
    for start in range(0, len(looks), MEASURE_BATCH):
        batch = looks[start : start + MEASURE_BATCH]
        with writing(store) as conn:
            if leases is not None and still_held(conn, leases) < len(leases):
                raise LeaseLostError("measure_outcomes: its job runs elsewhere")
            done += _keep(conn, batch, now, on_own)
    if decisions:
        emit("outcomes.measured", decisions=len(decisions), outcomes=sum(done.outcomes.values()))
    if done.anew:
        emit("outcomes.measured_anew", outcomes=done.anew, changed=done.changed)
    return done


@dataclass(frozen=True, slots=True)
class _RoleLadder:
    """How decisions of a role are measured.

    Args:
        own: by which its reflection judges; hours.
        windows: of a decision that has ended; `waiting` of one that waits for its reflection.
        costs: of each trade.
    """

    role: Role | None
    own: int | None
    windows: Sequence[int]
    waiting: Sequence[int]
    costs: Costs


def _role_ladder(role: Role | None) -> _RoleLadder:
    probe = None if role is None else role.reflection_policy.outcome_probe
    costs = probe.costs if isinstance(probe, PriceDelta | PeerRelative) else USUAL_COSTS
    beside = windows_beside_reflection(role)
    return _RoleLadder(role, own_window(role), windows_of(role), beside, costs)


class _Look(NamedTuple):
    """A decision that was due, and the outcomes found of it.

    Args:
        windows: those to be measured here, measured already or not; hours.
        entered_at: the latest entry that is known of its windows, or the decision; microseconds.
    """

    decision: LadderDecision
    ladder: _RoleLadder
    windows: Sequence[int]
    before: MeasuredBefore
    entered_at: int
    outcomes: Sequence[MeasuredOutcome] = ()


def _look(
    decision: LadderDecision,
    ladder: _RoleLadder,
    measured: Mapping[int, MeasuredBefore],
    measurers: OutcomeMeasurers,
) -> _Look:
    before = measured.get(decision.id, _NOTHING)
    waits = decision.state in ("pending", "parked")
    entered_at = max(before.entries.values(), default=decision.decided_at)
    look = _Look(decision, ladder, ladder.waiting if waits else ladder.windows, before, entered_at)
    longest = (to_micros(measurers.known_by) - entered_at) // HOUR_US
    windows = [hours for hours in look.windows if hours <= longest and hours not in before.entries]
    if not windows:
        return look
    inputs = json.loads(decision.inputs)
    peers: Sequence[str] = ()
    role = ladder.role
    if role is not None and isinstance(probe := role.reflection_policy.outcome_probe, PeerRelative):
        peers = named_peers(probe, claimed_inputs(inputs, decision.asset, role), decision.asset)
        if not peers:  # recorded before its role compared: its move alone is another outcome
            return look
    plan = stored_plan(decision.plan, inputs, decision.direction)
    subject = Subject(
        "decision",
        decision.id,
        decision.asset,
        decision.direction,
        from_micros(decision.decided_at),
        plan.stop_price,
        plan.target_price,
        plan.size_usd,
    )
    results = measurers.at(ladder.costs).over(subject, windows, peers)
    outcomes = [result for result in results if isinstance(result, MeasuredOutcome)]
    entries = [outcome.entry_at for outcome in outcomes]
    entries += [
        result.again_at - hours * HOUR_US
        for hours, result in zip(windows, results, strict=True)
        if isinstance(result, OutcomeObstacle) and result.again_at is not None
    ]
    return look._replace(outcomes=outcomes, entered_at=max([entered_at, *entries]))


def _keep(
    conn: Connection, looks: Sequence[_Look], now: datetime, on_own: OnMeasured
) -> LadderCounts:
    """Add outcomes, and keep when their decisions are due next; return what was added."""
    existing = settle_rows.existing(conn, [look.decision.id for look in looks])
    valid = [look for look in looks if look.decision.id in existing]
    outcomes = [outcome for look in valid for outcome in look.outcomes]
    outcome_rows.insert(conn, outcomes)
    nexts, own, anew, moment = [], set(), [], to_micros(now)
    for look in valid:
        older, new = look.before.older, [outcome.window_hours for outcome in look.outcomes]
        # A window that is left to the reflection is due again when that ends without it.
        measured = {*look.before.entries, *new}
        upcoming = next_look(look.entered_at, look.windows, measured, moment)
        nexts.append((look.decision, upcoming))
        if look.ladder.own in new:
            own.add(look.decision.role_id)
        if older:
            anew += [
                outcome.verdict != older[hours]
                for outcome in look.outcomes
                if (hours := outcome.window_hours) in older
            ]
    settle_rows.plan_next(conn, nexts)
    for role_id in sorted(own):
        on_own(conn, role_id, now)
    by_window = Counter(outcome.window_hours for outcome in outcomes)
    return LadderCounts(0, by_window, len(anew), sum(anew))
