"""Pictures of trades: what they came to one after the other, and how far each went both ways."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Final, NamedTuple

from afterword.pipeline.doors.report.charts import coordinate, dot, label, line, picture
from afterword.pipeline.doors.report.markup import Html, element
from afterword.pipeline.doors.report.numbers import money

MAX_POINTS: Final = 400
"""Points of a curve, and dots of a chart: more cannot be told apart on a phone."""

CURVE_WIDTH, CURVE_HEIGHT = 640, 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 12, 12, 24
_SIDE: Final = 300


class CurvePoint(NamedTuple):
    """What all trades had come to when one closed."""

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
    """Return the sum of net results as a curve over time; nothing for less than two trades.

    Args:
        points: in order of time.
    """
    if len(points) < 2:
        return Html("")
    totals = [float(one.total) for one in points]
    low, high = min(0.0, *totals), max(0.0, *totals)
    span = (high - low) or 1.0
    first, last = points[0].at, points[-1].at
    seconds = (last - first).total_seconds() or 1.0

    def across(one: CurvePoint) -> float:
        share = (one.at - first).total_seconds() / seconds
        return _LEFT + share * (CURVE_WIDTH - _LEFT - _RIGHT)

    def up(total: float) -> float:
        return _TOP + (high - total) / span * (CURVE_HEIGHT - _TOP - _BOTTOM)

    shown = thinned(points)
    path = " ".join(
        f"{coordinate(across(one))},{coordinate(up(float(one.total)))}" for one in shown
    )
    parts = [
        line("base", _LEFT, up(0.0), CURVE_WIDTH - _RIGHT, up(0.0)),
        element("polyline", class_="curve", points=path),
        label(f"{first:%Y-%m-%d}", _LEFT, CURVE_HEIGHT - 6, "start"),
        label(f"{last:%Y-%m-%d}", CURVE_WIDTH - _RIGHT, CURVE_HEIGHT - 6, "end"),
        label(money(Decimal(0), ""), _LEFT - 6, up(0.0) + 4, "end"),
    ]
    if high > 0:
        parts.append(label(money(max(one.total for one in points), ""), _LEFT - 6, _TOP + 8, "end"))
    if low < 0 and up(low) - up(0.0) > 14:
        lowest = min(one.total for one in points)
        parts.append(label(money(lowest, ""), _LEFT - 6, up(low) + 4, "end"))
    words = (
        f"Sum of net results from {first:%Y-%m-%d} to {last:%Y-%m-%d}: lowest "
        f"{money(min(one.total for one in points), currency)}, highest "
        f"{money(max(one.total for one in points), currency)}, at the end "
        f"{money(points[-1].total, currency)}"
    )
    return picture("wide", CURVE_WIDTH, CURVE_HEIGHT, words, parts)


def excursion_chart(points: Sequence[ExcursionPoint]) -> Html:
    """Return one mark for each trade: right how far against it, up how far in its favour.

    Winners are dots and losers are rings, so that they differ without colour.
    """
    if not points:
        return Html("")
    shown = points[-MAX_POINTS:]
    most = max(max(one.against, one.favour) for one in shown) or 0.01
    parts = [
        line("axis", _LEFT, _TOP + _SIDE, _LEFT + _SIDE, _TOP + _SIDE),
        line("axis", _LEFT, _TOP, _LEFT, _TOP + _SIDE),
        line("base", _LEFT, _TOP + _SIDE, _LEFT + _SIDE, _TOP),
        label("0", _LEFT - 6, _TOP + _SIDE + 4, "end"),
        label(_share(most), _LEFT - 6, _TOP + 8, "end"),
        label("in favour", _LEFT + 6, _TOP + 8, "start"),
        label(f"against, {_share(most)}", _LEFT + _SIDE, _TOP + _SIDE + 16, "end"),
    ]
    for one in shown:
        x = _LEFT + min(1.0, one.against / most) * _SIDE
        y = _TOP + (1 - min(1.0, one.favour / most)) * _SIDE
        parts.append(dot(x, y, 3, "dot" if one.is_winner else "ring"))
    winners = [one for one in shown if one.is_winner]
    losers = [one for one in shown if not one.is_winner]
    words = "; ".join(
        f"{len(group):,} {name}, half of them went at least {_share(_middle(group))} against"
        for name, group in (("winners", winners), ("losers", losers))
        if group
    )
    return picture("chart", _LEFT + _SIDE + _RIGHT, _TOP + _SIDE + _BOTTOM, words, parts)


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


def _middle(group: Sequence[ExcursionPoint]) -> float:
    return sorted(one.against for one in group)[len(group) // 2]


def _share(share: float) -> str:
    return f"{share * 100:.1f} %"
