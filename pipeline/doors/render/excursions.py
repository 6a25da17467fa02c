"""A picture of excursions: how far the price went both ways while each trade was open."""

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
    mark,
    plot,
    tick_label,
    ticks,
    upright,
    words_at,
)
from afterword.pipeline.views.numbers import count, percent
from afterword.pipeline.views.pictures import ExcursionPoint

_MOST: Final = 400
"""Dots of a chart: more cannot be told apart on a phone."""

_MOST_SHOWN: Final = 0.98
"""Share of the dots that a chart has room for: a few far ones would press all others together."""


def excursions_caption(caption: str, points: Sequence[ExcursionPoint]) -> str:
    """Return a caption that also says which points are not drawn at their place."""
    newest = f" The newest {_MOST:,} are drawn." if len(points) > _MOST else ""
    beyond = beyond_border(points)
    far = f" {beyond:,} went farther and stand at the border." if beyond else ""
    return f"{caption}{newest}{far}"


def excursion_chart(points: Sequence[ExcursionPoint]) -> Html:
    """Return one mark for each trade: right how far against it, up how far in its favour.

    Winners are dots and losers are rings, so that they differ without colour. Few that went much
    farther than all others stand at the border.
    """
    if not points:
        return Html("")
    shown = points[-_MOST:]
    x_steps, y_steps = _excursion_steps(shown)
    x = Scale(0, float(x_steps[-1]), 1, 97)
    y = Scale(0, float(y_steps[-1]), BOTTOM, TOP)
    parts = [across(y.at(float(step)), "grid" if step else "zero") for step in y_steps]
    parts += [upright(x.at(float(step)), TOP, BOTTOM) for step in x_steps]
    parts += [
        mark(x.at(100 * trip.against), y.at(100 * trip.favour), 3, _shape(trip)) for trip in shown
    ]
    for step in y_steps[1:]:
        name = "in favour " if step == y_steps[-1] else ""
        label = f"{name}{tick_label(step)} %"
        parts.append(words_at(label, 100, y.at(float(step)), "end", down=-4))
    for step in x_steps[1:]:
        anchor = "end" if step == x_steps[-1] else "middle"
        at = 100 if step == x_steps[-1] else x.at(float(step))
        parts.append(words_at(f"{tick_label(-step)} %", at, BELOW, anchor))
    parts.append(words_at("0 against", 1, BELOW))
    winners = [trip for trip in shown if trip.is_winner]
    losers = [trip for trip in shown if not trip.is_winner]
    words = "; ".join(
        f"{count(len(group), name)}, half of them went at least {percent(_middle(group), 1)} "
        "against"
        for name, group in (("winner", winners), ("loser", losers))
        if group
    )
    return plot("plot tall", words, parts)


def beyond_border(points: Sequence[ExcursionPoint]) -> int:
    """Return how many marks of the chart of these trades stand at its border."""
    shown = points[-_MOST:]
    if not shown:
        return 0
    x_steps, y_steps = _excursion_steps(shown)
    return sum(
        100 * trip.against > x_steps[-1] or 100 * trip.favour > y_steps[-1] for trip in shown
    )


def _excursion_steps(shown: Sequence[ExcursionPoint]) -> tuple[list[Decimal], list[Decimal]]:
    """Return the numbers of both axes in per cent: against, and in favour."""
    against = ticks(0, 100 * _reach([trip.against for trip in shown]), 3)
    return against, ticks(0, 100 * _reach([trip.favour for trip in shown]), 4)


def _reach(shares: Sequence[float]) -> float:
    """Return the share up to which a chart reaches."""
    most = sorted(shares)[min(len(shares) - 1, int(len(shares) * _MOST_SHOWN))]
    return most or max(shares) or 0.01


def _shape(trip: ExcursionPoint) -> str:
    return "dot" if trip.is_winner else "ring"


def _middle(group: Sequence[ExcursionPoint]) -> float:
    return sorted(trip.against for trip in group)[len(group) // 2]
