"""A view: what an answer says, in blocks that hold text and numbers, and no markup.

A few kinds of block make every answer of the program; record 0071 says why, and one more needs a
record of its own. A renderer decides how a block looks: see `doors/render`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from afterword.pipeline.views.cells import Cell, Links, Ref
from afterword.pipeline.views.pictures import Picture

Tone = Literal["plain", "lead", "quiet", "named", "warning"]
"""How a paragraph is meant: `lead` must be read, `named` differs by more than chance, `quiet` says
how to read what stands beside it."""


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
    """Names, and what is said of each.

    Args:
        is_legend: whether they say what the columns of the table before them are.
    """

    values: Mapping[str, str | int | Ref]
    is_legend: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns.

    Args:
        empty: what is said in place of a table without rows; empty says nothing.
        spare: columns that a narrow terminal leaves out, the first one first.
        label: what it holds, for readers that cannot see it, if its rows stay rows on a narrow page
            and scroll to the side; empty for other tables.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    empty: str = ""
    spare: Sequence[str] = ()
    label: str = ""


@dataclass(frozen=True, slots=True)
class Items:
    """Texts of one kind, one below the other."""

    texts: Sequence[str]


@dataclass(frozen=True, slots=True)
class Verbatim:
    """A text whose lines stay as they are, such as the block of a prompt."""

    text: str


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
    | Groups
    | Items
    | Verbatim
    | Links
    | Picture
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
