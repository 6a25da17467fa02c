"""A view as text: sections apart from each other, tables and fields aligned."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from afterword.pipeline.doors.render.columns import cell_text, field_lines, table_lines
from afterword.pipeline.doors.render.lines import wrapped, wrapped_fields
from afterword.pipeline.doors.render.screen import Screen
from afterword.pipeline.views.blocks import (
    Block,
    Fields,
    Items,
    Paragraph,
    Section,
    Table,
    TextOnly,
    Verbatim,
    View,
)
from afterword.pipeline.views.cells import Interval
from afterword.pipeline.views.numbers import sparkline
from afterword.pipeline.views.pictures import Picture, Scores
from afterword.pipeline.views.words import one_line

_BARS: Final = 60
"""Bars of a line of scores at most."""


def text(view: View, screen: Screen) -> str:
    """Return a view as lines, each with its end; empty for a view that says nothing."""
    writer = _Prose(screen) if view.is_prose else _Lines(screen)
    lines = list(_blocks(view.blocks, writer, 0))
    # A section begins with an empty line, unless it is the first thing that is said.
    first = next((place for place, line in enumerate(lines) if line), len(lines))
    return "".join(f"{line}\n" for line in lines[first:])


@dataclass(frozen=True, slots=True)
class _Lines:
    """Each paragraph is one line, so that a program finds it again."""

    screen: Screen

    def paragraph(self, said: Paragraph, depth: int) -> Iterator[str]:
        yield _indent(depth) + one_line(_said(said))

    def fields(self, fields: Fields, depth: int) -> Iterator[str]:
        return field_lines(fields.values, _indent(depth) + ("  " if fields.is_legend else ""))

    def items(self, items: Items, depth: int) -> Iterator[str]:
        indent = _indent(depth)
        for item in items.texts:
            yield from wrapped(item, self.screen.prose, indent, indent + "  ")


@dataclass(frozen=True, slots=True)
class _Prose:
    """Sentences stand on lines that fit; those of a section are set in."""

    screen: Screen

    def paragraph(self, said: Paragraph, depth: int) -> Iterator[str]:
        indent = "  " if depth or said.tone == "quiet" else ""
        return wrapped(_said(said), self.screen.prose, indent, indent * 2)

    def fields(self, fields: Fields, _depth: int) -> Iterator[str]:
        values = {name: cell_text(value) for name, value in fields.values.items()}
        return wrapped_fields(values, self.screen.prose, "  ")

    def items(self, items: Items, _depth: int) -> Iterator[str]:
        for item in items.texts:
            yield from wrapped(item, self.screen.prose, "    ", "      ")


def _blocks(blocks: Sequence[Block], writer: _Lines | _Prose, depth: int) -> Iterator[str]:
    for block in blocks:
        match block:
            case Paragraph():
                yield from writer.paragraph(block, depth)
            case Fields():
                yield from writer.fields(block, depth)
            case Items():
                yield from writer.items(block, depth)
            case Verbatim(whole):
                yield whole
            case Table():
                yield from _table(block, writer.screen)
            case Picture(Interval() as share, caption):
                said = Paragraph(f"{cell_text(share)}: {caption}")
                yield from writer.paragraph(said, depth)
            case Picture(Scores(name, points)):
                if any(score is not None for _, score in points):
                    yield from writer.paragraph(Paragraph(f"{name} {_bars(points)}"), depth)
            case Section():
                yield from _section(block, writer, depth)
            case TextOnly(inner):
                yield from _blocks(inner, writer, depth)
            case _:  # of a page
                pass


def _section(section: Section, writer: _Lines | _Prose, depth: int) -> Iterator[str]:
    lines = list(_blocks(section.blocks, writer, depth + bool(section.heading)))
    if not lines:
        return
    yield ""
    if section.heading:
        note = f": {section.note}" if section.note else ""
        yield one_line(f"{section.heading}{note}")
    yield from lines


def _table(table: Table, screen: Screen) -> Iterator[str]:
    if table.rows:
        yield from table_lines(table.columns, table.rows, screen, table.spare)
    elif table.empty:
        yield one_line(table.empty)


def _bars(points: Sequence[tuple[object, float | None]]) -> str:
    """Return bars for points: for at most `_BARS` parts of them, the last one of each."""
    parts = min(_BARS, len(points))
    return sparkline(points[part * len(points) // parts - 1][1] for part in range(1, parts + 1))


def _said(paragraph: Paragraph) -> str:
    return f"{paragraph.badge}: {paragraph.text}" if paragraph.badge else paragraph.text


def _indent(depth: int) -> str:
    """Return what is before a line: only sections inside sections are set in."""
    return "  " * max(0, depth - 1)
