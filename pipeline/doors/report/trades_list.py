"""The trades of a report as a table, one row each: where the links of all other lines lead."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import tzinfo
from typing import Final

from afterword.pipeline.domain.trades.model import Mistake, TripOutcome
from afterword.pipeline.domain.trades.text import trip_moment
from afterword.pipeline.doors.render.markup import Html, element
from afterword.pipeline.doors.render.table import ReportCell, scrolled_table
from afterword.pipeline.operations.learn.report import LearnReport
from afterword.pipeline.views.numbers import NONE, held_words, money, signed_percent
from afterword.pipeline.views.trades_words import (
    price,
    share,
    short_uid,
)

MAX_ROWS: Final = 1_000
"""Trades in the table of a page: the newest, and those that a named line is about."""

_COLUMNS: Final = (
    *("closed", "market", "net", "result", "held", "entry", "exit", "size"),
    *("against", "in favour", "opened", "trade", "notes"),
)
"""What matters most first: a narrow screen shows the others after a swipe."""


def shown_trips(report: LearnReport) -> list[TripOutcome]:
    """Return the trades of the table, newest first."""
    named = {uid for cell in report.trades.named for uid in cell.trip_uids}
    older = [one for one in report.outcomes[:-MAX_ROWS] if one.trip.trip_uid in named]
    return [*reversed(report.outcomes[-MAX_ROWS:]), *reversed(older[-MAX_ROWS:])]


def trades_table(report: LearnReport, shown: Sequence[TripOutcome]) -> Html:
    """Return trades as a table."""
    broken = _broken(report.trades.mistakes)
    zone = report.told_in
    rows = [_row(one, broken, report.tags, zone) for one in shown]
    return scrolled_table("Trades, newest first", _COLUMNS, rows)


def _row(
    one: TripOutcome,
    broken: Mapping[str, Sequence[str]],
    tags: Mapping[str, Sequence[str]],
    zone: tzinfo,
) -> list[ReportCell]:
    trip = one.trip
    incomplete = ("incomplete",) if trip.is_incomplete else ()
    notes = [*incomplete, *trip.flags, *broken.get(trip.trip_uid, ()), *tags.get(trip.trip_uid, ())]
    return [
        element("span", trip_moment(trip, trip.closed_at, zone), id=f"t-{trip.trip_uid}"),
        f"{trip.symbol} {trip.direction}",
        money(trip.net, trip.quote),
        signed_percent(share(one.result_ppb), 2),
        held_words(one.held_us),
        price(trip.entry_px),
        price(trip.exit_px),
        price(trip.size),
        signed_percent(share(one.mae_sure_ppb), 2),
        signed_percent(share(one.mfe_sure_ppb), 2),
        _opened(one, zone),
        element("code", short_uid(trip.trip_uid)),
        ", ".join(dict.fromkeys(word.replace("_", " ") for word in notes)),
    ]


def _opened(one: TripOutcome, zone: tzinfo) -> str:
    opened_at = one.trip.opened_at
    if opened_at is None:
        return NONE
    # The first fill we have is not its first one.
    before = "before " if "opened_before" in one.trip.flags else ""
    return f"{before}{trip_moment(one.trip, opened_at, zone)}"


def _broken(mistakes: Iterable[Mistake]) -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for one in mistakes:
        for uid in one.trip_uids:
            found[uid].append(one.rule)
    return found
