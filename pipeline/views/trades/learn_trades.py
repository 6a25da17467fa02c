"""The trades of a report as a table, one row each: where the links of all other lines lead."""

import shlex
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import tzinfo
from typing import Final

from afterword.pipeline.domain.trades.model import Mistake, TripOutcome
from afterword.pipeline.domain.trades.text import trip_moment
from afterword.pipeline.operations.learn.report import LearnReport
from afterword.pipeline.views.blocks import Block, Detail, Paragraph, Section, Table
from afterword.pipeline.views.cells import Cell, Links, Place
from afterword.pipeline.views.numbers import NONE, held_words, money, signed_percent
from afterword.pipeline.views.trades.words import price, share, short_uid, trip_day

MAX_ROWS: Final = 1_000
"""Trades in the table of a page: the newest, and those that a named line is about."""

MAX_LINKS: Final = 60
"""Trades that a line links to."""

_COLUMNS: Final = (
    *("closed", "market", "net", "result", "held", "entry", "exit", "size"),
    *("against", "in favour", "opened", "trade", "notes"),
)
"""What matters most first: a narrow screen shows the others after a swipe."""


class TradesTable:
    """The trades that a page shows, and the links of other lines to them.

    Args:
        command: lists the trades of a line, if its `--cell` is added, and without it all.
    """

    def __init__(self, report: LearnReport, command: str) -> None:
        named = {uid for cell in report.trades.named for uid in cell.trip_uids}
        older = [one for one in report.outcomes[:-MAX_ROWS] if one.trip.trip_uid in named]
        self._report, self._command = report, command
        self._shown = [*reversed(report.outcomes[-MAX_ROWS:]), *reversed(older[-MAX_ROWS:])]
        self._links = {one.trip.trip_uid: _link(one, report.told_in) for one in self._shown}

    def links(self, uids: Sequence[str], cell: str, noun: str = "") -> Links:
        """Return how many trades a line has, with links to the newest of them.

        Args:
            uids: of the trades, oldest first.
            cell: the line as `--cell` takes it, such as `hour=14`.
            noun: as in `Links`.
        """
        newest = [self._links[uid] for uid in reversed(uids) if uid in self._links]
        command = f"{self._command} --cell {shlex.quote(cell)}"
        return Links(len(uids), noun, newest[:MAX_LINKS], command)

    def section(self) -> Section:
        """Return the table, newest first; without a trade, nothing below the heading."""
        report, shown = self._report, self._shown
        rest = len(report.outcomes) - len(shown)
        broken = _broken(report.trades.mistakes)
        rows = [_row(one, broken, report.tags, report.told_in) for one in shown]
        blocks: list[Block] = [Table(_COLUMNS, rows, label="Trades, newest first")]
        if rest > 0:
            blocks.insert(0, Paragraph(f"{rest:,} older ones are not shown: `{self._command}`"))
        return Section(
            "Trades, newest first", [Detail("", blocks)] if shown else [], place="trades"
        )


def _link(outcome: TripOutcome, zone: tzinfo) -> tuple[str, str]:
    trip = outcome.trip
    net = money(trip.net, trip.quote, is_named=False)
    return f"{trip_day(trip, zone)} {trip.symbol} {net}", _place(outcome)


def _place(outcome: TripOutcome) -> str:
    return f"t-{outcome.trip.trip_uid}"


def _row(
    outcome: TripOutcome,
    broken: Mapping[str, Sequence[str]],
    tags: Mapping[str, Sequence[str]],
    zone: tzinfo,
) -> list[Cell]:
    trip = outcome.trip
    incomplete = ("incomplete",) if trip.is_incomplete else ()
    notes = [*incomplete, *trip.flags, *broken.get(trip.trip_uid, ()), *tags.get(trip.trip_uid, ())]
    return [
        Place(trip_moment(trip, trip.closed_at, zone), _place(outcome)),
        f"{trip.symbol} {trip.direction}",
        money(trip.net, trip.quote),
        signed_percent(share(outcome.result_ppb), 2),
        held_words(outcome.held_us),
        price(trip.entry_px),
        price(trip.exit_px),
        price(trip.size),
        signed_percent(share(outcome.mae_sure_ppb), 2),
        signed_percent(share(outcome.mfe_sure_ppb), 2),
        _opened(outcome, zone),
        short_uid(trip.trip_uid),
        ", ".join(dict.fromkeys(word.replace("_", " ") for word in notes)),
    ]


def _opened(outcome: TripOutcome, zone: tzinfo) -> str:
    opened_at = outcome.trip.opened_at
    if opened_at is None:
        return NONE
    # The first fill we have is not its first one.
    before = "before " if "opened_before" in outcome.trip.flags else ""
    return f"{before}{trip_moment(outcome.trip, opened_at, zone)}"


def _broken(mistakes: Iterable[Mistake]) -> Mapping[str, Sequence[str]]:
    rules: dict[str, list[str]] = defaultdict(list)
    for mistake in mistakes:
        for uid in mistake.trip_uids:
            rules[uid].append(mistake.rule)
    return rules
