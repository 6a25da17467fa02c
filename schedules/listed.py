"""The schedule for an operator: its entries in a group, and the slots that come next."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from heapq import merge
from itertools import islice

from sqlalchemy import Connection

from afterword.pipeline.core.area import Misfire, Overlap
from afterword.schedules.entry import CronEntry
from afterword.schedules.rows import entries, fired_at
from afterword.schedules.words import cron_words


@dataclass(frozen=True, slots=True)
class ListedEntry:
    """An entry of the schedule, and what it did in one group.

    Args:
        in_words: when it fires, in words.
        next_slot: when it fires next; aware UTC.
        last_fired: None if it never did; aware UTC.
        missed: slots that never fired (count).
    """

    entry: str
    cron: str
    timezone: str
    job: str
    misfire: Misfire
    overlap: Overlap
    in_words: str
    next_slot: datetime
    last_fired: datetime | None = None
    missed: int = 0


@dataclass(frozen=True, slots=True)
class ComingSlot:
    """An instant at which an entry adds its job; aware UTC."""

    slot: datetime
    entry: str
    job: str


def list_entries(conn: Connection, table: Iterable[CronEntry], now: datetime) -> list[ListedEntry]:
    """Return the entries of a schedule, with what each did in a group and when it is next."""
    fired, missed = fired_at(conn), {one.entry: one.missed for one in entries(conn)}
    return [
        ListedEntry(
            *(one.name, one.cron, one.timezone, one.job, one.misfire, one.overlap),
            *(cron_words(one.cron, one.timezone), next(one.slots_after(now))),
            *(fired.get(one.name), missed.get(one.name, 0)),
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
