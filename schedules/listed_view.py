"""The schedule as it is told: its entries, their next slots, and a job that was added."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.clock import iso
from afterword.pipeline.views.blocks import Paragraph, Table, View
from afterword.pipeline.views.cells import Cell
from afterword.schedules.listed import ComingSlot, ListedEntry

_ENTRIES: Final = ("entry", "cron", "timezone", "job", "misfire", "last_fired", "missed")
_SLOTS: Final = ("slot", "entry", "job")
_EMPTY: Final = "the schedule is empty"


def entry_list(listed: Sequence[ListedEntry]) -> View:
    """Return the schedule, and when each entry last fired."""
    return View([Table(_ENTRIES, list(map(_entry, listed)), _EMPTY)])


def slot_list(slots: Sequence[ComingSlot]) -> View:
    """Return slots below each other."""
    return View([Table(_SLOTS, [(iso(one.slot), one.entry, one.job) for one in slots], _EMPTY)])


def job_added(job: str) -> View:
    """Return that a job of the schedule is due."""
    return View([Paragraph(f"{job} is due now")])


def _entry(one: ListedEntry) -> list[Cell]:
    fired = "never" if one.last_fired is None else iso(one.last_fired)
    return [one.entry, one.cron, one.timezone, one.job, one.misfire, fired, one.missed]
