"""Charts of values over time: sums in panels that share their axes, and scores."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Final

from afterword.pipeline.clock import to_micros
from afterword.pipeline.doors.render.charts import figure
from afterword.pipeline.doors.render.markup import Html, element
from afterword.pipeline.doors.render.plots import (
    BELOW,
    BOTTOM,
    TOP,
    Scale,
    across,
    curve,
    plot,
    tick_label,
    ticks,
    words_at,
)
from afterword.pipeline.views.pictures import Curves, LineKind, Panel, Scores

_KINDS: Final[dict[LineKind, str]] = {"own": "curve", "held": "curve held", "coin": "curve coin"}
"""Classes of the style sheet."""


def curves_chart(block: Curves) -> Html:
    """Return a legend and the panels; nothing without a value."""
    sums = [value for panel in block.panels for _, points in panel.lines for _, value in points]
    if not sums or block.begins_at >= block.ends_at:
        return Html("")
    low, high = min(0.0, *sums), max(0.0, *sums)
    steps = ticks(low, high if high > low else low + 1, 6)
    panels = (figure(_panel(panel, block, steps), panel.caption) for panel in block.panels)
    pairs = (
        element("span", _key(_KINDS[kind]), " ", words) for kind, words in block.legend.items()
    )
    return Html(element("p", *pairs, class_="legend") + element("div", *panels, class_="panels"))


def scores_chart(block: Scores) -> Html:
    """Return scores from 0 to 100; nothing for less than two of them."""
    scored = [(to_micros(at), score) for at, score in block.points if score is not None]
    if len(scored) < 2 or scored[0][0] >= scored[-1][0]:
        return Html("")
    x, y = Scale(scored[0][0], scored[-1][0], 0, 100), Scale(0, 100, BOTTOM, TOP)
    steps = (0, *block.bands)
    parts = [across(y.at(step), "grid" if step else "zero") for step in (*steps, 100)]
    parts.append(curve([(x.at(at), y.at(score)) for at, score in scored]))
    parts += [words_at(str(step), 0, y.at(step), down=-4) for step in steps]
    moments = [at for at, score in block.points if score is not None]
    parts += _ends(moments[0], moments[-1])
    return plot("plot low", block.words, parts)


def _panel(panel: Panel, block: Curves, steps: Sequence[Decimal]) -> Html:
    x = Scale(to_micros(block.begins_at), to_micros(block.ends_at), 0, 100)
    y = Scale(float(steps[0]), float(steps[-1]), BOTTOM, TOP)
    parts = [across(y.at(float(step)), "grid" if step else "zero") for step in steps]
    for kind, points in panel.lines:
        places = [(0.0, y.at(0.0))]
        for at, value in points:
            # A step: a sum changes when something ends, and not before.
            places.append((x.at(to_micros(at)), places[-1][1]))
            places.append((x.at(to_micros(at)), y.at(value)))
        parts.append(curve([*places, (100, places[-1][1])], _KINDS[kind]))
    for step in steps:
        unit = f" {block.unit}" if step == steps[-1] else ""
        parts.append(words_at(tick_label(step) + unit, 0, y.at(float(step)), down=-4))
    return plot("plot panel", panel.words, [*parts, *_ends(block.begins_at, block.ends_at)])


def _key(kind: str) -> Html:
    """Return a piece of a line, for the legend."""
    return element(
        "svg",
        element("line", class_=kind, x1="0", x2="100%", y1="50%", y2="50%"),
        class_="key",
        aria_hidden="true",
    )


def _ends(begins_at: datetime, ends_at: datetime) -> list[Html]:
    return [
        words_at(f"{begins_at:%Y-%m-%d}", 0, BELOW),
        words_at(f"{ends_at:%Y-%m-%d}", 100, BELOW, "end"),
    ]
