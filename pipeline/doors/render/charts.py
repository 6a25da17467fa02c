"""Pictures of numbers as inline SVG; each says in words what it shows."""

from collections.abc import Sequence
from itertools import pairwise
from math import log10
from typing import Final

from afterword.pipeline.doors.render.markup import Html, element
from afterword.pipeline.rules.evidence.graduation import PROMISING_AT
from afterword.pipeline.rules.text.numbers import signed
from afterword.pipeline.views.numbers import percent, times_words
from afterword.pipeline.views.pictures import CalibrationPoint

_BAR_WIDTH, _BAR_HEIGHT = 200, 20
_BET_WIDTH: Final = 140
_DIFFERENCE_WIDTH, _DIFFERENCE_HEIGHT = 120, 16
_EDGE: Final = 6
"""Room around a bar, so that no mark is cut."""

_LEAST_BET, _MOST_BET = 0.01, 1_000.0
"""Ends of the line of a bet, unless more is asked for."""

_CHART: Final = 300
_MARGIN: Final = 42
"""Room for the labels of the axes of a chart."""

_NEAR: Final = 0.2
"""Points of stated confidence nearer than this would write over each other."""


def interval_bar(value: float, low: float, high: float, base: float | None = None) -> Html:
    """Return a share on a line from 0 to 100 %, with its interval and the base it is held against.

    Args:
        value: in [0, 1]; `low` and `high` likewise.
        base: a dashed mark, in [0, 1]; None draws none.
    """
    middle = _BAR_HEIGHT / 2
    words = f"{percent(value)}, interval {percent(low)} to {percent(high)}"
    parts = [
        line("axis", _EDGE, middle, _BAR_WIDTH - _EDGE, middle),
        line("axis", _across(0), middle - 4, _across(0), middle + 4),
        line("axis", _across(1), middle - 4, _across(1), middle + 4),
        line("interval", _across(low), middle, _across(high), middle),
    ]
    if base is not None:
        words += f", base {percent(base)}"
        parts.append(line("base", _across(base), 1, _across(base), _BAR_HEIGHT - 1))
    parts.append(dot(_across(value), middle, 4.5))
    return picture("bar", _BAR_WIDTH, _BAR_HEIGHT, words, parts)


def bet_bar(value: float, bar: float | None = None) -> Html:
    """Return what a bet of 1 became, on a line of powers of ten with a tick at 1 and at 20.

    Args:
        bar: what it must become; a dashed mark.
    """
    most = max(_MOST_BET, 2 * (bar or 0.0))
    middle = _BAR_HEIGHT / 2

    def at(bet: float) -> float:
        share = log10(min(most, max(_LEAST_BET, bet)) / _LEAST_BET) / log10(most / _LEAST_BET)
        return _EDGE + share * (_BET_WIDTH - 2 * _EDGE)

    parts = [
        line("axis", _EDGE, middle, _BET_WIDTH - _EDGE, middle),
        line("axis", at(PROMISING_AT), middle - 5, at(PROMISING_AT), middle + 5),
        line("interval", at(1), middle, at(value), middle),
        line("zero", at(1), middle - 5, at(1), middle + 5),
        dot(at(value), middle, 4),
    ]
    words = f"a bet of 1 became {times_words(value)}"
    if bar is not None:
        parts.append(line("base", at(bar), 1, at(bar), _BAR_HEIGHT - 1))
        words += f", {times_words(bar)} is asked for"
    return picture("bar", _BET_WIDTH, _BAR_HEIGHT, words, parts)


def difference_bar(value: float, low: float, high: float, most: float) -> Html:
    """Return a difference on a line around zero, with its interval.

    Args:
        value: in any unit, as are `low` and `high`.
        most: what the ends of the line stand for, above and below zero; what is beyond is cut.
    """
    middle, half = _DIFFERENCE_HEIGHT / 2, _DIFFERENCE_WIDTH / 2

    def at(number: float) -> float:
        return half + min(1.0, max(-1.0, number / most)) * (half - _EDGE)

    words = f"{signed(value)}, interval {signed(low)} to {signed(high)}"
    parts = [
        line("axis", _EDGE, middle, _DIFFERENCE_WIDTH - _EDGE, middle),
        line("interval", at(low), middle, at(high), middle),
        line("zero", half, 1, half, _DIFFERENCE_HEIGHT - 1),
        dot(at(value), middle, 4),
    ]
    return picture("bar", _DIFFERENCE_WIDTH, _DIFFERENCE_HEIGHT, words, parts)


def calibration_chart(points: Sequence[CalibrationPoint]) -> Html:
    """Return stated confidence against the share that was right, with intervals and counts.

    A point below the dashed line was surer than right.
    """
    if not points:
        return Html("")
    width, height = _MARGIN + _CHART + _MARGIN / 2, _EDGE + _CHART + _MARGIN
    parts = [line("axis", _MARGIN, _up(0), _MARGIN + _CHART, _up(0))]
    parts.append(line("axis", _MARGIN, _up(0), _MARGIN, _up(1)))
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(label(percent(tick), _right(tick), _up(0) + 16, "middle"))
        parts.append(label(percent(tick), _MARGIN - 5, _up(tick) + 4, "end"))
    parts.append(line("base", _right(0), _up(0), _right(1), _up(1)))
    parts.append(label("stated", _MARGIN + _CHART, _up(0) + 30, "end"))
    parts.append(label("right", _MARGIN + 5, _up(1) + 4, "start"))
    for point in points:
        x = _right(point.stated)
        parts += [
            line("interval", x, _up(point.low), x, _up(point.high)),
            dot(x, _up(point.hit), 5),
        ]
    parts += _counts(points)
    words = "; ".join(
        f"stated {percent(point.stated)}, right {percent(point.hit)}, n = {point.decisions:,}"
        for point in points
    )
    return picture("chart", width, height, words, parts)


def _counts(points: Sequence[CalibrationPoint]) -> list[Html]:
    """Return how many decisions are in each point, above and below if they stand too close."""
    are_near = any(after.stated - before.stated < _NEAR for before, after in pairwise(points))
    labels = []
    for place, point in enumerate(points):
        words, x = f"n = {point.decisions:,}", _right(point.stated)
        if are_near:
            up = _up(point.low) + 14 if place % 2 else _up(point.high) - 5
            labels.append(label(words, x, up, "middle"))
        else:
            anchor, beside = ("end", -8) if point.stated > 0.85 else ("start", 8)
            labels.append(label(words, x + beside, _up(point.hit) + 4, anchor))
    return labels


def figure(picture: Html, caption: str) -> Html:
    """Return a picture with its caption; nothing without a picture."""
    return element("figure", picture, element("figcaption", caption)) if picture else Html("")


def picture(kind: str, width: float, height: float, words: str, parts: Sequence[Html]) -> Html:
    """Return a picture of a class of the style sheet; its words say what it shows."""
    return element(
        "svg",
        element("title", words),
        *parts,
        class_=kind,
        viewBox=f"0 0 {coordinate(width)} {coordinate(height)}",
        role="img",
    )


def line(kind: str, x1: float, y1: float, x2: float, y2: float) -> Html:
    """Return a line of a class of the style sheet."""
    return element(
        "line",
        class_=kind,
        x1=coordinate(x1),
        y1=coordinate(y1),
        x2=coordinate(x2),
        y2=coordinate(y2),
    )


def dot(x: float, y: float, radius: float, kind: str = "dot") -> Html:
    """Return a dot, or a ring."""
    return element("circle", class_=kind, cx=coordinate(x), cy=coordinate(y), r=coordinate(radius))


def label(words: str, x: float, y: float, anchor: str) -> Html:
    """Return words that begin, end or are centred at a place."""
    return element("text", words, x=coordinate(x), y=coordinate(y), text_anchor=anchor)


def _across(share: float) -> float:
    return _EDGE + _bounded(share) * (_BAR_WIDTH - 2 * _EDGE)


def _right(share: float) -> float:
    return _MARGIN + _bounded(share) * _CHART


def _up(share: float) -> float:
    return _EDGE + (1 - _bounded(share)) * _CHART


def _bounded(share: float) -> float:
    return min(1.0, max(0.0, share))


def coordinate(number: float) -> str:
    """Return a coordinate with one digit, the same on every machine."""
    written = f"{number:.1f}".removesuffix(".0")
    return "0" if written == "-0" else written
