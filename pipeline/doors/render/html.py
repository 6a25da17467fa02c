"""A view as one HTML file, or as a fragment inside a site."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from afterword.pipeline.doors.render.charts import (
    bet_bar,
    calibration_chart,
    difference_bar,
    figure,
    interval_bar,
)
from afterword.pipeline.doors.render.columns import cell_text
from afterword.pipeline.doors.render.curves import curves_chart, scores_chart
from afterword.pipeline.doors.render.excursions import excursion_chart, excursions_caption
from afterword.pipeline.doors.render.marks import marks_chart
from afterword.pipeline.doors.render.markup import Html, element, join
from afterword.pipeline.doors.render.page import (
    badge,
    code,
    contents,
    fields,
    opened,
    paragraph,
    report_page,
    section,
)
from afterword.pipeline.doors.render.sum_chart import sum_chart
from afterword.pipeline.doors.render.table import (
    ReportCell,
    RowGroup,
    grouped_table,
    scrolled_table,
    table,
)
from afterword.pipeline.views.blocks import (
    Block,
    Detail,
    Fields,
    Groups,
    Items,
    Paragraph,
    Section,
    Table,
    TextOnly,
    Verbatim,
    View,
)
from afterword.pipeline.views.cells import Bet, Cell, Interval, Links, Place, Ref, SignedInterval
from afterword.pipeline.views.numbers import count
from afterword.pipeline.views.pictures import (
    Calibration,
    Curves,
    ExcursionChart,
    Marks,
    Picture,
    Scores,
    SumCurve,
)

_COMMAND: Final = re.compile(r"`([^`]*)`")
_OWN_COMMAND: Final = re.compile(r"`(afterword [^`]*)`")
"""What a cell or a field says of our own commands; other backticks in it may be those of a user."""

_FIRST_LEVEL: Final = 2
"""Of the headings of sections; the title has the first."""


Address = Callable[[Ref], str | None]
"""Returns the address of a thing's page; None if it has none."""


def page(view: View) -> str:
    """Return a view as an HTML file; the same bytes for the same view."""
    return report_page(view.title, view.note, *_parts(view, _alone))


def fragment(view: View, address: Address | None = None) -> Html:
    """Return the blocks of a view as HTML, without a head and a style sheet of their own.

    Args:
        address: of the pages that the view refers to; None inside a file of its own.
    """
    return join(*_parts(view, address or _alone))


def _alone(_ref: Ref) -> None:
    """Return that a file of its own has no other pages."""


def _parts(view: View, address: Address) -> Iterator[Html]:
    named = {section.place: section.heading for section in _places(view.blocks)}
    is_listed = False
    for block in view.blocks:
        if not is_listed and any(_places([block])):
            yield contents(named)
            is_listed = True
        yield from _html(block, _FIRST_LEVEL, address)


def _places(blocks: Sequence[Block]) -> Iterator[Section]:
    """Yield the sections that links find; none is folded."""
    for block in blocks:
        match block:
            case Section() if block.place:
                yield block
            case Detail(summary=""):
                yield from _places(block.blocks)


def _html(block: Block, level: int, address: Address) -> Iterator[Html]:
    match block:
        case Paragraph():
            yield _paragraph(block)
        case Fields(values):
            yield fields({name: _said(value, address) for name, value in values.items()})
        case Table():
            yield _table(block, address)
        case Items(texts):
            yield from (paragraph(*_with_commands(item)) for item in texts)
        case Verbatim(text):
            yield element("pre", *(element("div", line) for line in text.splitlines()))
        case Picture():
            yield _picture(block)
        case Groups(label, columns, groups):
            parts = [RowGroup(heading, _rows(rows, address)) for heading, rows in groups.items()]
            yield grouped_table(label, columns, parts)
        case Links():
            yield _links(block)
        case Section():
            yield _section(block, level, address)
        case Detail():
            yield from _detail(block, level, address)
        case TextOnly():
            pass


def _paragraph(said: Paragraph) -> Html:
    kind = None if said.tone == "plain" else said.tone
    front = (badge(said.badge), " ") if said.badge else ()
    return paragraph(*front, *_with_commands(said.text), kind=kind)


def _with_commands(text: str, command: re.Pattern[str] = _COMMAND) -> Sequence[str]:
    """Return the parts of a text; what stands between backticks is a command."""
    parts = command.split(text)
    return [code(part) if place % 2 else part for place, part in enumerate(parts)]


def _section(block: Section, level: int, address: Address) -> Html:
    below = level + bool(block.heading)
    parts = [html for inner in block.blocks for html in _html(inner, below, address)]
    if not block.heading:
        return join(*parts)
    note = [paragraph(f"{block.note}.", kind="quiet")] if block.note else []
    return section(block.heading, *note, *parts, level=level, name=block.place or None)


def _detail(block: Detail, level: int, address: Address) -> Iterator[Html]:
    parts = [html for inner in block.blocks for html in _html(inner, level, address)]
    if block.summary:
        yield element("details", element("summary", block.summary), *parts)
    else:
        yield from parts


def _table(block: Table, address: Address) -> Html:
    rows = _rows(block.rows, address)
    if block.label:
        return scrolled_table(block.label, block.columns, rows)
    if any(isinstance(cell, Interval | Bet) for row in block.rows for cell in row):
        # A picture does not become narrower: such a table moves to the side where it has no room.
        return grouped_table(f"By {block.columns[0]}", block.columns, [RowGroup("", rows)])
    return table(block.columns, rows, join(*_with_commands(block.empty)))


def _rows(rows: Sequence[Sequence[Cell]], address: Address) -> list[list[ReportCell]]:
    return [[_cell(cell, address) for cell in row] for row in rows]


def _cell(cell: Cell, address: Address) -> ReportCell:
    match cell:
        case Interval():
            return join(cell_text(cell), _bar(cell))
        case Bet():
            return join(cell_text(cell), bet_bar(cell.value, cell.bar))
        case SignedInterval(low, point, high, most):
            return join(cell_text(cell), difference_bar(point, low, high, most))
        case Place(words, name):
            return element("span", words, id=name)
        case Links():
            return _links(cell)
        case Ref():
            return _reference(cell, address)
        case str():
            parts = _with_commands(cell, _OWN_COMMAND)
            return join(*parts) if len(parts) > 1 else cell
    return cell


def _reference(ref: Ref, address: Address) -> str:
    target = address(ref)
    return ref.words if target is None else element("a", ref.words, href=target)


def _links(block: Links) -> Html:
    """Return a number that opens the links."""
    links = [join(element("a", words, href=f"#{name}"), " ") for words, name in block.links]
    if len(links) < block.number:
        links.append(join("all: ", code(block.command)))
    number = count(block.number, block.noun) if block.noun else f"{block.number:,}"
    return opened(number, *links)


def _bar(share: Interval) -> Html:
    return interval_bar(share.point, share.low, share.high, share.base)


def _picture(picture: Picture) -> Html:
    caption = picture.caption
    match picture.drawing:
        case Curves() as curves:
            return curves_chart(curves)
        case Interval() as share:
            drawn = _bar(share)
        case Calibration(points):
            drawn = calibration_chart(points)
        case Scores() as scores:
            drawn = scores_chart(scores)
        case Marks() as marks:
            drawn = marks_chart(marks)
        case SumCurve() as sums:
            drawn = sum_chart(sums)
        case ExcursionChart(points):
            drawn, caption = excursion_chart(points), excursions_caption(caption, points)
    return figure(drawn, caption)


def _said(value: str | int | Ref, address: Address) -> str:
    if isinstance(value, Ref):
        return _reference(value, address)
    return f"{value:,}" if isinstance(value, int) else value
