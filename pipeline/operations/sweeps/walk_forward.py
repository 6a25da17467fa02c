"""A walk-forward: choose a cell by one part of the span, and judge it by the next one.

The span is cut into parts of equal length, one more than there are steps. In step k the cell with
the greatest edge in part k is taken: its rules were right more often than their base rate by most.
It is judged by part k + 1, which had no share in the choice.

Each cell is one replay over the whole span. A replay sees nothing of tomorrow, and a part counts
only what was known by its end. So its figures of a part are those of a replay that ended there, and
nothing needs to be run again for each step.

A choice says how good the best of all cells was in the past; that figure is never told alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import fsum
from typing import Final

from afterword.pipeline.clock import from_micros
from afterword.pipeline.operations.sweeps.cell import CellResult, bounds
from afterword.pipeline.operations.sweeps.figures import FIGURE_DIGITS, SweepFigures
from afterword.pipeline.rules.evidence.best_of import best_by_luck

FEWEST_PART_STRETCHES: Final = 5
"""Stretches that a part must have of a cell before the cell may be taken: of fewer, luck alone
makes the best."""


@dataclass(frozen=True, slots=True)
class ForwardStep:
    """One choice, and what became of it.

    Args:
        from_at, until: the part that the choice was made by; the next one goes to `to_at`.
        taken: number of the cell; None where no cell had enough stretches.
        tried: cells that it was chosen among; count.
        luck: see `best_by_luck`.
        past: its figures in the part that it was chosen by; `next` in the one it never saw.
    """

    number: int
    from_at: datetime
    until: datetime
    to_at: datetime
    taken: int | None
    tried: int
    luck: float | None
    past: SweepFigures | None
    next: SweepFigures | None


@dataclass(frozen=True, slots=True)
class WalkForward:
    """All choices of a sweep.

    Args:
        past_edge: mean edge of the cells in the parts they were chosen by, each stretch counted
            once; `next_edge` in the parts that they never saw. None without a stretch.
        past_stretches, next_stretches: counts.
    """

    steps: tuple[ForwardStep, ...]
    past_edge: float | None
    past_stretches: int
    next_edge: float | None
    next_stretches: int


def walk_forward(results: Sequence[CellResult], steps: int) -> WalkForward:
    """Choose step by step among the cells that have a result.

    Args:
        results: by number; of two cells with equal edges the first one is taken.
        steps: count, at least 1.
    """
    if not results:
        return WalkForward((), None, 0, None, 0)
    # The span follows from the prices, so it is that of every cell.
    cuts = [from_micros(at) for at in bounds(results[0].begins_at, results[0].ends_at, steps)]
    by_number = {result.number: result.parts for result in results}
    done = tuple(_step(by_number, cuts, place) for place in range(steps))
    past = [step.past for step in done if step.past is not None]
    following = [step.next for step in done if step.next is not None]
    return WalkForward(
        done,
        _mean_edge(past),
        sum(figures.stretches for figures in past),
        _mean_edge(following),
        sum(figures.stretches for figures in following),
    )


def _step(
    parts: Mapping[int, Sequence[SweepFigures]], cuts: Sequence[datetime], place: int
) -> ForwardStep:
    able = {
        number: figures[place].edge
        for number, figures in parts.items()
        if figures[place].stretches >= FEWEST_PART_STRETCHES
    }
    taken = max(able, key=lambda number: (able[number] or 0.0, -number), default=None)
    fewest = min((parts[number][place].stretches for number in able), default=0)
    return ForwardStep(
        number=place + 1,
        from_at=cuts[place],
        until=cuts[place + 1],
        to_at=cuts[place + 2],
        taken=taken,
        tried=len(able),
        luck=best_by_luck(len(able), fewest) if able else None,
        past=None if taken is None else parts[taken][place],
        next=None if taken is None else parts[taken][place + 1],
    )


def _mean_edge(figures: Sequence[SweepFigures]) -> float | None:
    count = sum(part.stretches for part in figures)
    if not count:
        return None
    return round(
        fsum((part.edge or 0.0) * part.stretches for part in figures) / count, FIGURE_DIGITS
    )
