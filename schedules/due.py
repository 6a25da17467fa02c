"""Decide which slots of an entry fire now, which count as missed, and how long to delay them."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b
from itertools import islice, takewhile
from typing import Final

from afterword.pipeline.clock import iso
from afterword.schedules.entry import CronEntry

MOST_MISSED: Final = 1_000
"""Missed slots that are counted at most, which takes some 30 ms; a week of minutes has ten times as
many."""

LONGEST_GRACE: Final = timedelta(minutes=10)
"""Age at which `skip` drops any slot. Source: procrastinate drops ticks that are later."""


@dataclass(frozen=True, slots=True)
class DueSlots:
    """The slots of an entry that are decided now.

    Args:
        fire: slots to fire, UTC, oldest first.
        missed: slots that never fire (count); exact below 1,000, a lower bound from there on.
        last_slot: the newest slot that is decided, fired or missed; pass it to the next call.
    """

    fire: tuple[datetime, ...]
    missed: int
    last_slot: datetime | None


@dataclass(frozen=True, slots=True)
class PlannedEntry:
    """An entry and its next slot, so that most checks are one comparison.

    Keep one for each entry in memory. When `is_due`, call `due_slots`. Replace it by
    `plan(entry, now)` with the same `now` only after the ticks are committed: a tick that was
    rolled back is then tried again. Clock steps do no harm, because every slot before `next_slot`
    is decided.
    """

    entry: CronEntry
    next_slot: datetime

    def is_due(self, now: datetime) -> bool:
        """Return whether the entry may have a due slot."""
        return self.next_slot <= now


def plan(entry: CronEntry, now: datetime) -> PlannedEntry:
    """Return the entry with its next slot, given that all slots up to now are decided."""
    return PlannedEntry(entry, next_slot(entry, now))


def next_slot(entry: CronEntry, now: datetime) -> datetime:
    """Return the entry's first slot later than now, as a UTC instant."""
    return next(entry.slots_after(now))


def due_slots(
    entry: CronEntry, last_slot: datetime | None, now: datetime, since: datetime
) -> DueSlots:
    """Decide which of the slots that have passed still fire.

    Args:
        last_slot: the newest slot that is decided already; None before the first.
        now: the present; if it is before `last_slot`, the clock was set back and no slot is due.
        since: when this installation first knew the entry in its present form; no slot up to
            then is due.

    Returns:
        The slots later than both `last_slot` and `since`, up to and including `now`, by the
        misfire policy of the entry: `once` fires the newest slot, `catch_up` the newest
        `entry.catch_up` slots, `skip` the newest slot if it is not too old (see `grace`).
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
    """Return the largest age at which `skip` still fires a slot.

    Returns:
        Half the time to the following slot, ten minutes at most.
    """
    return min(LONGEST_GRACE, (next_slot(entry, slot) - slot) / 2)


def jitter(entry: CronEntry, slot: datetime, instance_id: str) -> timedelta:
    """Return how long after its slot the job of this installation starts.

    It differs between installations, so that they do not all ask a shared service at the same
    second. It is the same for all dispatchers of one installation.

    Args:
        entry: its `jitter_s` is the upper bound.
        slot: UTC instant.
        instance_id: the installation's id.

    Returns:
        A fixed delay in [0, jitter_s) seconds.
    """
    if entry.jitter_s == 0:
        return timedelta(0)
    digest = blake2b(f"{entry.name} {iso(slot)} {instance_id}".encode(), digest_size=8).digest()
    return timedelta(microseconds=int.from_bytes(digest) % (entry.jitter_s * 1_000_000))
