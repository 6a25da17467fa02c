"""The report of trades as text: the result first, then what it rests on, then what to do next."""

import shlex
from collections.abc import Sequence
from typing import Final

import typer

from afterword.pipeline.domain.trades.model import Cell
from afterword.pipeline.doors.cli.output import print_table
from afterword.pipeline.doors.cli.sentences import print_named_sentences, print_sentences
from afterword.pipeline.operations.learn.report import FileLine, LearnReport
from afterword.pipeline.views.open_words import open_words, unpraised_words
from afterword.pipeline.views.trades_words import (
    CELL_COLUMNS,
    LOOKED_AT,
    cell_numbers,
    coverage_words,
    enough_words,
    gap_words,
    headline_remarks,
    headline_words,
    how_to_read,
    in_order,
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

MAX_CELLS: Final = 20
"""Lines of the list of the text; the page and --json have all of them."""


def print_report(report: LearnReport, command: str, after: Sequence[str]) -> None:
    """Print a report.

    Args:
        command: what lists the trades of a line, if its `--cell` is added.
        after: what to do next, one line each.
    """
    trades = report.trades
    listed = _listed(trades.looked_at)
    print_sentences([title_words(report)], "")
    if report.outcomes:
        typer.echo("")
    print_sentences([*headline_words(report), *open_words(report)], "")
    print_sentences(headline_remarks(report))
    for heading, statistics in statistics_parts(report).items():
        _part(heading)
        print_named_sentences(statistics)
    _part("What can be told apart from chance")
    zone = zone_words(report, (*trades.named, *listed))
    print_sentences([enough_words(trades), tried_words(trades, report.told_in), *zone])
    for place, line in enumerate(named_words(trades)):
        print_sentences([line])
        if place < len(trades.named):
            print_sentences([f"trades: --cell {_cell(trades.named[place])}"], "    ")
    print_sentences(unpraised_words(trades))
    _mistakes(report)
    _looked_at(trades.looked_at, listed)
    _part("What was read, and what could not be")
    print_sentences(map(file_words, report.files))
    print_sentences(map(unread_words, report.unread))
    print_sentences([*coverage_words(trades), *gap_words(report.gaps)])
    if listed:
        _part("How to read it")
        print_sentences(f"{name}: {words}." for name, words in how_to_read().items())
    _part("Next")
    if any(map(is_cut, trades.looked_at)) or any(one.trips for one in trades.mistakes):
        print_sentences([f"The trades of a line: {command} --cell …, as the line writes it."])
    print_sentences(after)


def file_words(file: FileLine) -> str:
    """Return what was found in a file: `fills.csv: Binance Spot, Trade History: 41 fills`."""
    numbers = {
        "fills": file.fills,
        "closed trades": file.closed_trades,
        "price bars": file.bars,
        "of them stored before": file.known,
    }
    found = ", ".join(f"{number:,} {name}" for name, number in numbers.items() if number)
    left = left_out_words(file)
    if file.accounts:
        found += f", account{'s' * (len(file.accounts) > 1)} {', '.join(file.accounts[:3])}"
        found += ", …" * (len(file.accounts) > 3)
    return f"{file.name}: {file.layout}: {found or 'nothing'}" + (
        f"; left out: {left}." if left else "."
    )


def _part(heading: str) -> None:
    typer.echo("")
    typer.echo(heading)


def _mistakes(report: LearnReport) -> None:
    mistakes = mistakes_in_order(report.trades.mistakes)
    if not mistakes:
        return
    _part("Mistakes by rule: counts and sums, which do not say what caused a loss")
    for one in mistakes:
        print_sentences([mistake_words(one)])
        if one.trips:
            print_sentences([f"trades: --cell mistake={one.rule}"], "    ")


def _listed(cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells of the list: those that were tested and have the most trips."""
    tested = [one for one in cells if one.is_tested and is_cut(one)]
    return in_order(sorted(tested, key=lambda one: -one.trips)[:MAX_CELLS])


def _looked_at(cells: Sequence[Cell], listed: Sequence[Cell]) -> None:
    if not listed:
        return
    _part("Looked at, not told apart from chance")
    print_sentences([LOOKED_AT])
    print_table(
        ("--cell", *CELL_COLUMNS[1:]),
        [[_cell(one), *cell_numbers(one)] for one in listed],
        spare=("market aside", "median", "separate", "95 %"),
    )
    rest = sum(map(is_cut, cells)) - len(listed)
    if rest:
        print_sentences(
            [f"{rest:,} more lines, of fewer trades or only described, are in --html and --json."]
        )


def _cell(one: Cell) -> str:
    """Return a cell as `--cell` takes it; it is its name in the list, too."""
    return shlex.quote(f"{one.attribute}={one.value}")
