"""The report on trades: the result first, then what it rests on, then what to do next."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from afterword.pipeline.domain.trades.model import Cell
from afterword.pipeline.operations.learn.report import LearnReport
from afterword.pipeline.views.blocks import (
    Block,
    Detail,
    Fields,
    Items,
    Paragraph,
    Section,
    TextOnly,
    Tone,
    View,
)
from afterword.pipeline.views.trades.learn_cells import (
    cell_key,
    listed_cells,
    looked_at_section,
    named_blocks,
)
from afterword.pipeline.views.trades.learn_sums import open_section, sums_section
from afterword.pipeline.views.trades.learn_trades import TradesTable
from afterword.pipeline.views.trades.open_words import open_words, unpraised_words
from afterword.pipeline.views.trades.words import (
    coverage_words,
    enough_words,
    file_words,
    gap_words,
    headline_remarks,
    headline_words,
    how_to_read,
    is_cut,
    mistake_words,
    mistakes_in_order,
    named_words,
    statistics_parts,
    title_words,
    tried_words,
    unread_words,
    zone_words,
)


def learn_report(report: LearnReport, command: str) -> View:
    """Return what trades show; a page has every trade, and links to them.

    Args:
        command: lists the trades of a line, if its `--cell` is added, and without it all.
    """
    trades, table = report.trades, TradesTable(report, command)
    listed = listed_cells(trades.looked_at)
    result = [
        *_paragraphs(headline_words(report), "lead"),
        *_paragraphs(open_words(report)),
        *_paragraphs(headline_remarks(report), "quiet"),
    ]
    blocks = [
        TextOnly(_paragraphs([title_words(report)])),
        *([Section("", result)] if report.outcomes else result),
        *(
            Section(heading, [Fields(statistics)])
            for heading, statistics in statistics_parts(report).items()
        ),
        Section("What can be told apart from chance", _verdict(report, listed, table)),
        sums_section(report),
        _mistakes(report, table),
        looked_at_section(trades.looked_at, table),
        open_section(report),
        table.section(),
        _read(report),
        _how_to_read(report, listed),
    ]
    sections = [one for one in blocks if not isinstance(one, Section) or one.blocks]
    return View(sections, "What your trades show", title_words(report), is_prose=True)


def next_steps(report: LearnReport, command: str, written: Mapping[str, Path | None]) -> Section:
    """Return what to do next.

    Args:
        command: as in `learn_report`.
        written: files that were asked for, by option.
    """
    names = {"html": "page", "picture": "picture"}
    trades = report.trades
    steps = []
    if any(map(is_cut, trades.looked_at)) or any(one.trips for one in trades.mistakes):
        steps.append(f"The trades of a line: {command} --cell …, as the line writes it.")
    steps += [f"The {names[option]} is in {file}." for option, file in written.items() if file]
    if written["html"] is None and report.outcomes:
        steps.append("The same as a page, with every trade: add --html trades.html.")
    if report.is_kept:
        steps.append("The trades are kept. `afterword learn` shows this report again.")
    else:
        steps.append(
            "This was one look, and nothing was stored. To keep the trades, for your agent and for "
            "later reports: add --keep."
        )
        steps.append(
            "Who looks again and again at a growing file is told something by luck in the end. "
            "Trades that are kept are judged more strictly, and anew only when there are half as "
            "many again."
        )
    return Section("Next", _paragraphs(steps))


def _verdict(report: LearnReport, listed: Sequence[Cell], table: TradesTable) -> list[Block]:
    trades = report.trades
    lines = (enough_words(trades), tried_words(trades, report.told_in))
    zone = zone_words(report, (*trades.named, *listed))
    is_found = bool(trades.named) or (trades.book is not None and trades.book.is_named)
    blocks: list[Block] = [*_paragraphs(filter(None, lines)), *_paragraphs(zone)]
    if not zone:  # of the lines that only a page has
        blocks.append(Detail("", _paragraphs(zone_words(report, trades.looked_at))))
    for place, line in enumerate(named_words(trades)):
        blocks.append(Paragraph(line, "named" if is_found else "plain"))
        if place < len(trades.named):
            blocks.append(_key(cell_key(trades.named[place])))
    blocks += _paragraphs(unpraised_words(trades))
    return [*blocks, *named_blocks(trades.named, table)]


def _mistakes(report: LearnReport, table: TradesTable) -> Section:
    blocks: list[Block] = []
    for mistake in mistakes_in_order(report.trades.mistakes):
        blocks.append(Paragraph(mistake_words(mistake)))
        if mistake.trips:
            cell = f"mistake={mistake.rule}"
            blocks += [_key(cell), table.links(mistake.trip_uids, cell, "trade")]
    note = "counts and sums, which do not say what caused a loss"
    return Section("Mistakes by rule", blocks, note, "mistakes")


def _read(report: LearnReport) -> Section:
    lines = [*map(file_words, report.files), *map(unread_words, report.unread)]
    lines += [*coverage_words(report.trades), *gap_words(report.gaps)]
    return Section("What was read, and what could not be", _paragraphs(lines), place="read")


def _how_to_read(report: LearnReport, listed: Sequence[Cell]) -> Section:
    """Return what the words of tables mean; without such a table only what a figure is."""
    words, trades = how_to_read(), report.trades
    lines = (
        [TextOnly(_paragraphs(f"{name}: {of}." for name, of in words.items()))] if listed else []
    )
    is_cells = any(map(is_cut, (*trades.named, *trades.looked_at)))
    advice = Paragraph("Figures of the past, counted by rules. Nothing here is advice.", "quiet")
    page = Detail("", [*([Fields(words)] if is_cells else []), advice])
    return Section("How to read it", [*lines, page], place="how-to-read")


def _key(cell: str) -> TextOnly:
    """Return how a text names the trades of a line, which a page links to."""
    return TextOnly([Items([f"trades: --cell {shlex.quote(cell)}"])])


def _paragraphs(lines: Iterable[str], tone: Tone = "plain") -> list[Block]:
    return [Paragraph(line, tone) for line in lines]
