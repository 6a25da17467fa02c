"""What a dispatcher remembers of each group, so that the files of idle groups stay closed.

A group is read when its file has changed, when one of its jobs comes due, or when a slot of the
schedule fires in it. What was read is valid until the file changes again.
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from afterword.pipeline.clock import Monotonic
from afterword.pipeline.core.jobs.model import QueueHead
from afterword.pipeline.core.store import Stores
from afterword.pipeline.core.store.changes import ChangeWatch, FileWatch

IN_FLIGHT_READ_S: Final = 1.0
"""How often a group with sent or running jobs is read even if its file does not change; seconds."""

_RETRY_S: Final = 1.0
"""Shortest pause before a group that could not be read is read again; seconds."""

MOST_STALE: Final = 1_000
"""Outdated entries in the heap of due times (count); with more, the heap is rebuilt."""


@dataclass(slots=True)
class TrackedGroup:
    """One group, as it was when it was last read.

    Args:
        name: its address, which is its name; of a replay `replay:NAME`.
        is_known: whether it was read since the start, or an attempt failed.
        has_changed: whether its file may have changed since the last read.
        in_flight: whether it has sent or running jobs; True until it was read.
        next_due: when the first waiting job comes due; microseconds.
        backlog: the first ready job of each kind that is not paused.
        resend: whether its sent jobs must be sent again, because Redis lost its messages before
            the group was read.
        retry_at: monotonic seconds; it could not be read, and is not read again before.
        work: since when there is work, by entry of the schedule; None if there is none. Entries
            that were not checked since the last change are missing.
        decided_until: this process has decided the slots up to then.
    """

    name: str
    is_known: bool = False
    has_changed: bool = True
    in_flight: bool = True
    next_due: int | None = None
    backlog: tuple[QueueHead, ...] = ()
    resend: bool = False
    retry_at: float = float("-inf")
    work: dict[str, datetime | None] = field(default_factory=dict)
    decided_until: datetime | None = None


class GroupTracker:
    """All groups of one home, and which of them must be read now.

    Args:
        stores: the files of the home.
        watch: finds the files that changed; None for those of all groups. A replay is run by a
            tracker of its own, whose only group is the replay.
    """

    def __init__(
        self, stores: Stores, monotonic: Monotonic, watch: FileWatch | None = None
    ) -> None:
        self._stores, self.monotonic = stores, monotonic
        self._watch: FileWatch = watch or ChangeWatch(stores.folder, monotonic)
        self._groups: dict[str, TrackedGroup] = {}
        self._changed: dict[str, None] = {}
        self._unknown: dict[str, None] = {}
        self._again: dict[str, float] = {}
        self._due: list[tuple[int, str]] = []
        self._has_scanned = False

    def __iter__(self) -> Iterator[TrackedGroup]:
        return iter(list(self._groups.values()))

    def progress(self) -> str | None:
        """Return in words how many groups were read since the start; None when all were read."""
        if self._has_scanned and not self._unknown:
            return None
        number = len(self._groups)
        return f"starting: {number - len(self._unknown)} of {number} groups"

    def is_quiet(self, until: int) -> bool:
        """Say whether no group has jobs to send, sent or running, or due by a moment.

        Args:
            until: wall clock, microseconds.
        """
        return self.progress() is None and all(_is_quiet(group, until) for group in self)

    def find(self, name: str) -> TrackedGroup | None:
        """Return a group by its name; None if it has no file."""
        return self._groups.get(name)

    def scan(self, *, at_once: bool = False) -> None:
        """Note which files were changed, added or removed.

        Args:
            at_once: check every file, so that all commits before the call are noted.
        """
        changes = self._watch.scan(at_once=at_once)
        self._has_scanned = True
        for name in changes.gone:
            self._stores.discard(name)
            self._groups.pop(name, None)
            for waiting in (self._changed, self._unknown, self._again):
                waiting.pop(name, None)
        for name in changes.replaced:
            self._stores.discard(name)
        for name in changes.changed:
            self._note_change(name)

    def changed_or_due(self, now: int) -> list[TrackedGroup]:
        """Return the groups that have changed, or have a job that came due, since they were read.

        Args:
            now: wall clock, microseconds.
        """
        moment = self.monotonic()
        while self._due and self._due[0][0] <= now:
            due, name = heapq.heappop(self._due)
            group = self._groups.get(name)
            if group is not None and group.next_due == due:
                group.next_due = None  # unknown until the next read
                self._changed[name] = None
        for name in [name for name, at in self._again.items() if at <= moment]:
            del self._again[name]
            self._changed[name] = None
        wanted = (self._groups[name] for name in self._changed)
        return [group for group in wanted if group.retry_at <= moment]

    def unknown(self) -> list[TrackedGroup]:
        """Return the groups that were not read since the start, the last written first."""
        return [self._groups[name] for name in self._unknown]

    def begin_read(self, group: TrackedGroup) -> None:
        """Note that a read of a group begins: every later write is a change."""
        group.has_changed = False
        self._changed.pop(group.name, None)
        self._unknown.pop(group.name, None)
        settles_at = self._watch.settles_at(group.name)
        if self.monotonic() < settles_at:
            self._again[group.name] = settles_at

    def end_read(
        self,
        group: TrackedGroup,
        next_due: int | None,
        backlog: tuple[QueueHead, ...],
        in_flight: bool,
    ) -> None:
        """Remember the result of a read."""
        group.is_known = True
        group.backlog, group.in_flight = backlog, in_flight
        if next_due is not None and next_due != group.next_due:
            self._remember_due(next_due, group.name)
        group.next_due = next_due
        if in_flight:
            self._again.setdefault(group.name, self.monotonic() + IN_FLIGHT_READ_S)

    def fail_read(self, group: TrackedGroup, began: float) -> None:
        """Postpone the next read of a group that could not be read; longer after a long attempt.

        Args:
            began: monotonic seconds; when the attempt began.
        """
        now = self.monotonic()
        group.is_known = group.has_changed = True
        group.retry_at = now + max(_RETRY_S, 2 * (now - began))
        self._changed[group.name] = None

    def is_settled(self, group: TrackedGroup) -> bool:
        """Say whether a read that begins now is valid until a scan notes another change."""
        return self.monotonic() >= self._watch.settles_at(group.name)

    def must_stay_closed(self, group: TrackedGroup) -> bool:
        """Say whether a group must not be opened now: never read, or the last read failed."""
        return not group.is_known or group.retry_at > self.monotonic()

    def may_be_in_flight(self, group: TrackedGroup) -> bool:
        """Say whether a group may have sent or running jobs."""
        return group.in_flight or group.has_changed

    def _remember_due(self, due: int, name: str) -> None:
        if len(self._due) > MOST_STALE + 2 * len(self._groups):  # mostly outdated entries
            self._due = [
                (one.next_due, one.name)
                for one in self._groups.values()
                if one.next_due is not None
            ]
            heapq.heapify(self._due)
        heapq.heappush(self._due, (due, name))

    def _note_change(self, name: str) -> None:
        group = self._groups.get(name)
        if group is None:
            self._groups[name] = TrackedGroup(name)
            self._unknown[name] = None
            return
        group.has_changed = True
        group.work.clear()
        group.retry_at = float("-inf")  # the change may have repaired the file
        self._unknown.pop(name, None)
        self._changed[name] = None


def _is_quiet(group: TrackedGroup, until: int) -> bool:
    if group.has_changed:
        return group.retry_at > float("-inf")  # it cannot be read, and no process could do more
    is_due = group.next_due is not None and group.next_due <= until
    return not (group.backlog or group.in_flight or is_due)
