"""Mirrors of accounts: what a run did, and how far they are."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from afterword.pipeline.clock import from_millis
from afterword.pipeline.domain.sync.report import SyncedSource, SyncReport
from afterword.pipeline.domain.sync.turn import SyncPauses, SyncSource, SyncState, next_run_at
from afterword.pipeline.views.blocks import Paragraph, Table, View
from afterword.pipeline.views.numbers import count
from afterword.pipeline.views.words import moment

_RUN: Final = ("account", "source", "new", "error")
_ROWS: Final[dict[SyncSource, str]] = {
    "perps_fills": "fills",
    "funding": "payments of funding",
    "transfers": "transfers",
}
_STATUS: Final = ("account", "source", "up to", "whole since", "last run", "next", "state")


def sync_done(report: SyncReport, paused: Sequence[str]) -> View:
    """Return what a run mirrored, and what it did not.

    Args:
        paused: names of the accounts that are not mirrored for now.
    """
    rows = [
        [source.account, source.source, "" if source.error else source.new, source.error or ""]
        for source in report.sources
    ]
    lines = [line for source in report.sources for line in _missing(source)]
    lines += [f"The rest of {venue} waits: {error}" for venue, error in report.stopped.items()]
    if report.joined and not report.stopped:
        words = f"{report.joined} mirrors were brought up to date by another process meanwhile."
        lines.append(words)
    if paused:
        lines.append(f"Paused: {', '.join(paused)}. `afterword sync resume` ends a pause.")
    return View([Table(_RUN, rows, "nothing was mirrored"), *map(Paragraph, lines)])


def sync_status_table(
    states: Sequence[SyncState], pauses: SyncPauses, paused: Sequence[str], now: datetime
) -> View:
    """Return how far mirrors are.

    Args:
        paused: names of the accounts that are not mirrored for now.
    """
    rows = [[*_status(state, pauses, now)] for state in states]
    rows += [[name, *[""] * (len(_STATUS) - 2), "paused"] for name in paused]
    return View(
        [Table(_STATUS, rows, "no account of yours to mirror: `afterword account add` names one")]
    )


def mirrors_paused(count: int, *, pauses: bool) -> View:
    """Return how many accounts a pause was begun or ended for."""
    accounts = "1 account" if count == 1 else f"{count} accounts"
    words = "is not mirrored" if count == 1 else "are not mirrored"
    if not pauses:
        words = "is mirrored again" if count == 1 else "are mirrored again"
    return View([Paragraph(f"{accounts} {words}.")])


def _missing(source: SyncedSource) -> Iterator[str]:
    """Yield what of a source is not mirrored, though the venue or a file has it."""
    if source.missing_moments:
        first, moments = source.missing_moments[0], len(source.missing_moments)
        of = f"{count(moments, 'moment')} of {_ROWS[source.source]}"
        says = f"{source.account}: of {of}, the first at {moment(first)}, rows are missing."
        if source.source == "perps_fills":
            says += " The CSV that you export at the venue has them."
        yield says
    if source.set_aside:
        left_out = sum(part.fills for part in source.set_aside)
        first = from_millis(min(part.first_ms for part in source.set_aside))
        others = sorted({other for part in source.set_aside for other in part.others})
        markets = ", ".join(sorted({part.symbol for part in source.set_aside}))
        yield (
            f"{source.account}: {count(left_out, 'fill')} of {markets}, the first at "
            f"{moment(first)}, were left out: a file of {', '.join(others)} tells of the same "
            "trades, otherwise, and came first. Its rows count, so that none counts twice."
        )


def _status(state: SyncState, pauses: SyncPauses, now: datetime) -> tuple[str, ...]:
    upto, since = (
        "" if at_ms is None else moment(from_millis(at_ms))
        for at_ms in (state.last_synced_ts_ms, state.whole_since_ms or None)
    )
    if state.whole_since_ms == 0:
        since = "the first one"
    until = next_run_at(state, pauses)
    if state.last_tried_at is None:
        word = "new"
    elif not state.consecutive_failures:
        word = "current"
    else:
        word = f"failed {state.consecutive_failures} times: {state.last_error}"
    return (
        *(state.sub_account_id, state.source, upto, since),
        "" if state.last_synced_at is None else moment(state.last_synced_at),
        "now" if until is None or until <= now else moment(until),
        word,
    )
