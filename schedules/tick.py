"""Fire due slots: each slot once, with its tick and its job in one transaction."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.has_work import UNKNOWN_START
from afterword.pipeline.core.store import Stores, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import PipelineError
from afterword.schedules.dispatcher.groups import GroupTracker, TrackedGroup
from afterword.schedules.due import DueSlots, PlannedEntry, due_slots, jitter, plan
from afterword.schedules.entry import CronEntry
from afterword.schedules.rows import (
    EntryState,
    add_tick,
    created_at,
    entries,
    keep_entry,
    keep_spec,
    known_specs,
    settle,
)
from afterword.schedules.work import HasWork, has_work_since

SLICE_S = 0.25
"""Longest time of one step; seconds. The next step continues with the remaining groups."""


@dataclass(frozen=True, slots=True)
class DueEntry:
    """An entry with slots to decide in one group.

    Args:
        begins: since when the group knows the entry.
        since: no slot up to then is due.
        counts_missed: whether slots that do not fire count as missed; False if it is not known
            since when there was work for them.
    """

    entry: CronEntry
    begins: datetime
    since: datetime
    counts_missed: bool


@dataclass(slots=True)
class Ticker:
    """Fires the schedule in all groups; with any number of dispatchers each slot fires once.

    A slot fires only in groups that have work for it. To find that out, the file of a group is
    read only if it has changed since the last time.

    Args:
        groups: the tracked groups; the relay keeps them up to date.
        kinds: returns the kind of a job name.
        work: the rules that say since when a group has work, by the name of the job; a job
            without a rule always has work.
    """

    stores: Stores
    groups: GroupTracker
    table: Iterable[CronEntry]
    kinds: Callable[[str], Kind]
    work: Mapping[str, HasWork]
    clock: Clock
    _since: dict[str, datetime] = field(default_factory=dict)
    _planned: dict[str, PlannedEntry] = field(default_factory=dict)
    _until: datetime | None = None
    _undecided: dict[str, dict[str, CronEntry]] = field(default_factory=dict)
    has_more: bool = field(default=False, init=False)
    """Whether the last step ran out of time and left groups for the next step."""

    def step(self) -> int:
        """Decide the slots that came due since the last step, for `SLICE_S` at most.

        Returns:
            How many jobs were added.
        """
        self._notice_due()
        fired, stop_at = 0, self.groups.monotonic() + SLICE_S
        self.has_more = False
        for name in sorted(self._undecided, key=self._is_unknown):
            group = self.groups.find(name)
            if group is None:
                del self._undecided[name]
            elif group.retry_at <= self.groups.monotonic():
                fired += self._settle_group(group)
            if self.groups.monotonic() >= stop_at:
                self.has_more = True
                break
        return fired

    def _notice_due(self) -> None:
        """Note the entries with due slots; they are then decided in every group."""
        now = self.clock()
        due = [
            entry
            for entry in self.table
            if entry.name not in self._planned or self._planned[entry.name].is_due(now)
        ]
        if due:
            if not self._since:
                self._since = self._known_since(now)
            # Commits before this scan count for these slots, later commits for later slots.
            self.groups.scan(at_once=True)
            self._until = now
        for group in self.groups:
            new = group.decided_until is None and group.name not in self._undecided
            wanted = list(self.table) if new else due
            if wanted:
                self._undecided.setdefault(group.name, {}).update((one.name, one) for one in wanted)
        for entry in due:
            self._planned[entry.name] = plan(entry, now)

    def _is_unknown(self, name: str) -> bool:
        """Say whether a group was not read yet: its first read may show that it has no work."""
        group = self.groups.find(name)
        return group is not None and not group.is_known

    def _known_since(self, now: datetime) -> dict[str, datetime]:
        """Return since when this installation knows each entry; store new and changed entries."""
        specs = {entry.name: _spec(entry) for entry in self.table}
        with reading(self.stores.instance) as conn:
            known = known_specs(conn)
        new = [name for name, spec in specs.items() if name not in known or known[name][0] != spec]
        if new:
            with writing(self.stores.instance) as conn:
                for name in new:
                    keep_spec(conn, name, specs[name], now)
                known = known_specs(conn)
        return {name: known[name][1] for name in specs}

    def note_work(self, conn: Connection, group: TrackedGroup) -> None:
        """Remember since when a group has work for every entry, while its file is read anyway.

        Most groups have none: their files are not opened again when slots come due.

        Args:
            group: it was settled before its file was opened.
        """
        fired = {one.entry: one.fired_at for one in entries(conn)}
        now = self.clock()
        for entry in self.table:
            group.work[entry.name] = self._has_work(conn, entry, now, fired.get(entry.name))

    def _settle_group(self, group: TrackedGroup) -> int:
        began = self.groups.monotonic()
        assert self._until is not None, "_notice_due has run"
        try:
            fired = self._fire_in(group, self._undecided[group.name], self._until)
        except PipelineError as error:  # one damaged group must not stop the others
            self.groups.fail_read(group, began)
            emit("cron.skipped", group=group.name, error=str(error))
            return 0
        # Only after the commit: a tick that was rolled back is tried again.
        group.decided_until = self._until
        del self._undecided[group.name]
        return fired

    def _fire_in(self, group: TrackedGroup, due: Mapping[str, CronEntry], now: datetime) -> int:
        wanted = [entry for entry in due.values() if _may_have_work(group, entry, now)]
        if not wanted:
            return 0
        found = self._read_work(group, wanted, now)
        if not found:
            return 0
        with writing(self.stores.group(group.name)) as conn:
            return sum(self._fire(conn, one, now) for one in found)

    def _read_work(
        self, group: TrackedGroup, due: Iterable[CronEntry], now: datetime
    ) -> list[DueEntry]:
        """Read for which entries a group has work, and return those with slots to decide."""
        is_settled = self.groups.is_settled(group)

        def read(conn: Connection) -> list[DueEntry]:
            known, made_at = {one.entry: one for one in entries(conn)}, created_at(conn)
            found = []
            for entry in due:
                before = known.get(entry.name)
                since = self._has_work(conn, entry, now, before.fired_at if before else None)
                if is_settled:
                    group.work[entry.name] = since
                if since is not None and since <= now:
                    one = self._due_entry(entry, group, before, made_at, since, now)
                    last_slot = before.last_slot if before else None
                    if due_slots(entry, last_slot, now, one.since).last_slot != last_slot:
                        found.append(one)
            return found

        return self.stores.look(group.name, read)

    def _has_work(
        self, conn: Connection, entry: CronEntry, now: datetime, fired_at: datetime | None
    ) -> datetime | None:
        """Return since when a group has work for an entry; None if it has none."""
        return has_work_since(self.work, conn, entry, now, fired_at)

    def _due_entry(
        self,
        entry: CronEntry,
        group: TrackedGroup,
        before: EntryState | None,
        made_at: datetime,
        since: datetime,
        now: datetime,
    ) -> DueEntry:
        is_same = before is not None and before.spec == _spec(entry)
        begins = before.since if before and is_same else max(self._since[entry.name], made_at)
        decided = group.decided_until
        if decided is None or decided > now:  # after a clock step only the file is reliable
            decided = begins
        counts_missed = since != UNKNOWN_START or self.work.get(entry.job) is None
        return DueEntry(entry, begins, max(begins, since, decided), counts_missed)

    def _fire(self, conn: Connection, found: DueEntry, now: datetime) -> int:
        return fire(conn, found, self.kinds(found.entry.job), self.stores.instance_id, now)


def fire(conn: Connection, found: DueEntry, kind: Kind, instance_id: str, now: datetime) -> int:
    """Add the jobs of an entry's due slots, and store the decision; return how many were added."""
    entry = found.entry
    known = keep_entry(conn, entry.name, _spec(entry), found.begins)
    due: DueSlots = due_slots(entry, known.last_slot, now, found.since)
    if due.last_slot is None or due.last_slot == known.last_slot:
        return 0
    added = sum(add_slot(conn, entry, kind, slot, instance_id, now) for slot in due.fire)
    missed = due.missed if found.counts_missed else 0
    settle(conn, entry.name, due.last_slot, missed)
    late_s = (now - due.last_slot).total_seconds()
    emit("cron.fired", entry=entry.name, jobs=added, missed=missed, late_s=late_s)
    return added


def add_slot(
    conn: Connection, entry: CronEntry, kind: Kind, slot: datetime, instance_id: str, now: datetime
) -> bool:
    """Add one slot's tick and its job; False if the slot has fired before, or its job is dead."""
    is_new = add_tick(conn, entry.name, slot, now)
    return is_new and add_job(conn, entry, kind, slot, instance_id, now)


def add_job(
    conn: Connection, entry: CronEntry, kind: Kind, slot: datetime, instance_id: str, now: datetime
) -> bool:
    """Add the job of a slot; False if its last job is dead."""
    return add(
        conn,
        kind,
        entry.payload,
        now,
        key=entry.job_key(slot),
        run_at=max(slot, now) + jitter(entry, slot, instance_id),
    )


def _may_have_work(group: TrackedGroup, entry: CronEntry, now: datetime) -> bool:
    """Say whether a group must be read: its file has changed, or its next work is due."""
    if entry.name not in group.work:
        return True
    since = group.work[entry.name]
    return since is not None and since <= now


def _spec(entry: CronEntry) -> str:
    return f"{entry.cron} {entry.timezone}"
