"""Gives back what other processes left behind: killed, frozen, or forgetful ones."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pipeline.clock import Clock
from pipeline.errors import PipelineError
from pipeline.jobs.owners import Seen, Watch
from pipeline.jobs.reconcile import (
    free_crashed,
    free_frozen,
    has_sent,
    holders,
    resend_all,
    resend_stale,
)
from pipeline.store import Shelf, reading, writing
from pipeline.telemetry import tell
from workers.routes import Route

ALL_EVERY = 30
"""Every so many rounds the idle groups are looked at too."""


@dataclass(slots=True)
class Reconciler:
    """Looks after the jobs of others; safe to run in any number of processes."""

    shelf: Shelf
    watch: Watch
    routes: Mapping[str, Route]
    clock: Clock
    _freed: set[str] = field(default_factory=set)
    _round: int = 0

    def free_lost(self) -> list[Seen]:
        """Give back the jobs of dead and frozen processes, and return all that were seen.

        What was sent may be lost with them: a worker had fetched it, a dispatcher was about to
        send it. So every sent row is sent again; a message too many finds nothing to take.
        """
        seen = self.watch.survey()
        for lost in seen:
            if lost.state == "alive":
                self._freed.discard(lost.uid)
            elif lost.uid not in self._freed and self._free(lost.uid, lost.state):
                tell("reconcile.freed", owner=lost.uid, state=lost.state, pid=lost.pid)
                if lost.state == "dead":
                    self.watch.forget(lost.uid)
                else:
                    self._freed.add(lost.uid)
        return seen

    def free_forgotten(self, seen: list[Seen]) -> None:
        """Send again what was sent and never taken, and free leases of owners nobody knows."""
        known = {one.uid for one in seen}
        after = {name: route.kind.resend_after_s for name, route in self.routes.items()}
        for name in self._in_use():
            try:
                store = self.shelf.group(name)
                with reading(store) as conn:
                    unknown = holders(conn) - known
                    sent = has_sent(conn)
                if unknown:  # it may have come after the last look; it was there before its lease
                    unknown -= {one.uid for one in self.watch.survey()}
                if not (unknown or sent):
                    continue
                with writing(store) as conn:
                    now = self.clock()
                    for owner in unknown:
                        free_frozen(conn, owner, now)
                    resent = resend_stale(conn, after, now)
                if resent:
                    tell("reconcile.resent", group=name, jobs=resent)
            except PipelineError as error:  # one damaged group must not stop the others
                tell("reconcile.skipped", group=name, error=str(error))

    def _in_use(self) -> list[str]:
        """Return groups somebody has open (they have a write-ahead log); all of them now and then.

        An idle group's file stays closed.
        """
        self._round += 1
        names = self.shelf.groups()
        if self._round % ALL_EVERY == 1:
            return names
        return [name for name in names if self.shelf.wal_path(name).exists()]

    def _free(self, owner: str, state: str) -> bool:
        """Free an owner's jobs in every group; False if one could not be asked.

        The owner then stays known, and the next look tries again.
        """
        free = free_crashed if state == "dead" else free_frozen
        complete = True
        for name in self.shelf.groups():
            try:
                store = self.shelf.group(name)
                with reading(store) as conn:
                    if owner not in holders(conn) and not has_sent(conn):
                        continue
                with writing(store) as conn:
                    free(conn, owner, self.clock())
                    resend_all(conn)
            except PipelineError as error:
                tell("reconcile.skipped", group=name, error=str(error))
                complete = False
        return complete
