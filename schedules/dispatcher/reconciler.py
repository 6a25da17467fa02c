"""Gives back what other processes left behind: killed, frozen, or forgetful ones."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.jobs.reconcile import (
    free_crashed,
    free_frozen,
    has_sent,
    holders,
    resend_all,
    resend_stale,
)
from afterword.pipeline.core.jobs.registrations import ObservedWorker, Watch
from afterword.pipeline.core.store import Stores, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import PipelineError
from afterword.schedules.dispatcher.groups import Group, Groups
from afterword.schedules.dispatcher.lease_watch import LeaseWatch
from afterword.workers.routes import Route


@dataclass(slots=True)
class Reconciler:
    """Looks after the jobs of others; safe to run in any number of processes."""

    stores: Stores
    groups: Groups
    watch: Watch
    routes: Mapping[str, Route]
    clock: Clock
    leases: LeaseWatch
    _freed: set[str] = field(default_factory=set)
    _left: dict[str, set[str]] = field(default_factory=dict)

    def free_lost(self) -> list[ObservedWorker]:
        """Give back the jobs of dead and frozen processes, and return all that were seen.

        What was sent may be lost with them: a worker had fetched it, a dispatcher was about to
        send it. So every sent row is sent again; a message too many finds nothing to take.
        """
        seen = self.watch.survey()
        for lost in seen:
            if lost.state == "alive":
                self._freed.discard(lost.uid)
                self._left.pop(lost.uid, None)
            elif lost.uid not in self._freed and self._free(lost.uid, lost.state):
                emit("reconcile.freed", owner=lost.uid, state=lost.state, pid=lost.pid)
                if lost.state == "dead":
                    self.watch.forget(lost.uid)
                else:
                    self._freed.add(lost.uid)
        return seen

    def free_forgotten(self, seen: list[ObservedWorker]) -> None:
        """Send jobs again that were sent and never taken; free leases that nothing else would end.

        Those are leases of unknown processes, of frozen ones (which may take leases without showing
        a heartbeat), and leases far beyond their deadline.
        """
        after = {name: route.kind.resend_after_s for name, route in self.routes.items()}
        for name in self._in_use():
            try:
                store = self.stores.group(name)
                with reading(store) as conn:
                    owners, sent = holders(conn), has_sent(conn)
                lost = self._lost(owners, seen)
                if lost or sent:
                    with writing(store) as conn:
                        now = self.clock()
                        for owner in lost:
                            free_frozen(conn, owner, now)
                        resent = resend_stale(conn, after, now)
                    if resent:
                        emit("reconcile.resent", group=name, jobs=resent)
                overdue = self.leases.free_overdue(store) if owners else 0
                if overdue:
                    emit("reconcile.overdue", group=name, jobs=overdue)
            except PipelineError as error:  # one damaged group must not stop the others
                emit("reconcile.skipped", group=name, error=str(error))

    def _lost(self, owners: set[str], seen: list[ObservedWorker]) -> set[str]:
        """Return which owners are frozen or unknown; `free_lost` frees those of the dead."""
        doubtful = owners - {one.uid for one in seen if one.state == "alive"}
        if not doubtful:
            return set()
        # A process may have come after the last look; it was there before its first lease.
        states = {one.uid: one.state for one in self.watch.survey()}
        return {owner for owner in doubtful if states.get(owner, "frozen") == "frozen"}

    def _in_use(self) -> list[str]:
        """Return groups with jobs that were sent or run; an idle group's file stays closed."""
        return [group.name for group in self.groups if group.is_known and group.in_flight]

    def _free(self, owner: str, state: str) -> bool:
        """Free an owner's jobs in every group; False if a group could not be read yet.

        The owner then stays known, and the next call tries the groups that are left.
        """
        if owner not in self._left:
            self.groups.scan(at_once=True)  # so that its latest leases are noted
            self._left[owner] = {group.name for group in self.groups}
        left = self._left[owner]
        for group in self.groups:
            if group.name not in left or self.groups.is_left_alone(group):
                continue
            if not self.groups.may_be_in_flight(group) or self._free_in(group, owner, state):
                left.discard(group.name)
        left &= {group.name for group in self.groups}
        if not left:
            del self._left[owner]
        return not left

    def _free_in(self, group: Group, owner: str, state: str) -> bool:
        free = free_crashed if state == "dead" else free_frozen
        began = self.groups.monotonic()
        try:
            store = self.stores.group(group.name)
            with reading(store) as conn:
                if owner not in holders(conn) and not has_sent(conn):
                    return True
            with writing(store) as conn:
                free(conn, owner, self.clock())
                resend_all(conn)
        except PipelineError as error:
            self.groups.fail_look(group, began)
            emit("reconcile.skipped", group=group.name, error=str(error))
            return False
        return True
