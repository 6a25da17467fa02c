"""The schedule for an operator: its entries in a group, and the slots that come next."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from heapq import merge
from itertools import islice

from sqlalchemy import Connection

from afterword.pipeline.core.area import Misfire, Overlap
from afterword.schedules.entry import CronEntry
from afterword.schedules.rows import entries


@dataclass(frozen=True, slots=True)
class ListedEntry:
    """An entry of the schedule, and what it did in one group.

    Args:
        last_fired: None if it never did; aware UTC.
        missed: slots that never fired (count).
    """

    entry: str
    cron: str
    timezone: str
    job: str
    misfire: Misfire
    overlap: Overlap
    last_fired: datetime | None = None
    missed: int = 0


@dataclass(frozen=True, slots=True)
class ComingSlot:
    """An instant at which an entry adds its job; aware UTC."""

    slot: datetime
    entry: str
    job: str


def list_entries(conn: Connection, table: Iterable[CronEntry]) -> list[ListedEntry]:
    """Return the entries of a schedule, with what each did in a group."""
    known = {one.entry: (one.fired_at, one.missed) for one in entries(conn)}
    return [
        ListedEntry(
            *(one.name, one.cron, one.timezone, one.job, one.misfire, one.overlap),
            *known.get(one.name, ()),
        )
        for one in table
    ]


def coming_slots(table: Iterable[CronEntry], now: datetime, number: int) -> list[ComingSlot]:
    """Return the next slots of all entries, in order.

    Args:
        number: of slots; count.
    """
    slots = merge(*(_slots(entry, now) for entry in table), key=lambda one: (one.slot, one.entry))
    return list(islice(slots, number))


def _slots(entry: CronEntry, now: datetime) -> Iterator[ComingSlot]:
    return (ComingSlot(slot, entry.name, entry.job) for slot in entry.slots_after(now))
