"""What the round trips came to: the curve, and sums by result, month and market."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from decimal import Decimal

from afterword.pipeline.doors.report.charts import figure
from afterword.pipeline.doors.report.costs_words import costs_words
from afterword.pipeline.doors.report.markup import Html
from afterword.pipeline.doors.report.numbers import NONE, count, money, percent, signed_percent
from afterword.pipeline.doors.report.page import remark, section
from afterword.pipeline.doors.report.table import ReportCell, scrolled_table, table
from afterword.pipeline.doors.report.trades_charts import (
    MAX_POINTS,
    CurvePoint,
    ExcursionPoint,
    beyond_border,
    equity_chart,
    excursion_chart,
)
from afterword.pipeline.doors.report.trades_totals import (
    SumLine,
    by_market,
    by_time,
    drawdown,
    excursions,
    winners_and_losers,
)
from afterword.pipeline.doors.report.trades_words import held_words
from afterword.pipeline.operations.learn.report import LearnReport


def curves_of(report: LearnReport) -> Mapping[str, Sequence[CurvePoint]]:
    """Return what the complete trips had come to after each of them, by currency."""
    totals: dict[str, Decimal] = defaultdict(Decimal)
    points: dict[str, list[CurvePoint]] = defaultdict(list)
    for one in report.complete:
        currency = one.trip.quote
        totals[currency] += one.trip.net
        number = len(points[currency]) + 1
        points[currency].append(CurvePoint(number, one.trip.closed_at, totals[currency]))
    return points


def curve_caption(points: Sequence[CurvePoint], currency: str) -> str:
    """Return what a curve shows, and its largest fall."""
    said = (
        f"The net of {count(len(points), 'round trip')} added up in the order in which they "
        f"closed: {money(points[-1].total, currency)} at the end."
    )
    fall = drawdown([(one.at, one.total) for one in points])
    if fall is None:
        return said
    begin = f"trip {fall.begin:,}" if fall.begin else "the start"
    return (
        f"{said} Largest drawdown of this sum: {money(fall.amount, currency)}, from {begin} to "
        f"trip {fall.end:,} ({fall.end_at:%Y-%m-%d})."
    )


def sums_parts(report: LearnReport) -> list[Html]:
    """Return what the complete round trips came to; nothing without one."""
    sums = report.trades.sums
    if not sums:
        return []
    parts = [
        figure(equity_chart(found, currency), curve_caption(found, currency))
        for currency, found in curves_of(report).items()
    ]
    parts.append(_results(report))
    parts += map(remark, costs_words(report.trades))
    times, markets = by_time(report.complete), by_market(report.complete)
    is_many = len(sums) > 1
    if len(times) > len(sums):
        what = "month" if "-" in times[0].name else "year"
        parts.append(section(f"By {what} of the exit", _sums(what, times, is_many), level=3))
    if len(markets) > len(sums):
        parts.append(section("By market", _sums("market", markets, is_many), level=3))
    return parts


def open_parts(report: LearnReport) -> list[Html]:
    """Return how far the price went while trades were open; nothing without prices."""
    points = [
        ExcursionPoint(-one.mae_sure_ppb / 1e9, one.mfe_sure_ppb / 1e9, one.trip.net > 0)
        for one in report.complete
        if one.mae_sure_ppb is not None and one.mfe_sure_ppb is not None
    ]
    if not points:
        return []
    newest = f" The newest {MAX_POINTS:,} are drawn." if len(points) > MAX_POINTS else ""
    beyond = beyond_border(points)
    far = f" {beyond:,} went farther and stand at the border." if beyond else ""
    caption = (
        f"{count(len(points), 'round trip')} with prices, in per cent of the entry price: to the "
        "right how far the price went against it, upwards how far in its favour. Dots won, rings "
        f"lost.{newest}{far}"
    )
    rows = [
        (
            one.name,
            one.trips,
            signed_percent(one.against, 2),
            signed_percent(one.favour, 2),
            percent(one.kept),
        )
        for one in excursions(report.complete)
    ]
    columns = ("medians", "trips", "against", "in favour", "kept of the best move")
    return [figure(excursion_chart(points), caption), table(columns, rows)]


def _results(report: LearnReport) -> Html:
    columns = ("", "currency", "net", "trips", "mean", "median", "largest", "held, median")
    is_many = len(report.trades.sums) > 1
    rows: list[list[ReportCell]] = [
        [
            one.name,
            one.currency if is_many else "",
            money(one.net, one.currency, is_named=False),
            one.trips,
            money(one.mean, one.currency, is_named=False),
            money(one.median, one.currency, is_named=False),
            money(one.largest, one.currency, is_named=False),
            held_words(one.held_us),
        ]
        for one in winners_and_losers(report.complete)
    ]
    return scrolled_table("Winners and losers", columns, rows)


def _sums(what: str, lines: Sequence[SumLine], is_many: bool) -> Html:
    columns = (what, "currency", "net", "trips", "winners", "fees")
    rows: list[list[ReportCell]] = [
        [
            name,
            sums.quote if is_many else "",
            money(sums.net, sums.quote, is_named=False),
            sums.trips,
            sums.winners,
            NONE
            if sums.fees_unknown == sums.trips
            else money(sums.fees, sums.quote, is_signed=False, is_named=False),
        ]
        for name, sums in lines
    ]
    return scrolled_table(f"Sums by {what}", columns, rows)
