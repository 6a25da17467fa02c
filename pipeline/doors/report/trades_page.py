"""The report of trades as one HTML page: every line leads to its trades."""

import re
from collections.abc import Sequence
from typing import Final

from afterword.pipeline.domain.trades.model import TripOutcome
from afterword.pipeline.doors.render.markup import Html, element, join
from afterword.pipeline.doors.render.page import (
    code,
    contents,
    fields,
    paragraph,
    remark,
    report_page,
    section,
)
from afterword.pipeline.doors.render.table import ReportCell, table
from afterword.pipeline.doors.report.trades_cells import Lead, Links, looked_at_parts, named_table
from afterword.pipeline.doors.report.trades_list import shown_trips, trades_table
from afterword.pipeline.doors.report.trades_sums import open_parts, sums_parts
from afterword.pipeline.operations.learn.report import LearnReport
from afterword.pipeline.views.numbers import NONE
from afterword.pipeline.views.open_words import open_words, unpraised_words
from afterword.pipeline.views.trades_words import (
    coverage_words,
    enough_words,
    gap_words,
    headline_remarks,
    headline_words,
    how_to_read,
    is_cut,
    left_out_words,
    mistake_words,
    mistakes_in_order,
    named_words,
    statistics_parts,
    title_words,
    tried_words,
    unread_words,
    zone_words,
)

_COMMAND: Final = re.compile(r"`([^`]*)`")


def trades_page(report: LearnReport, lead: Lead) -> str:
    """Return a report as an HTML file; the same bytes for the same report."""
    shown = shown_trips(report)
    links = Links(shown, lead, report.told_in)
    parts = {
        ("sums", "What they came to"): sums_parts(report),
        ("mistakes", "Mistakes by rule"): _mistakes(report, links),
        ("looked-at", "Looked at, not told apart from chance"): looked_at_parts(
            report.trades.looked_at, links
        ),
        ("open", "While the trades were open"): open_parts(report),
        ("trades", "Trades, newest first"): _trips(report, shown, lead),
        ("read", "What was read, and what could not be"): _read(report),
        ("how-to-read", "How to read it"): _how_to_read(report),
    }
    sections = {place: found for place, found in parts.items() if found}
    return report_page(
        "What your trades show",
        title_words(report),
        *(paragraph(line, kind="lead") for line in headline_words(report)),
        *map(paragraph, open_words(report)),
        *map(remark, headline_remarks(report)),
        *(
            section(heading, fields(statistics), level=3)
            for heading, statistics in statistics_parts(report).items()
        ),
        section("What can be told apart from chance", *_verdict(report, links)),
        contents(dict(list(sections))),
        *(section(heading, *found, name=name) for (name, heading), found in sections.items()),
    )


def _verdict(report: LearnReport, links: Links) -> list[Html]:
    trades = report.trades
    zone = zone_words(report, (*trades.named, *trades.looked_at))
    said = filter(None, (enough_words(trades), tried_words(trades, report.told_in), *zone))
    is_found = bool(trades.named) or (trades.book is not None and trades.book.is_named)
    kind = "named" if is_found else None
    named = (paragraph(line, kind=kind) for line in named_words(trades))
    table_of_named = named_table(trades.named, links)
    return [*map(paragraph, said), *named, *map(paragraph, unpraised_words(trades)), table_of_named]


def _mistakes(report: LearnReport, links: Links) -> list[Html]:
    note = "Counted by fixed rules. These are counts and sums; they do not say what caused a loss."
    found = [
        element("div", paragraph(mistake_words(one)), links.of_mistake(one) if one.trips else "")
        for one in mistakes_in_order(report.trades.mistakes)
    ]
    return [remark(note), *found] if found else []


def _trips(report: LearnReport, shown: Sequence[TripOutcome], lead: Lead) -> list[Html]:
    rest = len(report.outcomes) - len(shown)
    note = [paragraph(f"{rest:,} older ones are not shown: ", code(lead("")))] if rest > 0 else []
    return [*note, trades_table(report, shown)] if shown else []


def _read(report: LearnReport) -> list[Html]:
    files: list[list[ReportCell]] = [
        [
            *(one.name, one.layout, one.fills or NONE, one.closed_trades or NONE),
            *(one.bars or NONE, ", ".join(one.accounts) or NONE, left_out_words(one)),
        ]
        for one in report.files
    ]
    columns = ("file", "what it is", "fills", "closed trades", "price bars", "account", "left out")
    lines = [*map(unread_words, report.unread), *coverage_words(report.trades)]
    lines += gap_words(report.gaps)
    return [table(columns, files), *map(_with_commands, lines)] if files or lines else []


def _how_to_read(report: LearnReport) -> list[Html]:
    """Return what the words of tables mean; without such a table only what a figure is."""
    advice = remark("Figures of the past, counted by rules. Nothing here is advice.")
    cells = (*report.trades.named, *report.trades.looked_at)
    return [fields(how_to_read()), advice] if any(map(is_cut, cells)) else [advice]


def _with_commands(line: str) -> Html:
    """Return a sentence; what stands between backticks is a command."""
    parts = _COMMAND.split(line)
    return paragraph(join(*(code(part) if place % 2 else part for place, part in enumerate(parts))))
