"""Folds: what was graduated when a part of the span began, and what came in it."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.methodologies.model import MethodGate
from afterword.pipeline.operations.replay_report import rows
from afterword.pipeline.operations.replay_report.equity import RoleDecisions
from afterword.pipeline.operations.replay_report.methods import LOST, gate_of
from afterword.pipeline.operations.replay_report.model import FoldCount, FoldLine, ReplayMethod
from afterword.pipeline.operations.replay_report.rows import MethodEvent
from afterword.pipeline.operations.roles.figures import rounded

FOLDS: Final = 4
"""Parts of the span."""

_ENDS: Final = LOST | {"merged", "deleted"}


@dataclass(slots=True)
class _Tally:
    """What decisions came to, one after the other."""

    decisions: int = 0
    voted: int = 0
    hits: int = 0
    expected: float = 0.0

    def add(self, verdict: str, base: float) -> None:
        self.decisions += 1
        if verdict != "noise":
            self.voted += 1
            self.hits += verdict == "right"
            self.expected += base

    def count(self) -> FoldCount:
        rate = self.hits / self.voted if self.voted else None
        base = self.expected / self.voted if self.voted else None
        return FoldCount(
            *(self.decisions, self.voted, self.hits, rounded(self.expected)),
            None if rate is None else rounded(rate),
            None if base is None else rounded(base),
        )


def folds_part(
    conn: Connection,
    span: tuple[int, int],
    roles: Sequence[RoleDecisions],
    methods: Sequence[ReplayMethod],
    events: Sequence[MethodEvent],
    gate: MethodGate,
) -> tuple[FoldLine, ...]:
    """Return the folds of a span, in order.

    Args:
        span: its begin and its end; microseconds.
        events: of all methodologies, in order.
        gate: the one in force.
    """
    starts = fold_starts(*span)
    graduated = list(graduated_at(starts, events, gate))
    cited, every, placebo = ([_Tally() for _ in starts] for _ in range(3))
    seen = None
    for citation in rows.cited_outcomes(conn, frozenset().union(*graduated)):
        place = _place(starts, citation.decided_at)
        # A decision that applies two of them counts once.
        if citation.decision_id != seen and citation.methodology_id in graduated[place]:
            cited[place].add(citation.verdict, citation.base)
            seen = citation.decision_id
    for role in roles:
        into = placebo if role.is_placebo else every
        for decision in role.decisions:
            into[_place(starts, decision.decided_at)].add(decision.window_verdict, decision.base)
    names = {method.number: method.name for method in methods}
    ends = [*starts[1:], span[1]]
    return tuple(
        FoldLine(
            number=place + 1,
            from_at=from_micros(start),
            to_at=from_micros(ends[place]),
            graduated=tuple(sorted(names[number] for number in graduated[place])),
            cited=cited[place].count(),
            every=every[place].count(),
            placebo=placebo[place].count(),
        )
        for place, start in enumerate(starts)
    )


def fold_starts(begins_at: int, ends_at: int, folds: int = FOLDS) -> list[int]:
    """Return when each of some equal parts of a span begins; microseconds."""
    return [begins_at + (ends_at - begins_at) * place // folds for place in range(folds)]


def graduated_at(
    moments: Sequence[int], events: Sequence[MethodEvent], gate: MethodGate
) -> Iterator[frozenset[int]]:
    """Yield which methodologies a gate had graduated at moments, by row id.

    Args:
        moments: ascending; microseconds. What happened at one is in effect then.
        events: in order.
    """
    now: set[int] = set()
    place = 0
    for moment in moments:
        while place < len(events) and events[place].at <= moment:
            event = events[place]
            place += 1
            if event.kind == "graduated" and event.gate == gate:
                now.add(event.methodology_id)
            elif event.kind in _ENDS and gate_of(event, gate) == gate:
                now.discard(event.methodology_id)
        yield frozenset(now)


def _place(starts: Sequence[int], at: int) -> int:
    return max(0, bisect_right(starts, at) - 1)
