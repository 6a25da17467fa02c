"""The report of trades as one HTML page: every line leads to its trades."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import groupby
from typing import Final

from afterword.pipeline.domain.trades.model import Cell, Mistake, TripOutcome
from afterword.pipeline.domain.trades.text import cell_name
from afterword.pipeline.doors.report.charts import figure
from afterword.pipeline.doors.report.markup import Html, element, join
from afterword.pipeline.doors.report.numbers import NONE, count, money, percent, signed_percent
from afterword.pipeline.doors.report.page import (
    badge,
    code,
    fields,
    paragraph,
    remark,
    report_page,
    section,
)
from afterword.pipeline.doors.report.table import ReportCell, table
from afterword.pipeline.doors.report.trades_charts import (
    MAX_POINTS,
    CurvePoint,
    ExcursionPoint,
    equity_chart,
    excursion_chart,
)
from afterword.pipeline.doors.report.trades_words import (
    CELL_COLUMNS,
    attribute_words,
    cell_numbers,
    coverage_words,
    enough_words,
    fees_words,
    gap_words,
    headline_remarks,
    headline_words,
    held_words,
    holding_words,
    how_to_read,
    is_cut,
    left_out_words,
    mistake_words,
    named_words,
    price,
    share,
    short_uid,
    title_words,
    tried_words,
    unread_words,
)
from afterword.pipeline.operations.learn.report import LearnReport

MAX_ROWS: Final = 1_000
"""Trades in the table of a page: the newest, and those that a named line is about."""

MAX_LINKS: Final = 60
"""Trades that a line links to."""

Lead = Callable[[str], str]
"""Returns the command that lists the trades of a cell, such as `hour=14`; of all for an empty
one."""


def trades_page(report: LearnReport, lead: Lead) -> str:
    """Return a report as an HTML file; the same bytes for the same report."""
    shown = shown_trips(report)
    links = _Links(shown, lead)
    return report_page(
        "What your trades show",
        title_words(report),
        *(element("p", line, class_="lead") for line in headline_words(report)),
        *map(remark, headline_remarks(report)),
        *_curves(report),
        _verdict(report, links),
        _mistakes(report, links),
        _looked_at(report, links),
        _excursions(report),
        _costs(report),
        _read(report),
        _trips(report, shown, lead),
        section(
            "How to read it",
            fields(how_to_read()),
            remark("Figures of the past, counted by rules. Nothing here is advice."),
        ),
    )


def shown_trips(report: LearnReport) -> list[TripOutcome]:
    """Return the trades of the table, newest first."""
    named = {uid for cell in report.trades.named for uid in cell.trip_uids}
    older = [one for one in report.outcomes[:-MAX_ROWS] if one.trip.trip_uid in named]
    return [*reversed(report.outcomes[-MAX_ROWS:]), *reversed(older[-MAX_ROWS:])]


class _Links:
    """Finds the anchors of the trades of a line."""

    def __init__(self, shown: Sequence[TripOutcome], lead: Lead) -> None:
        self._lead = lead
        self._shown = {one.trip.trip_uid for one in shown}

    def of_cell(self, one: Cell) -> Html:
        """Return the number of a cell's trades, which opens their list."""
        return self._of(one.trip_uids, f"{one.attribute}={one.value}")

    def of_mistake(self, one: Mistake) -> Html:
        """Return the number of a mistake's trades, which opens their list."""
        return self._of(one.trip_uids, f"mistake={one.rule}")

    def _of(self, uids: Sequence[str], cell: str) -> Html:
        newest = [uid for uid in reversed(uids) if uid in self._shown][:MAX_LINKS]
        listed = [join(element("a", short_uid(uid), href=f"#t-{uid}"), " ") for uid in newest]
        if len(newest) < len(uids):
            listed.append(join("all: ", code(self._lead(cell))))
        return element("details", element("summary", f"{len(uids):,}"), *listed)


def curves_of(report: LearnReport) -> Mapping[str, Sequence[CurvePoint]]:
    """Return what the complete trips had come to after each of them, by currency."""
    totals: dict[str, Decimal] = defaultdict(Decimal)
    points: dict[str, list[CurvePoint]] = defaultdict(list)
    for one in report.complete:
        currency = one.trip.quote
        totals[currency] += one.trip.net
        points[currency].append(CurvePoint(one.trip.closed_at, totals[currency]))
    return points


def _curves(report: LearnReport) -> list[Html]:
    return [
        figure(
            equity_chart(found, currency),
            f"Net results of {count(len(found), 'round trip')} added up, in {currency}; dashed, "
            "zero",
        )
        for currency, found in curves_of(report).items()
    ]


def _verdict(report: LearnReport, links: _Links) -> Html:
    trades = report.trades
    few = enough_words(trades)
    parts = [paragraph(badge("few trades"), " ", few)] if few else []
    parts.append(paragraph(tried_words(trades)))
    parts += map(paragraph, named_words(trades))
    if trades.named:
        parts.append(_cells(trades.named, links))
    return section("What can be told apart from chance", *parts)


def _looked_at(report: LearnReport, links: _Links) -> Html:
    parts: list[Html] = []
    cells = sorted(filter(is_cut, report.trades.looked_at), key=lambda one: one.attribute)
    for attribute, group in groupby(cells, key=lambda one: one.attribute):
        lines = list(group)
        note = "" if any(one.is_tested for one in lines) else "Described, not tested."
        heading = attribute_words(attribute)
        parts.append(section(heading, remark(note) if note else "", _cells(lines, links), level=3))
    return section("Looked at, not told apart from chance", *parts) if parts else Html("")


def _cells(lines: Sequence[Cell], links: _Links) -> Html:
    rows: list[list[ReportCell]] = []
    for one in lines:
        _trips, *numbers = cell_numbers(one)
        rows.append([cell_name(one.attribute, one.value), links.of_cell(one), *numbers])
    return table(CELL_COLUMNS, rows)


def _mistakes(report: LearnReport, links: _Links) -> Html:
    note = "Counted by fixed rules. These are counts and sums; they do not say what caused a loss."
    parts = [
        paragraph(mistake_words(one), " ", links.of_mistake(one) if one.trips else "")
        for one in report.trades.mistakes
        if one.of
    ]
    holding = holding_words(report.trades.holding)
    if holding:
        parts.append(paragraph(holding))
    return section("Mistakes by rule", remark(note), *parts) if parts else Html("")


def _excursions(report: LearnReport) -> Html:
    points = [
        ExcursionPoint(-one.mae_sure_ppb / 1e9, one.mfe_sure_ppb / 1e9, one.trip.net > 0)
        for one in report.complete
        if one.mae_sure_ppb is not None and one.mfe_sure_ppb is not None
    ]
    if not points:
        return Html("")
    newest = f" The newest {MAX_POINTS:,} are drawn." if len(points) > MAX_POINTS else ""
    return section(
        "While the trades were open",
        figure(
            excursion_chart(points),
            f"{count(len(points), 'round trip')} with prices: to the right how far the price went "
            "against it, upwards how far in its favour, as a share of the entry price. Dots won, "
            f"rings lost.{newest}",
        ),
    )


def _costs(report: LearnReport) -> Html:
    columns = ("currency", "round trips", "winners", "gross", "fees", "funding", "net")
    rows = [
        (
            one.quote,
            one.trips,
            one.winners,
            money(one.gross, ""),
            money(one.fees, "", is_signed=False),
            money(one.funding, "") if one.funding else NONE,
            money(one.net, ""),
        )
        for one in report.trades.sums
    ]
    if not rows:
        return Html("")
    words = [remark(f"{one.quote}: {fees_words(one)}.") for one in report.trades.sums]
    return section("What it cost", table(columns, rows), *words)


def _read(report: LearnReport) -> Html:
    files = [
        (one.name, one.layout, one.fills, one.closed_trades, one.bars, left_out_words(one))
        for one in report.files
    ]
    columns = ("file", "what it is", "fills", "closed trades", "price bars", "left out")
    lines = [*map(unread_words, report.unread), *coverage_words(report.trades)]
    lines += gap_words(report.gaps)
    shown = table(columns, files)
    return section("What was read, and what could not be", shown, *map(paragraph, lines))


def _trips(report: LearnReport, shown: Sequence[TripOutcome], lead: Lead) -> Html:
    columns = (
        *("trade", "market", "opened", "closed", "held", "entry", "exit", "size"),
        *("result", "net", "against", "in favour", "notes"),
    )
    broken = _broken(report.trades.mistakes)
    rows = [_trip(one, broken, report.tags) for one in shown]
    rest = len(report.outcomes) - len(shown)
    note = [paragraph(f"{rest:,} older ones are not shown: ", code(lead("")))] if rest > 0 else []
    return section("Trades, newest first", *note, table(columns, rows, "none"))


def _trip(
    one: TripOutcome, broken: Mapping[str, Sequence[str]], tags: Mapping[str, Sequence[str]]
) -> list[ReportCell]:
    trip = one.trip
    incomplete = ("incomplete",) if trip.is_incomplete else ()
    notes = [*incomplete, *trip.flags, *broken.get(trip.trip_uid, ()), *tags.get(trip.trip_uid, ())]
    against = None if one.mae_sure_ppb is None else -one.mae_sure_ppb
    return [
        element("span", short_uid(trip.trip_uid), id=f"t-{trip.trip_uid}"),
        f"{trip.symbol} {trip.direction}",
        NONE if trip.opened_at is None else f"{trip.opened_at:%Y-%m-%d %H:%M}",
        f"{trip.closed_at:%Y-%m-%d %H:%M}",
        held_words(one.held_us),
        price(trip.entry_px),
        price(trip.exit_px),
        price(trip.size),
        signed_percent(share(one.result_ppb), 2),
        money(trip.net, trip.quote),
        percent(share(against), 2),
        percent(share(one.mfe_sure_ppb), 2),
        ", ".join(dict.fromkeys(word.replace("_", " ") for word in notes)),
    ]


def _broken(mistakes: Iterable[Mistake]) -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for one in mistakes:
        for uid in one.trip_uids:
            found[uid].append(one.rule)
    return found
