"""What the round trips of a report came to: the curve, sums by month and market, excursions."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC

from afterword.pipeline.domain.trades.statistics import closings
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.operations.learn.report import LearnReport
from afterword.pipeline.operations.learn.totals import SumLine, by_market, by_time, excursions
from afterword.pipeline.views.blocks import Block, Detail, Section, Table
from afterword.pipeline.views.cells import Cell
from afterword.pipeline.views.numbers import NONE, count, money, percent, signed_percent
from afterword.pipeline.views.pictures import (
    ExcursionChart,
    ExcursionPoint,
    Picture,
    SumCurve,
    SumPoint,
)


def sum_curves(report: LearnReport) -> list[tuple[SumCurve, str]]:
    """Return what complete trips had come to as they closed: for each currency, with a caption."""
    trips: dict[str, list[Trip]] = defaultdict(list)
    for outcome in report.complete:
        trips[outcome.trip.quote].append(outcome.trip)
    curves = []
    for sums, statistics in zip(report.trades.sums, report.trades.statistics, strict=True):
        zone = UTC if statistics.is_by_day else report.told_in
        points = [
            SumPoint(end.trips, end.at.astimezone(zone), end.total)
            for end in closings(trips[statistics.quote])
        ]
        order = "day by day" if statistics.is_by_day else "in the order in which they closed"
        caption = (
            f"The net of {count(sums.trips, 'round trip')} added up {order}: "
            f"{money(sums.net, statistics.quote)} at the end."
        )
        curves.append((SumCurve(points, statistics.quote), caption))
    return curves


def sums_section(report: LearnReport) -> Section:
    """Return what the complete round trips came to; without one, nothing below the heading."""
    sums, complete = report.trades.sums, report.complete
    blocks: list[Block] = [Picture(*curve) for curve in sum_curves(report)]
    times, markets = by_time(complete, report.told_in), by_market(complete)
    is_many = len(sums) > 1
    if len(times) > len(sums):
        what = "month" if "-" in times[0].name else "year"
        blocks.append(Section(f"By {what} of the exit", [_sums(what, times, is_many)]))
    if len(markets) > len(sums):
        blocks.append(Section("By market", [_sums("market", markets, is_many)]))
    return Section("What they came to", blocks, place="sums")


def open_section(report: LearnReport) -> Section:
    """Return how far the price went while trades were open; nothing without prices."""
    complete = report.complete
    points = [
        ExcursionPoint(
            -outcome.mae_sure_ppb / 1e9, outcome.mfe_sure_ppb / 1e9, outcome.trip.net > 0
        )
        for outcome in complete
        if outcome.mae_sure_ppb is not None and outcome.mfe_sure_ppb is not None
    ]
    caption = (
        f"{count(len(points), 'round trip')} with prices, in per cent of the entry price: to the "
        "right how far the price went against it, upwards how far in its favour. Dots won, rings "
        "lost."
    )
    rows = [
        (
            median.name,
            median.trips,
            signed_percent(median.against, 2),
            signed_percent(median.favour, 2),
            percent(median.taken),
        )
        for median in excursions(complete)
    ]
    columns = ("medians", "trips", "against", "in favour", "taken of the best move")
    blocks: list[Block] = [Picture(ExcursionChart(points), caption), Table(columns, rows)]
    return Section(
        "While the trades were open", [Detail("", blocks)] if points else [], place="open"
    )


def _sums(what: str, lines: Sequence[SumLine], is_many: bool) -> Block:
    columns = (what, "currency", "net", "trips", "winners", "fees")
    rows: list[list[Cell]] = [
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
    return Detail("", [Table(columns, rows, label=f"Sums by {what}")])
