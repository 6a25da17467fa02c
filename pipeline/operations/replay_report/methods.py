"""Every methodology of a replay: its record, before and since it graduated, and what passed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.methodologies.model import (
    HORIZON_HOURS,
    MethodGate,
    MethodNumbers,
    Methodology,
)
from afterword.pipeline.domain.methodologies.read import list_methodologies
from afterword.pipeline.domain.synthesis.luck import expected_luck
from afterword.pipeline.operations.replay_report import rows
from afterword.pipeline.operations.replay_report.model import (
    BeforeAfter,
    GateCount,
    Graduation,
    HitShare,
    ReplayMethod,
    TriedPart,
)
from afterword.pipeline.operations.replay_report.rows import AppliedCount, MethodEvent
from afterword.pipeline.operations.roles.figures import rounded
from afterword.pipeline.rules.evidence.graduation import is_literally_graduated, is_promising
from afterword.pipeline.rules.evidence.method_record import MethodTally, method_stretches
from afterword.pipeline.rules.evidence.rates import wilson_interval

LOST: Final = frozenset({"demoted", "requantized_by_judge", "synthesis_auto_demote"})
"""Events that end the time for which a methodology is graduated."""

_GATES: Final[tuple[MethodGate, ...]] = ("strict", "literal")
_MONTH: Final = 365.25 / 12 * 86_400
"""Seconds of a month."""


def methods_part(
    conn: Connection, events: Sequence[MethodEvent], gate: MethodGate, cursor: int
) -> tuple[tuple[ReplayMethod, ...], TriedPart]:
    """Return all methodologies, the graduated ones first, and how many came how far.

    Args:
        events: of all methodologies, in order.
        gate: the one in force.
        cursor: microseconds.
    """
    methods, applied = list_methodologies(conn), rows.applied(conn)
    by_method: dict[int, list[MethodEvent]] = {}
    for event in events:
        by_method.setdefault(event.methodology_id, []).append(event)
    none = AppliedCount(0, 0)
    lines = tuple(
        _line(method, applied.get(method.id, none), by_method.get(method.id, ()), gate, cursor)
        for method in methods
    )
    placebos = [method for method in methods if method.source == "placebo"]
    promising = [method.id for method in placebos if _ever_promising(by_method.get(method.id, ()))]
    passes = rows.passes(conn)
    luck = expected_luck(conn)
    part = TriedPart(
        tried=0 if luck is None else luck.tried,
        graduated=0 if luck is None else luck.graduated,
        expected_false=0.0 if luck is None else luck.expected_false,
        without=0.0 if luck is None else luck.without,
        bar=passes[-1][1] if passes else None,
        words="" if luck is None else luck.words,
        methods=_counted(
            lines, applied, [method for method in methods if method.source != "placebo"]
        ),
        placebos=GateCount(
            written=len(placebos),
            voted=sum(applied.get(method.id, none).voted > 0 for method in placebos),
            promising=len(promising),
            strict=sum(_would_graduate(conn, placebo, passes) for placebo in promising),
            literal=_would_literally(rows.literal_uses(conn)),
        ),
        before_after=tuple(_before_after(lines, gate) for gate in _GATES),
    )
    return lines, part


def hit_share(uses: float, hits: float, expected: float | None) -> HitShare:
    """Return a record with its rates and the interval of its share of hits."""
    low, high = wilson_interval(hits, uses)
    return HitShare(
        uses=rounded(uses),
        hits=rounded(hits),
        expected=None if expected is None else rounded(expected),
        rate=rounded(hits / uses) if uses else None,
        base=rounded(expected / uses) if uses and expected is not None else None,
        low=rounded(low),
        high=rounded(high),
    )


def gate_of(event: MethodEvent, in_force: MethodGate) -> MethodGate:
    """Return the gate that an event is about: a judge's is about the one in force."""
    return event.gate or in_force


def _line(
    method: Methodology,
    applied: AppliedCount,
    events: Sequence[MethodEvent],
    gate: MethodGate,
    cursor: int,
) -> ReplayMethod:
    figures = method.figures
    assert figures is not None  # a read of the present has them
    at = figures.verdict_at
    ahead = None if at is None else (at - from_micros(cursor)).total_seconds() / _MONTH
    return ReplayMethod(
        number=method.id,
        uid=method.uid,
        name=method.name,
        text=method.methodology,
        source=method.source,
        asset_class=method.asset_class,
        direction=method.direction,
        horizon_hours=HORIZON_HOURS[method.timeframe],
        state=method.state,
        decisions=applied.decisions,
        strict=_strict(figures),
        literal=_literal(figures),
        spent=figures.spent,
        e_value=rounded(figures.e_value),
        uses_needed=figures.uses_needed,
        verdict_at=at,
        months_needed=None if ahead is None else rounded(max(0.0, ahead)),
        promising_ever=_ever_promising(events),
        graduations=tuple(_graduations(events, figures, gate)),
    )


def _strict(figures: MethodNumbers) -> HitShare:
    return hit_share(figures.effective_uses, figures.effective_correct, figures.expected)


def _literal(figures: MethodNumbers) -> HitShare:
    return hit_share(figures.times_used, figures.times_correct, None)


def _graduations(
    events: Sequence[MethodEvent], figures: MethodNumbers, in_force: MethodGate
) -> Iterator[Graduation]:
    """Yield the times for which each gate had a methodology graduated."""
    for gate in _GATES:
        begun: MethodEvent | None = None
        for event in events:
            if gate_of(event, in_force) != gate:
                continue
            if event.kind == "graduated":
                begun = event
            elif begun is not None and event.kind in LOST:
                end = _counts(event.numbers, gate)
                yield _graduation(begun, gate, event.at, end)
                begun = None
        if begun is not None:
            now = _strict(figures) if gate == "strict" else _literal(figures)
            yield _graduation(begun, gate, None, (now.uses, now.hits, now.expected))


_Counts = tuple[float, float, float | None]
"""Uses, hits, and hits without skill."""


def _graduation(
    begun: MethodEvent, gate: MethodGate, ended_at: int | None, end: _Counts | None
) -> Graduation:
    start = _counts(begun.numbers, gate)
    assert start is not None  # a gate writes what it decided on
    since = None
    if end is not None:
        more = None if end[2] is None or start[2] is None else max(0.0, end[2] - start[2])
        since = hit_share(max(0.0, end[0] - start[0]), max(0.0, end[1] - start[1]), more)
    return Graduation(
        gate=gate,
        at=from_micros(begun.at),
        ended_at=None if ended_at is None else from_micros(ended_at),
        before=hit_share(*start),
        since=since,
    )


def _counts(numbers: Mapping[str, Any], gate: MethodGate) -> _Counts | None:
    """Return the record that decided an event; None where it is that of the other gate."""
    if gate == "strict":
        uses = numbers.get("n_eff")
        return None if uses is None else (uses, numbers["hits"], numbers["base"] * uses)
    used = numbers.get("times_used")
    return None if used is None else (used, numbers["times_correct"], None)


def _before_after(lines: Sequence[ReplayMethod], gate: MethodGate) -> BeforeAfter:
    known = [
        (graduation.before, graduation.since)
        for line in lines
        for graduation in line.graduations
        if graduation.gate == gate and graduation.since is not None
    ]
    return BeforeAfter(
        gate,
        len(known),
        _sum([before for before, _ in known], gate),
        _sum([since for _, since in known], gate),
    )


def _sum(records: Sequence[HitShare], gate: MethodGate) -> HitShare:
    expected = sum(record.expected or 0.0 for record in records) if gate == "strict" else None
    return hit_share(
        sum(record.uses for record in records), sum(record.hits for record in records), expected
    )


def _ever_promising(events: Iterable[MethodEvent]) -> bool:
    return any(event.kind == "promising" for event in events)


def _counted(
    lines: Sequence[ReplayMethod],
    applied: Mapping[int, AppliedCount],
    methods: Sequence[Methodology],
) -> GateCount:
    own = [line for line in lines if not line.is_placebo]
    gates = [{graduation.gate for graduation in line.graduations} for line in own]
    return GateCount(
        written=len(own),
        voted=sum(method.id in applied and applied[method.id].voted > 0 for method in methods),
        promising=sum(line.promising_ever for line in own),
        strict=sum("strict" in gates_of for gates_of in gates),
        literal=sum("literal" in gates_of for gates_of in gates),
    )


def _would_graduate(
    conn: Connection, placebo: int, passes: Sequence[tuple[int, float | None]]
) -> bool:
    """Say whether the strict gate would ever have let a placebo through, were it no placebo."""
    tally, place = MethodTally(), 0
    stretches = list(method_stretches(rows.votes(conn, placebo)))
    for number, stretch in enumerate(stretches):
        tally.add(stretch)
        known_from = stretch.exit_at
        known_to = stretches[number + 1].exit_at if number + 1 < len(stretches) else None
        record = tally.record()
        is_told = is_promising(record)
        while place < len(passes) and (known_to is None or passes[place][0] < known_to):
            at, bar = passes[place]
            place += 1
            if is_told and at >= known_from and bar is not None and record.evidence >= bar:
                return True
    return False


def _would_literally(uses: Iterable[tuple[int, int, bool]]) -> int:
    """Return how many placebos the literal gate would have let through at some time."""
    passed = 0
    for _, of_placebo in groupby(uses, key=lambda use: use[0]):
        used = correct = 0
        for _, known in groupby(of_placebo, key=lambda use: use[1]):
            for _, _, is_right in known:
                used, correct = used + 1, correct + is_right
            if is_literally_graduated(correct, used):
                passed += 1
                break
    return passed
