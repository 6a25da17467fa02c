"""Pictures of a replay: equity at equal risk, bets, folds, and the health of the loop."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from math import log10
from typing import Final, NamedTuple

from afterword.pipeline.clock import to_micros
from afterword.pipeline.doors.render.charts import dot, line, picture
from afterword.pipeline.doors.render.markup import Html, element
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
from afterword.pipeline.operations.replay.report_model import (
    AuditPoint,
    CurvePoints,
    FoldLine,
    RoleEquity,
)
from afterword.pipeline.rules.evidence.graduation import PROMISING_AT
from afterword.pipeline.views.replay_words import fold_words, role_name, sigma
from afterword.pipeline.views.role_words import times_words

_TOP, _BOTTOM, _BELOW = 10.0, 86.0, 98.0
"""Where the highest and the lowest value of a plot stand, and the words below it; per cent."""

BET_WIDTH, BET_HEIGHT = 140, 20
_ROOM: Final = 5
"""Room around a bar, so that no mark is cut."""

_LEAST_BET: Final = 0.01
_BANDS: Final = (40, 60, 80)
"""Where the bands of an audit's score begin."""


class PanelFrame(NamedTuple):
    """What all panels of a replay share, so that they can be compared.

    Args:
        begins_at: left end; `ends_at` the right one.
        steps: numbers of the upright axis; σ.
    """

    begins_at: datetime
    ends_at: datetime
    steps: tuple[Decimal, ...]


def panel_frame(
    roles: Sequence[RoleEquity], begins_at: datetime, ends_at: datetime
) -> PanelFrame | None:
    """Return the frame in which all curves of some roles have room; None without a curve."""
    values = [
        value
        for one in roles
        for points in (one.decided.points, one.held.points, one.coin or ())
        for _, value in points
    ]
    if not values or begins_at >= ends_at:
        return None
    low, high = min(0.0, *values), max(0.0, *values)
    return PanelFrame(begins_at, ends_at, tuple(ticks(low, high if high > low else low + 1, 6)))


def equity_panel(one: RoleEquity, frame: PanelFrame) -> Html:
    """Return what a role came to, beside the same markets held and a coin."""
    y = Scale(float(frame.steps[0]), float(frame.steps[-1]), _BOTTOM, _TOP)
    begins, ends = to_micros(frame.begins_at), to_micros(frame.ends_at)
    x = Scale(0, ends - begins, 0, 100)

    def drawn(points: CurvePoints, kind: str) -> Html:
        places = [(x.at(0), y.at(0.0))]
        for at, value in points:
            # A step: the sum changes when a decision ends, and not before.
            places.append((x.at(to_micros(at) - begins), places[-1][1]))
            places.append((x.at(to_micros(at) - begins), y.at(value)))
        return curve([*places, (100, places[-1][1])], kind)

    parts = [across(y.at(float(step)), "zero" if step == 0 else "grid") for step in frame.steps]
    parts.append(drawn(one.held.points, "curve held"))
    if one.coin is not None:
        parts.append(drawn(one.coin, "curve coin"))
    parts.append(drawn(one.decided.points, "curve"))
    for step in frame.steps:
        unit = " σ" if step == frame.steps[-1] else ""
        parts.append(words_at(tick_label(step) + unit, 0, y.at(float(step)), down=-4))
    parts.append(words_at(f"{frame.begins_at:%Y-%m-%d}", 0, _BELOW))
    parts.append(words_at(f"{frame.ends_at:%Y-%m-%d}", 100, _BELOW, "end"))
    beside = "" if one.coin_total is None else f", a coin {sigma(one.coin_total)}"
    words = (
        f"{role_name(one.role)}: {sigma(one.decided.total)} after {one.decided.decisions:,} "
        f"decisions, deepest fall {sigma(-one.decided.drawdown)}; the same held "
        f"{sigma(one.held.total)}{beside}"
    )
    return plot("plot panel", words, parts)


def line_key(kind: str) -> Html:
    """Return a piece of a line, for the legend."""
    return element(
        "svg",
        element("line", class_=kind, x1="0", x2="100%", y1="50%", y2="50%"),
        class_="key",
        aria_hidden="true",
    )


def bet_bar(value: float, bar: float | None) -> Html:
    """Return what a bet of 1 became, on a line of powers of ten.

    Args:
        bar: the bet that graduates one more; a dashed mark.
    """
    most = max(1_000.0, 2 * (bar or 0.0))
    middle = BET_HEIGHT / 2

    def at(bet: float) -> float:
        share = log10(min(most, max(_LEAST_BET, bet)) / _LEAST_BET) / log10(most / _LEAST_BET)
        return _ROOM + share * (BET_WIDTH - 2 * _ROOM)

    parts = [
        line("axis", _ROOM, middle, BET_WIDTH - _ROOM, middle),
        line("axis", at(PROMISING_AT), middle - 5, at(PROMISING_AT), middle + 5),
        line("interval", at(1), middle, at(value), middle),
        line("zero", at(1), middle - 5, at(1), middle + 5),
        dot(at(value), middle, 4),
    ]
    words = f"a bet of 1 became {times_words(value)}"
    if bar is not None:
        parts.append(line("base", at(bar), 1, at(bar), BET_HEIGHT - 1))
        words += f", {times_words(bar)} would graduate it"
    return picture("bar", BET_WIDTH, BET_HEIGHT, words, parts)


def folds_chart(folds: Sequence[FoldLine]) -> Html:
    """Return how far the share that was right lay above its base, part by part.

    A dot are decisions that cite a graduated method, a ring all, a cross placebos.
    """
    groups = [(one, (one.cited, one.every, one.placebo)) for one in folds]
    values = [
        100 * (each.rate - each.base)
        for _, counts in groups
        for each in counts
        if each.rate is not None and each.base is not None
    ]
    if not values:
        return Html("")
    low, high = min(-5.0, *values), max(5.0, *values)
    steps = ticks(low, high, 4)
    y = Scale(float(steps[0]), float(steps[-1]), _BOTTOM, _TOP)
    x = Scale(0, len(folds), 8, 100)
    parts = [across(y.at(float(one)), "zero" if one == 0 else "grid") for one in steps]
    for place, (fold, counts) in enumerate(groups):
        parts.append(upright(x.at(place), _TOP, _BOTTOM))
        for number, each in enumerate(counts):
            if each.rate is None or each.base is None:
                continue
            left = x.at(place + 0.3 + 0.2 * number)
            up = y.at(100 * (each.rate - each.base))
            if number == 2:
                parts.append(words_at("×", left, up, "middle", down=4))
            else:
                parts.append(mark(left, up, 5, "dot" if number == 0 else "ring"))
        parts.append(words_at(f"{fold.from_at:%Y-%m}", x.at(place + 0.5), _BELOW, "middle"))
    for one in steps:
        unit = " points" if one == steps[-1] else ""
        parts.append(words_at(tick_label(one) + unit, 0, y.at(float(one)), down=-4))
    words = "; ".join(
        f"part {one.number}: citing graduates {fold_words(one.cited)}; all "
        f"{fold_words(one.every)}; placebos {fold_words(one.placebo)}"
        for one in folds
    )
    return plot("plot low", words, parts)


def health_chart(trend: Sequence[AuditPoint]) -> Html:
    """Return the scores of the audits from 0 to 100; nothing for less than two scores."""
    scored = [(one.at, one.composite) for one in trend if one.composite is not None]
    if len(scored) < 2 or scored[0][0] >= scored[-1][0]:
        return Html("")
    begins = to_micros(scored[0][0])
    x = Scale(0, to_micros(scored[-1][0]) - begins, 0, 100)
    y = Scale(0, 100, _BOTTOM, _TOP)
    parts = [across(y.at(step), "zero" if step == 0 else "grid") for step in (0, *_BANDS, 100)]
    parts.append(curve([(x.at(to_micros(at) - begins), y.at(score)) for at, score in scored]))
    parts += [words_at(str(step), 0, y.at(step), down=-4) for step in (0, *_BANDS)]
    parts.append(words_at(f"{scored[0][0]:%Y-%m-%d}", 0, _BELOW))
    parts.append(words_at(f"{scored[-1][0]:%Y-%m-%d}", 100, _BELOW, "end"))
    lowest, highest = min(score for _, score in scored), max(score for _, score in scored)
    words = (
        f"{len(scored):,} audits: lowest {lowest:.1f}, highest {highest:.1f}, last "
        f"{scored[-1][1]:.1f} of 100"
    )
    return plot("plot low", words, parts)
