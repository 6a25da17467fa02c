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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.cases.votes import IS_HIT
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
from afterword.pipeline.rules.evidence.paired import HelpVerdict, PairedVerdict
from afterword.pipeline.rules.evidence.rates import base_rate
from afterword.pipeline.rules.market.exact import PPB
from afterword.pipeline.rules.market.windows import HOUR_US

SETTLED_AFTER: Final = 24
"""One part in so many of its window after its end, all decisions of a bar are measured."""

_UNKNOWN_BASE: Final = base_rate(0, 0)


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
        pairs: what it lets through beside what it leaves out, one difference for each stretch on
            whose first bar both decide; None of `all`, which leaves nothing out.
        above_all: mean difference to all decisions of the same stretches; None without one.
    """

    gate: DecisionGate
    decisions: int
    voted: int
    hits: int
    hit_rate: float | None
    base_rate: float | None
    result: float | None
    result_error: float | None
    pairs: PairedVerdict | None
    above_all: float | None


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
        return next(line for line in self.gates if line.gate == gate)


class KnownDecision(NamedTuple):
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
    known = list(known_decisions(conn, standings, status.cursor, left_out))
    gated = [decision.gated for decision in known]
    records = gate_records(gated, seed)
    gates = tuple(_line(gate, records[gate], known, seed) for gate in GATES)
    primary = records[PRIMARY_GATE].against_rest
    assert primary is not None  # only `all` leaves nothing out
    first = min(
        (change.at for changes in standings.values() for change in changes if change.is_graduated),
        default=None,
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


def known_decisions(
    conn: Connection,
    standings: Mapping[int, Sequence[GraduationChange]],
    cursor: int,
    left_out: Counter[str],
) -> Iterator[KnownDecision]:
    """Yield the decisions that apply methodologies and have their outcome, each as of its entry.

    Args:
        standings: the changes of each methodology that ever graduated.
        cursor: how far the replay is; microseconds.
        left_out: counts the others by reason: `waiting`, `unmeasured`.
    """
    for decision in ablate_rows.applying(conn):
        window, length = decision.window, decision.hours * HOUR_US
        if window is None:
            is_due = decision.decided_at + length <= cursor
            left_out["unmeasured" if is_due else "waiting"] += 1
        elif window.entry_at + length + length // SETTLED_AFTER > cursor:
            left_out["waiting"] += 1  # another one of its bar may still wait
        else:
            is_graduated = any(
                _is_graduated(standings.get(method, ()), window.entry_at)
                for method in decision.methods
            )
            yield KnownDecision(_gated(decision, window, is_graduated), _risked(decision, window))


def _is_graduated(changes: Sequence[GraduationChange], at: int) -> bool:
    place = bisect_right(changes, at, key=lambda change: change.at)
    return place > 0 and changes[place - 1].is_graduated


def _gated(decision: ApplyingDecision, window: MeasuredWindow, is_graduated: bool) -> GatedDecision:
    base = _UNKNOWN_BASE if window.base_ppb is None else window.base_ppb / PPB
    return GatedDecision(
        decision.key,
        window.entry_at,
        window.exit_at,
        decision.asset,
        IS_HIT[window.verdict],
        base,
        is_graduated,
    )


def _risked(decision: ApplyingDecision, window: MeasuredWindow) -> RiskedDecision | None:
    if window.sigma_ppb <= 0:
        return None
    return RiskedDecision(
        window.entry_at,
        window.exit_at,
        decision.asset,
        decision.stance,
        window.move_ppb,
        window.sigma_ppb,
        window.costs_ppb,
    )


def _line(
    gate: DecisionGate, record: GateRecord, known: Sequence[KnownDecision], seed: int
) -> GateLine:
    keys = let_through([decision.gated for decision in known], gate, seed)
    earned = equity(
        decision.risked
        for decision in known
        if decision.risked is not None and decision.gated.key in keys
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
        pairs=record.against_rest,
        above_all=record.above_all,
    )
