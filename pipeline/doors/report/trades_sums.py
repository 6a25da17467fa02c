"""What the round trips came to: the curve, and sums by month and market."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC

from afterword.pipeline.domain.history.trip import Trip
from afterword.pipeline.domain.trades.statistics import closings
from afterword.pipeline.doors.render.charts import figure
from afterword.pipeline.doors.render.markup import Html
from afterword.pipeline.doors.render.page import section
from afterword.pipeline.doors.render.table import ReportCell, scrolled_table, table
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
    excursions,
)
from afterword.pipeline.operations.learn.report import LearnReport
from afterword.pipeline.views.numbers import NONE, count, money, percent, signed_percent


def curves_of(report: LearnReport) -> Mapping[str, Sequence[CurvePoint]]:
    """Return what the complete trips had come to as they closed, by currency."""
    trips: dict[str, list[Trip]] = defaultdict(list)
    for one in report.complete:
        trips[one.trip.quote].append(one.trip)
    return {
        one.quote: [
            CurvePoint(end.trips, end.at.astimezone(zone), end.total)
            for zone in (UTC if one.is_by_day else report.told_in,)
            for end in closings(trips[one.quote])
        ]
        for one in report.trades.statistics
    }


def curve_caption(report: LearnReport, currency: str) -> str:
    """Return what a curve shows."""
    trades = report.trades
    (sums,) = (one for one in trades.sums if one.quote == currency)
    (statistics,) = (one for one in trades.statistics if one.quote == currency)
    order = "day by day" if statistics.is_by_day else "in the order in which they closed"
    return (
        f"The net of {count(sums.trips, 'round trip')} added up {order}: "
        f"{money(sums.net, currency)} at the end."
    )


def sums_parts(report: LearnReport) -> list[Html]:
    """Return what the complete round trips came to; nothing without one."""
    sums = report.trades.sums
    if not sums:
        return []
    parts = [
        figure(equity_chart(found, currency), curve_caption(report, currency))
        for currency, found in curves_of(report).items()
    ]
    times, markets = by_time(report.complete, report.told_in), by_market(report.complete)
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
            percent(one.taken),
        )
        for one in excursions(report.complete)
    ]
    columns = ("medians", "trips", "against", "in favour", "taken of the best move")
    return [figure(excursion_chart(points), caption), table(columns, rows)]


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
