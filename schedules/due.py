"""Which slots of an entry are to fire now, which are lost, and how far to spread them."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b
from itertools import islice, takewhile
from typing import Final

from afterword.pipeline.clock import iso
from afterword.schedules.entry import CronEntry

MOST_MISSED: Final = 1_000
"""Missed slots that one look counts, in some 30 ms; a minutely week holds ten times as many."""

LONGEST_GRACE: Final = timedelta(minutes=10)
"""Age at which `skip` gives up any slot. Source: procrastinate drops ticks later than that."""


@dataclass(frozen=True, slots=True)
class DueSlots:
    """What one look found.

    Args:
        fire: slots to fire, UTC, oldest first.
        missed: slots passed over for good, count; exact below 1,000, from there a lower bound.
        last_slot: newest slot now settled, fired or missed: what the next look must be given.
    """

    fire: tuple[datetime, ...]
    missed: int
    last_slot: datetime | None


@dataclass(frozen=True, slots=True)
class PlannedEntry:
    """An entry and the first slot still to come, so that most looks are one comparison.

    Hold one for each entry in memory. Once `is_due`, ask `due_slots`, and replace it by
    `plan(entry, now)` with the same `now` after the ticks are committed, not before: a tick that
    was rolled back is then looked for again. It survives clock steps, as everything before
    `next_slot` is settled.
    """

    entry: CronEntry
    next_slot: datetime

    def is_due(self, now: datetime) -> bool:
        """Return whether a look at the entry could find anything."""
        return self.next_slot <= now


def plan(entry: CronEntry, now: datetime) -> PlannedEntry:
    """Return when the entry is next worth a look, given that all up to now is settled."""
    return PlannedEntry(entry, next_slot(entry, now))


def next_slot(entry: CronEntry, now: datetime) -> datetime:
    """Return the entry's first slot later than now, as a UTC instant."""
    return next(entry.slots_after(now))


def due_slots(
    entry: CronEntry, last_slot: datetime | None, now: datetime, since: datetime
) -> DueSlots:
    """Decide which slots passed since the last look still fire.

    Args:
        entry: whose slots.
        last_slot: newest slot already settled; None before the first.
        now: the present; before `last_slot` when the clock was set back, and then nothing is due.
        since: when this installation first knew the entry as it reads now; no slot up to then
            is due.

    Returns:
        The slots later than both `last_slot` and `since`, up to and including `now`, divided by
        the entry's misfire policy: `once` fires the newest, `catch_up` the newest so many,
        `skip` the newest while it is fresh (see `grace`).
    """
    after = since if last_slot is None else max(last_slot, since)
    newest_first = takewhile(lambda slot: slot > after, entry.slots_until(now))
    newest = list(islice(newest_first, entry.catch_up or 1))
    if not newest:
        return DueSlots((), 0, last_slot)
    older = sum(1 for _ in islice(newest_first, MOST_MISSED))
    if entry.misfire == "skip" and now - newest[0] > grace(entry, newest[0]):
        return DueSlots((), older + 1, newest[0])
    return DueSlots(tuple(reversed(newest)), older, newest[0])


def grace(entry: CronEntry, slot: datetime) -> timedelta:
    """Return the age up to which `skip` still fires a slot.

    Returns:
        Half the time to the following slot, ten minutes at most.
    """
    return min(LONGEST_GRACE, (next_slot(entry, slot) - slot) / 2)


def jitter(entry: CronEntry, slot: datetime, instance_id: str) -> timedelta:
    """Return how long after its slot the job of this installation is to start.

    Installations that share an upstream thereby do not all ask it on the minute, and the
    dispatchers of one installation agree.

    Args:
        entry: whose `jitter_s` is the bound.
        slot: UTC instant.
        instance_id: the installation's own id.

    Returns:
        A fixed part of `jitter_s`, in [0, jitter_s) seconds.
    """
    if entry.jitter_s == 0:
        return timedelta(0)
    digest = blake2b(f"{entry.name} {iso(slot)} {instance_id}".encode(), digest_size=8).digest()
    return timedelta(microseconds=int.from_bytes(digest) % (entry.jitter_s * 1_000_000))
