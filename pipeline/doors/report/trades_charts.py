"""Pictures of trades: what they came to one after the other, and how far each went both ways."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Final, NamedTuple

from afterword.pipeline.doors.render.charts import dot, line, picture
from afterword.pipeline.doors.render.markup import Html
from afterword.pipeline.doors.render.plots import (
    Scale,
    across,
    curve,
    mark,
    plot,
    tick_label,
    ticks,
    upright,
    words_at,
)
from afterword.pipeline.rules.text.numbers import signed
from afterword.pipeline.views.numbers import count, money, percent

MAX_POINTS: Final = 400
"""Points of a curve, and dots of a chart: more cannot be told apart on a phone."""

MAX_DOTS: Final = 40
"""Trips up to which a curve has a dot for each."""

DIFFERENCE_WIDTH, DIFFERENCE_HEIGHT = 120, 16
_ROOM: Final = 5
"""Room around a bar, so that no mark is cut."""

_TOP, _BOTTOM, _BELOW = 10.0, 87.0, 98.0
"""Where the highest and the lowest value of a plot stand, and the words below it; per cent."""

_MOST_SHOWN: Final = 0.98
"""Share of the dots that a chart has room for: a few far ones would press all others together."""


class CurvePoint(NamedTuple):
    """What all trades had come to when one closed.

    Args:
        number: of trades that had closed, this one and those that closed with it included.
        at: in the zone that it is told in.
    """

    number: int
    at: datetime
    total: Decimal


class ExcursionPoint(NamedTuple):
    """How far the price went against a trade and in its favour while it was open.

    Args:
        against: share of the entry price, 0.02 is 2 %; not negative. `favour` likewise.
    """

    against: float
    favour: float
    is_winner: bool


def equity_chart(points: Sequence[CurvePoint], currency: str) -> Html:
    """Return the sum of net results trade by trade; nothing for less than two trades.

    Args:
        points: in the order of their numbers.
    """
    if len(points) < 2:
        return Html("")
    first, middle, last = points[0], points[len(points) // 2], points[-1]
    lowest, highest = min(one.total for one in points), max(one.total for one in points)
    low, high = min(0.0, float(lowest)), max(0.0, float(highest)) or float(lowest == 0)
    steps = _nearby(ticks(low, high, 4), low, high)
    y = Scale(min(low, float(steps[0])), max(high, float(steps[-1])), _BOTTOM, _TOP)
    x = Scale(0, last.number, 1, 99)
    parts = [across(y.at(float(one)), "zero" if one == 0 else "grid") for one in steps]
    parts.append(
        curve(
            [(x.at(0), y.at(0))]
            + [(x.at(one.number), y.at(float(one.total))) for one in thinned(points)]
        )
    )
    is_few = len(points) <= MAX_DOTS
    dots = points if is_few else points[-1:]
    parts += [mark(x.at(one.number), y.at(float(one.total)), 3.5) for one in dots]
    for one in steps:
        unit = f" {currency}" if one == steps[-1] else ""
        parts.append(words_at(tick_label(one) + unit, 0, y.at(float(one)), down=-4))
    parts.append(words_at("start" if is_few else _trip(first), 0, _BELOW))
    if len(points) >= 5:
        parts.append(words_at(_trip(middle), x.at(middle.number), _BELOW, "middle", kind="mid"))
    parts.append(words_at(_trip(last), 100, _BELOW, "end"))
    words = (
        f"Sum of the net results of {last.number:,} round trips from {first.at:%Y-%m-%d} to "
        f"{last.at:%Y-%m-%d}: lowest {money(lowest, currency)}, highest "
        f"{money(highest, currency)}, at the end {money(last.total, currency)}"
    )
    return plot("plot", words, parts)


def excursion_chart(points: Sequence[ExcursionPoint]) -> Html:
    """Return one mark for each trade: right how far against it, up how far in its favour.

    Winners are dots and losers are rings, so that they differ without colour. Few that went much
    farther than all others stand at the border.
    """
    if not points:
        return Html("")
    shown = points[-MAX_POINTS:]
    x_steps, y_steps = _excursion_steps(shown)
    x = Scale(0, float(x_steps[-1]), 1, 97)
    y = Scale(0, float(y_steps[-1]), _BOTTOM, _TOP)
    parts = [across(y.at(float(one)), "grid" if one else "zero") for one in y_steps]
    parts += [upright(x.at(float(one)), _TOP, _BOTTOM) for one in x_steps]
    parts += [
        mark(x.at(100 * one.against), y.at(100 * one.favour), 3, "dot" if one.is_winner else "ring")
        for one in shown
    ]
    for one in y_steps[1:]:
        name = "in favour " if one == y_steps[-1] else ""
        label = f"{name}{tick_label(one)} %"
        parts.append(words_at(label, 100, y.at(float(one)), "end", down=-4))
    for one in x_steps[1:]:
        anchor = "end" if one == x_steps[-1] else "middle"
        at = 100 if one == x_steps[-1] else x.at(float(one))
        parts.append(words_at(f"{tick_label(-one)} %", at, _BELOW, anchor))
    parts.append(words_at("0 against", 1, _BELOW))
    winners = [one for one in shown if one.is_winner]
    losers = [one for one in shown if not one.is_winner]
    words = "; ".join(
        f"{count(len(group), name)}, half of them went at least {percent(_middle(group), 1)} "
        "against"
        for name, group in (("winner", winners), ("loser", losers))
        if group
    )
    return plot("plot tall", words, parts)


def beyond_border(points: Sequence[ExcursionPoint]) -> int:
    """Return how many marks of the chart of these trades stand at its border."""
    shown = points[-MAX_POINTS:]
    if not shown:
        return 0
    x_steps, y_steps = _excursion_steps(shown)
    return sum(100 * one.against > x_steps[-1] or 100 * one.favour > y_steps[-1] for one in shown)


def difference_bar(value: float, low: float, high: float, most: float) -> Html:
    """Return a difference on a line around zero, with its interval.

    Args:
        value: in any unit, as are `low` and `high`.
        most: what the ends of the line stand for, above and below zero; what is beyond is cut.
    """
    middle, half = DIFFERENCE_HEIGHT / 2, DIFFERENCE_WIDTH / 2

    def at(number: float) -> float:
        return half + min(1.0, max(-1.0, number / most)) * (half - _ROOM)

    words = f"{signed(value)}, interval {signed(low)} to {signed(high)}"
    parts = [
        line("axis", _ROOM, middle, DIFFERENCE_WIDTH - _ROOM, middle),
        line("interval", at(low), middle, at(high), middle),
        line("zero", half, 1, half, DIFFERENCE_HEIGHT - 1),
        dot(at(value), middle, 4),
    ]
    return picture("bar", DIFFERENCE_WIDTH, DIFFERENCE_HEIGHT, words, parts)


def thinned(points: Sequence[CurvePoint]) -> Sequence[CurvePoint]:
    """Return at most some `MAX_POINTS` points, with the lowest and the highest of each part."""
    if len(points) <= MAX_POINTS:
        return points
    parts = MAX_POINTS // 4
    kept: set[int] = {0, len(points) - 1}
    for part in range(parts):
        places = range(part * len(points) // parts, (part + 1) * len(points) // parts)
        kept |= {places[0], places[-1]}
        kept.add(min(places, key=lambda place: points[place].total))
        kept.add(max(places, key=lambda place: points[place].total))
    return [points[place] for place in sorted(kept)]


def _nearby(steps: Sequence[Decimal], low: float, high: float) -> list[Decimal]:
    """Return the numbers of an axis without an outer one from which most would be empty."""
    half = float(steps[1] - steps[0]) / 2
    return [one for one in steps if low - half <= float(one) <= high + half]


def _trip(one: CurvePoint) -> str:
    return f"trip {one.number:,}, {one.at:%Y-%m-%d}"


def _excursion_steps(shown: Sequence[ExcursionPoint]) -> tuple[list[Decimal], list[Decimal]]:
    """Return the numbers of both axes in per cent: against, and in favour."""
    against = ticks(0, 100 * _most([one.against for one in shown]), 3)
    return against, ticks(0, 100 * _most([one.favour for one in shown]), 4)


def _most(shares: Sequence[float]) -> float:
    """Return the share up to which a chart reaches."""
    most = sorted(shares)[min(len(shares) - 1, int(len(shares) * _MOST_SHOWN))]
    return most or max(shares) or 0.01


def _middle(group: Sequence[ExcursionPoint]) -> float:
    return sorted(one.against for one in group)[len(group) // 2]
