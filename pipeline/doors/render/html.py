"""A view as one HTML file, or as a fragment inside a site."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from afterword.pipeline.doors.render.charts import (
    CalibrationPoint,
    calibration_chart,
    figure,
    interval_bar,
)
from afterword.pipeline.doors.render.markup import Html, element, join
from afterword.pipeline.doors.render.page import (
    badge,
    code,
    contents,
    fields,
    paragraph,
    report_page,
    section,
)
from afterword.pipeline.doors.render.table import ReportCell, table
from afterword.pipeline.views.blocks import (
    Block,
    Cell,
    Detail,
    Fields,
    Interval,
    Items,
    Paragraph,
    Picture,
    Points,
    Section,
    Table,
    Verbatim,
    View,
)
from afterword.pipeline.views.numbers import interval

_COMMAND: Final = re.compile(r"`([^`]*)`")
_FIRST_LEVEL: Final = 2
"""Of the headings of sections; the title has the first."""


def page(view: View) -> str:
    """Return a view as an HTML file; the same bytes for the same view."""
    return report_page(view.title, view.note, *_parts(view))


def fragment(view: View) -> str:
    """Return the blocks of a view as HTML, without a head and a style sheet of their own."""
    return join(*_parts(view))


def _parts(view: View) -> Iterator[Html]:
    named = {
        block.place: block.heading
        for block in view.blocks
        if isinstance(block, Section) and block.place
    }
    is_listed = False
    for block in view.blocks:
        if named and not is_listed and isinstance(block, Section) and block.place:
            yield contents(named)
            is_listed = True
        yield from _html(block, _FIRST_LEVEL)


def _html(block: Block, level: int) -> Iterator[Html]:
    match block:
        case Paragraph():
            yield _paragraph(block)
        case Fields(values):
            yield fields({name: _number(value) for name, value in values.items()})
        case Table():
            rows = [[_cell(cell) for cell in row] for row in block.rows]
            yield table(block.columns, rows, block.empty)
        case Items(texts):
            yield from (paragraph(*_with_commands(item)) for item in texts)
        case Verbatim(text):
            yield element("pre", *(element("div", line) for line in text.splitlines()))
        case Picture(share, caption):
            yield figure(_bar(share), caption)
        case Points():
            yield _points(block)
        case Section():
            yield _section(block, level)
        case Detail():
            yield from _detail(block, level)


def _paragraph(said: Paragraph) -> Html:
    kind = None if said.tone == "plain" else said.tone
    front = (badge(said.badge), " ") if said.badge else ()
    return paragraph(*front, *_with_commands(said.text), kind=kind)


def _with_commands(text: str) -> Sequence[str]:
    """Return the parts of a text; what stands between backticks is a command."""
    parts = _COMMAND.split(text)
    return [code(part) if place % 2 else part for place, part in enumerate(parts)]


def _section(block: Section, level: int) -> Html:
    below = level + bool(block.heading)
    parts = [html for inner in block.blocks for html in _html(inner, below)]
    if not block.heading:
        return join(*parts)
    note = [paragraph(f"{block.note}.", kind="quiet")] if block.note else []
    return section(block.heading, *note, *parts, level=level, name=block.place or None)


def _detail(block: Detail, level: int) -> Iterator[Html]:
    parts = [html for inner in block.blocks for html in _html(inner, level)]
    if block.summary:
        yield element("details", element("summary", block.summary), *parts)
    else:
        yield from parts


def _cell(cell: Cell) -> ReportCell:
    if isinstance(cell, Interval):
        return join(interval(cell.low, cell.high), _bar(cell))
    return cell


def _bar(share: Interval) -> Html:
    return interval_bar(share.point, share.low, share.high, share.base)


def _points(block: Points) -> Html:
    points = [
        CalibrationPoint(stated, share.point, share.low, share.high, number)
        for stated, share, number in block.points
    ]
    return figure(calibration_chart(points), block.caption)


def _number(value: str | int) -> str:
    return f"{value:,}" if isinstance(value, int) else value
