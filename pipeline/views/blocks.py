"""A view: what an answer says, in blocks that hold text and numbers, and no markup.

A few kinds of block make every answer of the program; record 0071 says why, and one more needs a
record of its own. A renderer decides how a block looks: see `doors/render`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Literal, NamedTuple

Tone = Literal["plain", "lead", "quiet", "named", "warning"]
"""How a paragraph is meant: `lead` must be read, `named` differs by more than chance, `quiet` says
how to read what stands beside it."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A share with its interval, and the base it is held against; shares in [0, 1].

    Args:
        point: the share itself, from `low` to `high`.
        base: None where it is held against nothing.
    """

    low: float
    point: float
    high: float
    base: float | None = None


@dataclass(frozen=True, slots=True)
class Bet:
    """What a bet of 1 became, and what it must become; drawn on a page in powers of ten.

    Args:
        value: not negative.
        bar: None where nothing is asked for.
    """

    value: float
    bar: float | None = None


@dataclass(frozen=True, slots=True)
class SignedInterval:
    """A difference from zero with its interval.

    Args:
        point: in any unit, as are `low` and `high`.
        most: what the ends of its picture stand for, above and below zero; what is beyond is cut.
    """

    low: float
    point: float
    high: float
    most: float


@dataclass(frozen=True, slots=True)
class Place:
    """Words that `Links` of the same page lead to.

    Args:
        name: as the links say it.
    """

    words: str
    name: str


@dataclass(frozen=True, slots=True)
class Links:
    """How many rows of the answer a line counts; a page links to them, a text says the number.

    Args:
        noun: one of the rows, such as `trade`; empty where a column says it.
        links: to some of the rows: what each link says, and the name of its `Place`.
        command: lists all of them.
    """

    number: int
    noun: str
    links: Sequence[tuple[str, str]]
    command: str


Cell = str | int | Interval | Bet | SignedInterval | Place | Links
"""A value in a table. Whole numbers get thousands separators; a page draws intervals and bets."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One or more sentences. What stands between backticks is a command.

    Args:
        badge: a word in front, such as the state of a pattern; empty for none.
    """

    text: str
    tone: Tone = "plain"
    badge: str = ""


@dataclass(frozen=True, slots=True)
class Fields:
    """Names, and what is said of each."""

    values: Mapping[str, str | int]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns.

    Args:
        empty: what is said in place of a table without rows; empty says nothing.
        spare: columns that a narrow terminal leaves out, the first one first.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    empty: str = ""
    spare: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Items:
    """Texts of one kind, one below the other."""

    texts: Sequence[str]


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
    """Sums that begin at 0 and change step by step, in panels that share their axes; text leaves
    them out.

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
    """Scores of 0 to 100 by moment; text shows them as a line of bars.

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
    caption: str


@dataclass(frozen=True, slots=True)
class Marks:
    """Values side by side in groups: a dot, a ring and a cross; text leaves them out.

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
    caption: str


@dataclass(frozen=True, slots=True)
class Verbatim:
    """A text whose lines stay as they are, such as the block of a prompt."""

    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A share with its interval as a picture of its own; text says it as words."""

    interval: Interval
    caption: str


@dataclass(frozen=True, slots=True)
class Points:
    """What was stated against what came, a point for each group; text leaves it out.

    Args:
        points: each with the share that was stated, the share that came with its interval, and how
            many it counts.
    """

    points: Sequence[tuple[float, Interval, int]]
    caption: str


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
    """A sum that grew row by row, from zero; text leaves it out.

    Args:
        points: in the order of their numbers.
        unit: of the sums, such as a currency.
    """

    points: Sequence[SumPoint]
    unit: str
    caption: str


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
    """How far prices went both ways while trades were open, oldest first; text leaves it out."""

    points: Sequence[ExcursionPoint]
    caption: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table whose rows stay rows on every screen, to be scrolled to the side; of a page.

    Args:
        label: what it holds, for readers that cannot see it.
    """

    label: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]


@dataclass(frozen=True, slots=True)
class Groups:
    """Several groups of rows under the same columns; of a page.

    Args:
        label: what it holds, for readers that cannot see it.
        groups: rows by the heading of their group; an empty one is not shown.
    """

    label: str
    columns: Sequence[str]
    groups: Mapping[str, Sequence[Sequence[Cell]]]


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks that belong together, apart from what stands before and after them.

    A text leaves out one of which it shows nothing.

    Args:
        heading: empty for none.
        note: what the heading is about, in a few words.
        place: under which links of a page find it; empty for none.
    """

    heading: str
    blocks: Sequence["Block"]
    note: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class Detail:
    """Blocks for who looks closer: folded or small on a page, left out of text unless asked for.

    Args:
        summary: what it holds; empty shows it unfolded on a page.
    """

    summary: str
    blocks: Sequence["Block"]


@dataclass(frozen=True, slots=True)
class TextOnly:
    """Blocks of a text, where a page shows a `Detail` in their place."""

    blocks: Sequence["Block"]


Block = (
    Paragraph
    | Fields
    | Table
    | Sheet
    | Groups
    | Items
    | Verbatim
    | Links
    | Picture
    | Points
    | Curves
    | Scores
    | Marks
    | SumCurve
    | ExcursionChart
    | Section
    | Detail
    | TextOnly
)


@dataclass(frozen=True, slots=True)
class View:
    """A whole answer.

    Args:
        title: of a page; a terminal shows none, since the reader typed the question.
        note: what the answer is made from, and until when; of a page as well.
        is_prose: whether it is read from start to end: sentences are broken into lines that fit,
            and sections are set in. Otherwise each paragraph is one line, for other programs.
    """

    blocks: Sequence[Block]
    title: str = ""
    note: str = ""
    is_prose: bool = False


def paragraphs(texts: Iterable[str], tone: Tone = "plain") -> list[Block]:
    """Return a paragraph for each text that says something."""
    return [Paragraph(text, tone) for text in texts if text]
