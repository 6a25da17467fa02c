"""A picture of a sum that grew row by row: what trades came to one after the other."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from afterword.pipeline.doors.render.markup import Html
from afterword.pipeline.doors.render.plots import (
    BELOW,
    BOTTOM,
    TOP,
    Scale,
    across,
    curve,
    mark,
    plot,
    tick_label,
    ticks,
    words_at,
)
from afterword.pipeline.views.numbers import money
from afterword.pipeline.views.pictures import SumCurve, SumPoint

MAX_CURVE_POINTS: Final = 400
"""Points of a curve: more cannot be told apart on a phone."""

_MOST_DOTS: Final = 40
"""Trips up to which a curve has a dot for each."""


def sum_chart(block: SumCurve) -> Html:
    """Return the sum of net results trade by trade; nothing for less than two trades."""
    points, currency = block.points, block.unit
    if len(points) < 2:
        return Html("")
    first, middle, last = points[0], points[len(points) // 2], points[-1]
    totals = [point.total for point in points]
    lowest, highest = min(totals), max(totals)
    low, high = min(0.0, float(lowest)), max(0.0, float(highest)) or float(lowest == 0)
    steps = _nearby(ticks(low, high, 4), low, high)
    y = Scale(min(low, float(steps[0])), max(high, float(steps[-1])), BOTTOM, TOP)
    x = Scale(0, last.number, 1, 99)
    parts = [across(y.at(float(step)), "grid" if step else "zero") for step in steps]
    parts.append(
        curve(
            [(x.at(0), y.at(0))]
            + [(x.at(point.number), y.at(float(point.total))) for point in thinned(points)]
        )
    )
    is_few = len(points) <= _MOST_DOTS
    dots = points if is_few else points[-1:]
    parts += [mark(x.at(dot.number), y.at(float(dot.total)), 3.5) for dot in dots]
    for step in steps:
        unit = f" {currency}" if step == steps[-1] else ""
        parts.append(words_at(tick_label(step) + unit, 0, y.at(float(step)), down=-4))
    parts.append(words_at("start" if is_few else _trip(first), 0, BELOW))
    if len(points) >= 5:
        parts.append(words_at(_trip(middle), x.at(middle.number), BELOW, "middle", kind="mid"))
    parts.append(words_at(_trip(last), 100, BELOW, "end"))
    words = (
        f"Sum of the net results of {last.number:,} round trips from {first.at:%Y-%m-%d} to "
        f"{last.at:%Y-%m-%d}: lowest {money(lowest, currency)}, highest "
        f"{money(highest, currency)}, at the end {money(last.total, currency)}"
    )
    return plot("plot", words, parts)


def thinned(points: Sequence[SumPoint]) -> Sequence[SumPoint]:
    """Return about `MAX_CURVE_POINTS` points, the lowest and highest of each part among them."""
    if len(points) <= MAX_CURVE_POINTS:
        return points
    parts = MAX_CURVE_POINTS // 4
    places_kept: set[int] = {0, len(points) - 1}
    for part in range(parts):
        places = range(part * len(points) // parts, (part + 1) * len(points) // parts)
        places_kept |= {places[0], places[-1]}
        places_kept.add(min(places, key=lambda place: points[place].total))
        places_kept.add(max(places, key=lambda place: points[place].total))
    return [points[place] for place in sorted(places_kept)]


def _nearby(steps: Sequence[Decimal], low: float, high: float) -> list[Decimal]:
    """Return the numbers of an axis without an outer one from which most would be empty."""
    half = float(steps[1] - steps[0]) / 2
    return [step for step in steps if low - half <= float(step) <= high + half]


def _trip(point: SumPoint) -> str:
    return f"trip {point.number:,}, {point.at:%Y-%m-%d}"
