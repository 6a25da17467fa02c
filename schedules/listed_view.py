"""The schedule as it is told: its entries, their next slots, and a job that was added."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.views.blocks import Paragraph, Table, View
from afterword.pipeline.views.cells import Cell, Ref
from afterword.pipeline.views.words import moment
from afterword.schedules.listed import ComingSlot, ListedEntry

_ENTRIES: Final = (
    *("entry", "cron", "timezone", "in words", "job", "misfire", "last fired", "next", "missed"),
)
_SPARE: Final = ("misfire", "timezone", "cron")
_SLOTS: Final = ("slot", "entry", "job")
_EMPTY: Final = "the schedule is empty"


def entry_list(listed: Sequence[ListedEntry]) -> View:
    """Return the schedule, and when each entry last fired."""
    return View([Table(_ENTRIES, list(map(_entry, listed)), _EMPTY, _SPARE)])


def slot_list(slots: Sequence[ComingSlot]) -> View:
    """Return slots below each other."""
    return View([Table(_SLOTS, [(moment(one.slot), one.entry, one.job) for one in slots], _EMPTY)])


def job_added(job: str) -> View:
    """Return that a job of the schedule is due."""
    return View([Paragraph(f"{job} is due now")])


def _entry(entry: ListedEntry) -> list[Cell]:
    fired = "never" if entry.last_fired is None else moment(entry.last_fired)
    return [
        Ref(entry.entry, "cron entry", entry.entry),
        *(entry.cron, entry.timezone, entry.in_words, entry.job, entry.misfire),
        *(fired, moment(entry.next_slot), entry.missed),
    ]
