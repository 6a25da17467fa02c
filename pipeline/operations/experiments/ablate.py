"""Is graduation worth following: the decisions of a replay under four gates, and one verdict.

- *A decision is judged at the horizon of its method*, as its case is; of several methods at the
  longest one.
- *A method counts as graduated as of the entry of the decision*, not of its record: a pass between
  the two may have seen prices that are a part of the outcome.
- *A decision counts as soon as all others of its bar and horizon must have their outcome*, so who
  is compared with whom never depends on how it ended.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.cases.votes import IS_HIT
from afterword.pipeline.domain.decisions.lateness import HOUR
from afterword.pipeline.domain.methodologies.model import MethodGate as GraduationGate
from afterword.pipeline.operations.experiments import ablate_rows
from afterword.pipeline.operations.experiments.ablate_rows import (
    ApplyingDecision,
    GraduationChange,
    MeasuredWindow,
)
from afterword.pipeline.operations.replay.model import ReplayState, ReplayStatus
from afterword.pipeline.rules.evidence.equity import RiskedDecision, equity
from afterword.pipeline.rules.evidence.gated import (
    GATES,
    PRIMARY_GATE,
    PRIMARY_GATE_FIGURE,
    DecisionGate,
    GatedDecision,
    GateRecord,
    gate_records,
    let_through,
)
from afterword.pipeline.rules.evidence.paired import HelpVerdict
from afterword.pipeline.rules.evidence.rates import base_rate
from afterword.pipeline.rules.market.exact import PPB

SETTLED_AFTER: Final = 24
"""One part in so many of its window after its end, all decisions of a bar are measured."""

_UNKNOWN_BASE: Final = base_rate(0, 0)


@dataclass(frozen=True, slots=True)
class GatePairs:
    """What a gate let through beside what it left out, one difference for each stretch.

    Args:
        stretches: on whose first bar both sides decide; count.
        difference: mean hits above base a decision, minus that of those left out.
        interval: where that mean lies; each end is ever wrong with a chance of at most 5 %.
        up, down: e-values of "better" and of "worse".
        needed: further stretches until a verdict, at this rate; None if none is in sight.
        above_all: mean difference to all decisions of the same stretches; None without one.
    """

    stretches: int
    difference: float
    interval: tuple[float, float]
    up: float
    down: float
    verdict: HelpVerdict
    needed: int | None
    above_all: float | None


@dataclass(frozen=True, slots=True)
class GateLine:
    """The decisions that one gate lets through.

    Args:
        decisions: count; `voted` of these beyond the noise band, `hits` of these right.
        hit_rate: share of the voted that were right; None without one.
        base_rate: the share that would be without skill.
        result: mean result after costs at equal risk; σ of the market over the horizon. None
            without a position.
        result_error: its standard error.
        pairs: None of `all`, which leaves nothing out.
    """

    gate: DecisionGate
    decisions: int
    voted: int
    hits: int
    hit_rate: float | None
    base_rate: float | None
    result: float | None
    result_error: float | None
    pairs: GatePairs | None


@dataclass(frozen=True, slots=True)
class Ablation:
    """Whether following graduated methods is worth it, in one replay.

    Args:
        replay: its name; `until` is how far it is.
        gate: the one in force, which graduates.
        seed: of the random gate.
        primary_gate, primary_figure: what the verdict is about; the program fixes them, not a run.
        decisions: with an outcome; `waiting` for theirs; `unmeasured` for want of prices; counts.
        methods: that the gate ever graduated; count.
        first_graduated_at: when the first one was.
    """

    replay: str
    state: ReplayState
    until: datetime
    gate: GraduationGate
    seed: int
    primary_gate: DecisionGate
    primary_figure: str
    verdict: HelpVerdict
    decisions: int
    waiting: int
    unmeasured: int
    methods: int
    first_graduated_at: datetime | None
    gates: tuple[GateLine, ...]

    def line(self, gate: DecisionGate) -> GateLine:
        """Return what one gate lets through."""
        return next(one for one in self.gates if one.gate == gate)


class _KnownDecision(NamedTuple):
    """A decision under the gates, and at risk; the latter is None without a deviation."""

    gated: GatedDecision
    risked: RiskedDecision | None


def ablate(conn: Connection, status: ReplayStatus, seed: int | None = None) -> Ablation:
    """Compare the decisions that cite graduated methods with those that cite others.

    Args:
        conn: a read of the replay's file.
        status: how far it is; a running one is judged by what it has done.
        seed: of the random gate; that of the replay if missing.
    """
    seed = status.settings.seed if seed is None else seed
    standings = ablate_rows.standings(conn)
    left_out: Counter[str] = Counter()
    known = list(_known(ablate_rows.applying(conn), standings, status.cursor, left_out))
    gated = [one.gated for one in known]
    records = gate_records(gated, seed)
    gates = tuple(_line(gate, records[gate], known, seed) for gate in GATES)
    primary = records[PRIMARY_GATE].against_rest
    assert primary is not None  # only `all` leaves nothing out
    first = min(
        (one.at for of in standings.values() for one in of if one.is_graduated), default=None
    )
    return Ablation(
        replay=status.name,
        state=status.state,
        until=from_micros(status.cursor),
        gate=status.settings.gate,
        seed=seed,
        primary_gate=PRIMARY_GATE,
        primary_figure=PRIMARY_GATE_FIGURE,
        verdict=primary.verdict,
        decisions=len(known),
        waiting=left_out["waiting"],
        unmeasured=left_out["unmeasured"],
        methods=len(standings),
        first_graduated_at=None if first is None else from_micros(first),
        gates=gates,
    )


def gated_decisions(conn: Connection, cursor: int) -> list[GatedDecision]:
    """Return the decisions that apply methodologies and have their outcome, each as of its entry.

    Args:
        cursor: how far the replay is; microseconds.
    """
    standings = ablate_rows.standings(conn)
    found = _known(ablate_rows.applying(conn), standings, cursor, Counter())
    return [one.gated for one in found]


def _known(
    applying: Iterable[ApplyingDecision],
    standings: Mapping[int, Sequence[GraduationChange]],
    cursor: int,
    left_out: Counter[str],
) -> Iterator[_KnownDecision]:
    for one in applying:
        window = one.window
        if window is None:
            is_due = one.decided_at + one.hours * HOUR <= cursor
            left_out["unmeasured" if is_due else "waiting"] += 1
        elif window.entry_at + one.hours * HOUR + one.hours * HOUR // SETTLED_AFTER > cursor:
            left_out["waiting"] += 1  # another one of its bar may still wait
        else:
            is_graduated = any(
                _is_graduated(standings.get(method, ()), window.entry_at) for method in one.methods
            )
            yield _KnownDecision(_gated(one, window, is_graduated), _risked(one, window))


def _is_graduated(changes: Sequence[GraduationChange], at: int) -> bool:
    place = bisect_right(changes, at, key=lambda one: one.at)
    return place > 0 and changes[place - 1].is_graduated


def _gated(one: ApplyingDecision, window: MeasuredWindow, is_graduated: bool) -> GatedDecision:
    base = _UNKNOWN_BASE if window.base_ppb is None else window.base_ppb / PPB
    return GatedDecision(
        one.key,
        window.entry_at,
        window.exit_at,
        one.asset,
        IS_HIT[window.verdict],
        base,
        is_graduated,
    )


def _risked(one: ApplyingDecision, window: MeasuredWindow) -> RiskedDecision | None:
    if window.sigma_ppb <= 0:
        return None
    return RiskedDecision(
        window.entry_at,
        window.exit_at,
        one.asset,
        one.stance,
        window.move_ppb,
        window.sigma_ppb,
        window.costs_ppb,
    )


def _line(
    gate: DecisionGate, record: GateRecord, known: Sequence[_KnownDecision], seed: int
) -> GateLine:
    keys = let_through([one.gated for one in known], gate, seed)
    earned = equity(
        one.risked for one in known if one.risked is not None and one.gated.key in keys
    ).decided
    return GateLine(
        gate=gate,
        decisions=record.kept,
        voted=record.voted,
        hits=record.hits,
        hit_rate=record.hits / record.voted if record.voted else None,
        base_rate=record.expected / record.voted if record.voted else None,
        result=earned.mean,
        result_error=earned.mean_error,
        pairs=_pairs(record),
    )


def _pairs(record: GateRecord) -> GatePairs | None:
    found = record.against_rest
    if found is None:
        return None
    return GatePairs(
        found.n,
        found.mean,
        found.interval,
        found.up,
        found.down,
        found.verdict,
        found.needed,
        record.above_all,
    )
