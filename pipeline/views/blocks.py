"""A document: what an answer says, in blocks that hold text and numbers, and no markup.

Nine kinds of block make every answer of the program; record 0071 says why, and a tenth needs a
record of its own. A renderer decides how a block looks: see `doors/render`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

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


Cell = str | int | Interval
"""A value in a table. Whole numbers get thousands separators; an interval is drawn on a page."""


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


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks that belong together, apart from what stands before and after them.

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


Block = Paragraph | Fields | Table | Items | Verbatim | Picture | Points | Section | Detail


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
