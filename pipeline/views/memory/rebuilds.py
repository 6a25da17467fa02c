"""Rebuilds of the profile: what each did, when it ran last, and when it is due next."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.domain.rebuilds.model import RebuildOutcome, RebuildReport, RebuildState
from afterword.pipeline.domain.rebuilds.status import RebuildStatus
from afterword.pipeline.views.blocks import Block, Items, Paragraph, Table
from afterword.pipeline.views.words import moment, printable

_COLUMNS: Final = ("rebuild", "last", "next", "by", "what went wrong")
_DID: Final[dict[RebuildOutcome, str]] = {
    "rebuilt": "rebuilt",
    "failed": "failed",
    "postponed": "waits",
    "overtaken": "another process did it meanwhile",
    "resting": "rests until its next turn",
    "nothing_new": "nothing to rebuild from",
    "disabled": "off: AFTERWORD_PERSONALIZATION_REBUILD=disabled",
}


def rebuild_table(statuses: Sequence[RebuildStatus]) -> Table:
    """Return when each rebuild ran last, and when it is due next."""
    return Table(_COLUMNS, [_row(status) for status in statuses])


def rebuilds_done(reports: Sequence[RebuildReport]) -> list[Block]:
    """Return what a refresh did."""
    lines = [line for report in reports for line in _lines(report)]
    return [Items(lines)] if lines else [Paragraph("there is nothing to rebuild")]


def _lines(report: RebuildReport) -> list[str]:
    state, did = report.state, _DID[report.outcome]
    if report.outcome == "rebuilt":
        changed = "; ".join(printable(change) for change in report.changes)
        did = f"{did}: {changed or 'as it was'}{_words_by(state)}"
    elif report.outcome in ("failed", "postponed"):
        changed = "".join(f"; {printable(change)}" for change in report.changes)
        did = f"{did}, next try {moment(state.retry_at) if state.retry_at else 'now'}{changed}"
        did += f": {printable(state.error or '')}"
    elif report.outcome == "resting" and state.next_update is not None:
        did = f"rests until {moment(state.retry_at or state.next_update)}"
    lines = [f"{report.name}: {did}"]
    lines += [
        f"{report.name} cannot read {cursor.name}: {printable(cursor.error)}"
        for cursor in report.cursors
        if cursor.error is not None
    ]
    return lines


def _words_by(state: RebuildState) -> str:
    if state.refusal is not None:
        return f"; the words of a model were refused: {printable(state.refusal)}"
    return "" if state.worded_by is None else f"; worded by {printable(state.worded_by)}"


def _row(status: RebuildStatus) -> list[str]:
    state = status.state
    wrong = [state.error, *(cursor.error for cursor in status.cursors), state.refusal]
    return [
        state.name,
        "never" if state.updated_at is None else moment(state.updated_at),
        _next(status),
        state.worded_by or ("" if state.updated_at is None else "computed"),
        printable("; ".join(error for error in wrong if error)),
    ]


def _next(status: RebuildStatus) -> str:
    if not status.is_enabled:
        return "off"
    if not status.has_news:
        return "when there is news"
    return "due" if status.rests_until is None else moment(status.rests_until)
