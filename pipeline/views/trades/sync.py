"""Mirrors of accounts: what a run did, and how far they are."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from afterword.pipeline.clock import from_millis
from afterword.pipeline.domain.sync.report import SyncReport
from afterword.pipeline.domain.sync.turn import SyncPauses, SyncState, next_run_at
from afterword.pipeline.views.blocks import Paragraph, Table, View
from afterword.pipeline.views.words import moment

_RUN: Final = ("account", "source", "new", "error")
_STATUS: Final = ("account", "source", "up to", "whole since", "last run", "next", "state")


def sync_done(report: SyncReport) -> View:
    """Return what a run mirrored, and what it did not."""
    rows = [
        [source.account, source.source, "" if source.error else source.new, source.error or ""]
        for source in report.sources
    ]
    blocks = [Table(_RUN, rows, "nothing was mirrored")]
    if report.stopped_by is not None:
        return View([*blocks, Paragraph(f"The rest waits: {report.stopped_by}")])
    if report.joined:
        words = f"{report.joined} mirrors were brought up to date by another process meanwhile."
        return View([*blocks, Paragraph(words)])
    return View(blocks)


def sync_status_table(
    states: Sequence[SyncState], pauses: SyncPauses, paused: Sequence[str], now: datetime
) -> View:
    """Return how far mirrors are.

    Args:
        paused: names of the accounts that are not mirrored for now.
    """
    rows = [[*_status(state, pauses, now)] for state in states]
    rows += [[name, *[""] * (len(_STATUS) - 2), "paused"] for name in paused]
    return View([Table(_STATUS, rows, "no account of yours to mirror: afterword account add")])


def mirrors_paused(count: int, *, pauses: bool) -> View:
    """Return how many accounts a pause was begun or ended for."""
    accounts = "1 account" if count == 1 else f"{count} accounts"
    words = "is not mirrored" if count == 1 else "are not mirrored"
    if not pauses:
        words = "is mirrored again" if count == 1 else "are mirrored again"
    return View([Paragraph(f"{accounts} {words}.")])


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
