"""What models may cost: every cap, the money left under it, and what changed it."""

from datetime import datetime
from typing import Final

from afterword.pipeline.gateway.budget.amounts import usd
from afterword.pipeline.gateway.budget.model import Reservation
from afterword.pipeline.gateway.budget.overview import Line, ModelUse, Overview
from afterword.pipeline.views.blocks import Block, Paragraph, Section, Table, View
from afterword.pipeline.views.cells import Cell
from afterword.pipeline.views.words import ago, moment

_CAPS: Final = ("for", "window", "cap", "spent", "reserved", "left", "state")
_MODELS: Final = ("category", "model", "calls", "tokens in", "tokens out", "USD")
_NO_MODEL: Final = "no model was called this month"


def budget_overview(overview: Overview, now: datetime) -> View:
    """Return every cap with the money left, and this month's cost by model."""
    blocks: list[Block] = []
    stopped = overview.stopped
    if stopped is not None:
        why = f": {stopped.note}" if stopped.note else ""
        since = f"{moment(stopped.since)}, {ago(stopped.since, now)}"
        blocks.append(Paragraph(f"all spending is stopped since {since}{why}"))
    caps = Table(_CAPS, [_cap(line) for line in (*overview.categories, *overview.groups)])
    models = Table(_MODELS, list(map(_model, overview.models)), _NO_MODEL)
    unit = Paragraph("Amounts are in USD; a window is a day or a month (UTC).", "quiet")
    return View([*blocks, Section("", [caps, unit]), Section("", [models])])


def money_reserved(reservation: Reservation) -> View:
    """Return the uid under which money is reserved, for a program to read."""
    return View([Paragraph(reservation.uid)])


def money_settled(uid: str, *, is_settled: bool) -> View:
    """Return whether the cost of a reserved call is booked now."""
    result = "is settled" if is_settled else "was settled or released before; nothing changed"
    return View([Paragraph(f"{uid} {result}")])


def spending_stopped(*, is_changed: bool) -> View:
    """Return that spending is stopped."""
    result = "spending is stopped" if is_changed else "spending was stopped before; its note stays"
    return View([Paragraph(result)])


def spending_resumed(jobs: int, *, is_changed: bool) -> View:
    """Return that spending is allowed.

    Args:
        jobs: those that waited for money and go on; count.
    """
    result = "spending is allowed again" if is_changed else "spending was not stopped"
    go_on = f"; jobs that go on: {jobs:,}" if jobs else ""
    return View([Paragraph(f"{result}{go_on}")])


def _cap(line: Line) -> list[Cell]:
    reopens = "" if line.reopens_at is None else f", reopens {moment(line.reopens_at)}"
    amounts = line.cap_micro_usd, line.spent_micro_usd, line.reserved_micro_usd, line.left_micro_usd
    return [
        f"group {line.name}" if line.scope == "group_day" else line.name,
        line.window_key,
        *("-" if amount is None else usd(amount) for amount in amounts),
        f"{line.state}{reopens}",
    ]


def _model(use: ModelUse) -> list[Cell]:
    tokens = use.input_tokens, use.output_tokens
    return [use.category, use.model, use.calls, *tokens, usd(use.cost_micro_usd)]
