"""The result of a report of trades as one picture, to show to others: an SVG file of its own."""

import textwrap
from collections.abc import Sequence
from typing import Final

from afterword.pipeline.domain.trades.text import cell_name
from afterword.pipeline.doors.render.charts import coordinate
from afterword.pipeline.doors.render.markup import Html, element
from afterword.pipeline.doors.render.sum_chart import sum_chart
from afterword.pipeline.operations.learn.report import LearnReport
from afterword.pipeline.views.trades.learn_sums import sum_curves
from afterword.pipeline.views.trades.open_words import open_words, unpraised_words
from afterword.pipeline.views.trades.words import (
    enough_words,
    headline_words,
    is_cut,
    named_words,
    statistics_parts,
    title_words,
    tried_words,
    zone_words,
)

_STYLE: Final = """
text { font: 14px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1b1f24; }
.head { font-size: 20px; font-weight: 600; } .lead { font-size: 17px; font-weight: 600; }
.quiet { fill: #57606a; }
.plot text { font-size: 12px; paint-order: stroke; stroke: #ffffff; stroke-width: 3px; }
.grid { stroke: #d0d7de; } .zero { stroke: #1b1f24; } .dot { fill: #0550ae; }
.curve { stroke: #0550ae; stroke-width: 2; fill: none; }
"""
_WIDTH: Final = 720
_MARGIN: Final = 40
_CHARACTERS: Final = 88
_CURVE_HEIGHT: Final = 240
_SHOWN: Final = 4
"""Lines that were looked at and are shown, the fullest."""


def trades_picture(report: LearnReport) -> str:
    """Return the headline, the curve and the verdict of a report as an SVG file."""
    parts: list[Html] = []
    y = 44.0

    def write(words: str, kind: str | None = None, characters: int = _CHARACTERS) -> None:
        nonlocal y
        for line in textwrap.wrap(words, characters) or [""]:
            parts.append(element("text", line, class_=kind, x=str(_MARGIN), y=coordinate(y)))
            y += 24 if kind in ("head", "lead") else 20

    write("What your trades show", "head")
    write(title_words(report), "quiet")
    y += 10
    for line in headline_words(report):
        write(line, "lead", 70)
    trades = report.trades
    for line in open_words(report):
        write(line)
    y += 10
    for statistics in statistics_parts(report).values():
        for name, value in statistics.items():
            write(f"{name}: {value}", "quiet")
        y += 10
    verdicts = (
        enough_words(trades),
        tried_words(trades, report.told_in),
        *zone_words(report, trades.named),
    )
    for line in (*verdicts, *named_words(trades), *unpraised_words(trades)):
        if line:
            write(line)
    curves = sum_curves(report)
    if len(curves) == 1:
        ((curve, caption),) = curves
        chart = sum_chart(curve)
        if chart:
            size = f'width="{_WIDTH - 2 * _MARGIN}" height="{_CURVE_HEIGHT}"'
            place = f'<svg x="{_MARGIN}" y="{coordinate(y)}" {size} '
            parts.append(Html(chart.replace("<svg ", place, 1)))
            y += _CURVE_HEIGHT + 24
            write(caption, "quiet")
    looked_at = [cell for cell in trades.looked_at if is_cut(cell)]
    fullest = sorted(looked_at, key=lambda cell: -cell.trips)[:_SHOWN]
    if fullest:
        names = "; ".join(cell_name(cell.attribute, cell.value) for cell in fullest)
        rest = len(looked_at) - len(fullest)
        more = f"; and {rest:,} more" if rest else ""
        write(f"Looked at, not told apart from chance: {names}{more}.", "quiet")
    return _file(y + 12, parts)


def _file(height: float, parts: Sequence[Html]) -> str:
    frame = element(
        *("rect",),
        x="0.5",
        y="0.5",
        width=str(_WIDTH - 1),
        height=coordinate(height - 1),
        rx="8",
        fill="#ffffff",
        stroke="#d0d7de",
    )
    whole = element(
        "svg",
        element("style", Html(_STYLE)),
        frame,
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_WIDTH} {coordinate(height)}",
        role="img",
    )
    return f"{whole}\n"
