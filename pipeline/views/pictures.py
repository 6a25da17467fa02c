"""Pictures of a view: they hold numbers, and a page draws them.

A text leaves a picture out or says it in words; `words` say what one shows for who cannot see it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Literal, NamedTuple

from afterword.pipeline.views.cells import Interval

LineKind = Literal["own", "held", "coin"]
"""Whose sums a line shows: what the view is about, the same markets held, or those of a coin."""


@dataclass(frozen=True, slots=True)
class Panel:
    """Lines over one time.

    Args:
        lines: each with its kind and its sums by moment; the last one is drawn above the others.
        words: what they show, for who cannot see them.
    """

    lines: Sequence[tuple[LineKind, Sequence[tuple[datetime, float]]]]
    words: str
    caption: str


@dataclass(frozen=True, slots=True)
class Curves:
    """Sums that begin at 0 and change step by step, in panels that share their axes.

    Args:
        begins_at: left end of each panel; `ends_at` the right one.
        unit: of the sums.
        legend: what a line of each kind is.
    """

    panels: Sequence[Panel]
    begins_at: datetime
    ends_at: datetime
    unit: str
    legend: Mapping[LineKind, str]


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of 0 to 100 by moment.

    Args:
        name: what is scored.
        points: None where nothing could be scored.
        bands: where the bands of a verdict begin.
        words: what they show, for who cannot see them.
    """

    name: str
    points: Sequence[tuple[datetime, float | None]]
    bands: Sequence[int]
    words: str


@dataclass(frozen=True, slots=True)
class Marks:
    """Values side by side in groups: a dot, a ring and a cross.

    Args:
        groups: each with its label and three values at most; None where one is not known.
        unit: of the values.
        least: how far the axis reaches both ways at least.
        words: what they show, for who cannot see them.
    """

    groups: Sequence[tuple[str, Sequence[float | None]]]
    unit: str
    least: float
    words: str


class CalibrationPoint(NamedTuple):
    """What was stated about some decisions, and how often it was right.

    Args:
        stated: mean stated confidence, in [0, 1].
        hit: share that was right; `low` to `high` is its interval.
        decisions: count.
    """

    stated: float
    hit: float
    low: float
    high: float
    decisions: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """Stated confidence against the share that was right, a point for each group."""

    points: Sequence[CalibrationPoint]


class SumPoint(NamedTuple):
    """What all rows had come to at one of them.

    Args:
        number: of rows so far; those that came with this one are counted.
        at: in the zone that it is told in.
    """

    number: int
    at: datetime
    total: Decimal


@dataclass(frozen=True, slots=True)
class SumCurve:
    """A sum that grew row by row, from zero.

    Args:
        points: in the order of their numbers.
        unit: of the sums, such as a currency.
    """

    points: Sequence[SumPoint]
    unit: str


class ExcursionPoint(NamedTuple):
    """How far the price went against a trade and in its favour while it was open.

    Args:
        against: share of the entry price, 0.02 is 2 %; not negative. `favour` likewise.
    """

    against: float
    favour: float
    is_winner: bool


@dataclass(frozen=True, slots=True)
class ExcursionChart:
    """How far prices went both ways while trades were open, oldest first."""

    points: Sequence[ExcursionPoint]


Drawing = Interval | Calibration | Scores | Marks | Curves | SumCurve | ExcursionChart
"""What a picture can show. A text says an interval in words and scores as a line of bars."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing with its caption; each panel of `Curves` has its own instead."""

    drawing: Drawing
    caption: str = ""
