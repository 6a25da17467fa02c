"""Fire what is due: each slot once, its tick and its job in one transaction."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection

from pipeline.clock import Clock
from pipeline.jobs.add import add
from pipeline.jobs.model import Kind
from pipeline.store import Shelf, reading, writing
from pipeline.telemetry import tell
from schedules.due import Due, Planned, due_slots, jitter, plan
from schedules.entry import Entry
from schedules.rows import add_tick, entries, know, settle


@dataclass(slots=True)
class Ticker:
    """One group's schedule; any number of dispatchers may tick it, each slot fires once.

    Args:
        kinds: returns the kind of a job name.
    """

    shelf: Shelf
    group: str
    table: Iterable[Entry]
    kinds: Callable[[str], Kind]
    clock: Clock
    _planned: dict[str, Planned] = field(default_factory=dict)

    def step(self) -> int:
        """Fire the slots that came due since the last look; return how many jobs were added."""
        now = self.clock()
        fired = 0
        for entry in self.table:
            planned = self._planned.get(entry.name)
            if planned is not None and not planned.is_due(now):
                continue
            if planned is None and not self._is_due(entry, now):
                self._planned[entry.name] = plan(entry, now)
                continue
            kind = self.kinds(entry.job)
            # Asked for anew each time: the shelf closes files it knows to be idle.
            with writing(self.shelf.group(self.group)) as conn:
                fired += fire(conn, entry, kind, self.shelf.instance_id, now)
            # Only now: a tick that was rolled back must be looked for again.
            self._planned[entry.name] = plan(entry, now)
        return fired

    def _is_due(self, entry: Entry, now: datetime) -> bool:
        """Look without writing: the first look of each start mostly finds nothing."""
        with reading(self.shelf.group(self.group)) as conn:
            known = next((one for one in entries(conn) if one.entry == entry.name), None)
        if known is None:
            return True
        return due_slots(entry, known.last_slot, now, known.since).last_slot != known.last_slot


def fire(conn: Connection, entry: Entry, kind: Kind, instance_id: str, now: datetime) -> int:
    """Add the jobs of an entry's due slots and settle them; return how many were added."""
    known = know(conn, entry.name, f"{entry.cron} {entry.timezone}", now)
    due: Due = due_slots(entry, known.last_slot, now, known.since)
    if due.last_slot is None or due.last_slot == known.last_slot:
        return 0
    added = sum(add_slot(conn, entry, kind, slot, instance_id, now) for slot in due.fire)
    settle(conn, entry.name, due.last_slot, due.missed)
    late_s = (now - due.last_slot).total_seconds()
    tell("cron.fired", entry=entry.name, jobs=added, missed=due.missed, late_s=late_s)
    return added


def add_slot(
    conn: Connection, entry: Entry, kind: Kind, slot: datetime, instance_id: str, now: datetime
) -> bool:
    """Add one slot's tick and its job; False if the slot has fired already."""
    if not add_tick(conn, entry.name, slot, now):
        return False
    add(
        conn,
        kind,
        entry.payload,
        now,
        key=entry.job_key(slot),
        run_at=max(slot, now) + jitter(entry, slot, instance_id),
    )
    return True
