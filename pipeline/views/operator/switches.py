"""Switches: how each model task runs, and what changed that."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from afterword.pipeline.gateway.switches import Mode, Switch
from afterword.pipeline.views.blocks import Paragraph, Table, View
from afterword.pipeline.views.cells import Cell, Ref
from afterword.pipeline.views.words import ago

_SWITCHES: Final = ("task", "mode", "since", "note", "purpose")
_CHANGES: Final = ("task", "mode", "since", "note")

_EFFECTS: Final = {
    Mode.ON: "runs",
    Mode.OFF: "does not run",
    Mode.SHADOW: "computes and records its results, and changes nothing",
}


def switch_list(switches: Sequence[Switch], now: datetime) -> View:
    """Return switches below each other, each with what its task is for."""
    rows: list[list[Cell]] = [
        [Ref(switch.task, "switch", switch.task), *_row(switch, now)[1:], switch.meaning]
        for switch in switches
    ]
    return View([Table(_SWITCHES, rows)])


def switch_changes(changes: Sequence[Switch], now: datetime) -> View:
    """Return changes of switches below each other."""
    return View([Table(_CHANGES, [_row(one, now) for one in changes], "no switch was ever set")])


def switch_set(task: str, mode: Mode) -> View:
    """Return how a task runs from now on."""
    return View([Paragraph(f"{task} {_EFFECTS[mode]}")])


def _row(switch: Switch, now: datetime) -> tuple[str, ...]:
    since = "" if switch.changed_at is None else ago(switch.changed_at, now)
    return switch.task, switch.mode.value, since, switch.note
