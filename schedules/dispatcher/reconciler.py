"""Free the jobs of dead and frozen workers, and send lost messages again."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.jobs.crashes import free_crashed
from afterword.pipeline.core.jobs.reconcile import (
    free_frozen,
    has_sent,
    holders,
    resend_all,
    resend_stale,
)
from afterword.pipeline.core.jobs.registrations import ObservedWorker, WorkerWatch
from afterword.pipeline.core.store import Stores, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import PipelineError
from afterword.schedules.dispatcher.death_watch import DeathWatch
from afterword.schedules.dispatcher.groups import GroupTracker, TrackedGroup
from afterword.schedules.dispatcher.lease_watch import LeaseWatch
from afterword.workers.routes import Route


@dataclass(slots=True)
class Reconciler:
    """Frees the jobs of other processes; it may run in any number of processes.

    Args:
        watch: remembers the heartbeats of all registered processes.
        leases: frees leases far beyond their deadline.
    """

    stores: Stores
    groups: GroupTracker
    watch: WorkerWatch
    routes: Mapping[str, Route]
    clock: Clock
    leases: LeaseWatch
    _deaths: DeathWatch = field(init=False)
    _freed: dict[str, str] = field(default_factory=dict)  # state then, by worker uid
    _unfreed: dict[str, set[str]] = field(default_factory=dict)  # groups left, by worker uid

    def __post_init__(self) -> None:
        self._deaths = DeathWatch(self.stores.at, self.clock, self.groups.monotonic)

    def free_lost(self) -> list[ObservedWorker]:
        """Free the jobs of dead and frozen processes, and return all registered processes.

        Messages may be lost with them: a worker had fetched them, or a dispatcher was about to
        send them. So every sent job is sent again; a message that comes twice finds no job to
        lease.
        """
        seen = self.watch.survey()
        self._deaths.observe(seen)
        for lost in seen:
            if lost.state == "alive":
                self._freed.pop(lost.uid, None)
                self._unfreed.pop(lost.uid, None)
            elif self._freed.get(lost.uid) != lost.state and self._free(lost):
                emit("reconcile.freed", owner=lost.uid, state=lost.state, pid=lost.pid)
                self._freed[lost.uid] = lost.state
        unsettled = self._deaths.settle()
        for lost in seen:
            # A dead process stays registered while its death may excuse others.
            if self._freed.get(lost.uid) == "dead" and lost.uid not in unsettled:
                self.watch.forget(lost.uid)
                del self._freed[lost.uid]
        return seen

    def free_forgotten(self, seen: list[ObservedWorker]) -> None:
        """Send jobs again whose message was not taken, and free leases that nothing else frees.

        Those are the leases of unknown processes, of frozen processes (which may take leases
        without a heartbeat), and leases far beyond their deadline.
        """
        after = {name: route.kind.resend_after_s for name, route in self.routes.items()}
        for name in self._in_use():
            try:
                store = self.stores.group(name)
                with reading(store) as conn:
                    holding, sent = holders(conn), has_sent(conn)
                lost = self._lost(holding, seen)
                if lost or sent:
                    with writing(store) as conn:
                        now = self.clock()
                        for worker_uid in lost:
                            free_frozen(conn, worker_uid, now)
                        resent = resend_stale(conn, after, now)
                    if resent:
                        emit("reconcile.resent", group=name, jobs=resent)
                overdue = self.leases.free_overdue(store) if holding else 0
                if overdue:
                    emit("reconcile.overdue", group=name, jobs=overdue)
            except PipelineError as error:  # one damaged group must not stop the others
                emit("reconcile.skipped", group=name, error=str(error))

    def _lost(self, holding: set[str], seen: list[ObservedWorker]) -> set[str]:
        """Return which workers are frozen or unknown; `free_lost` frees the jobs of dead ones."""
        doubtful = holding - {one.uid for one in seen if one.state == "alive"}
        if not doubtful:
            return set()
        # A process may have started after that survey; it registers before its first lease.
        states = {one.uid: one.state for one in self.watch.survey()}
        return {uid for uid in doubtful if states.get(uid, "frozen") == "frozen"}

    def _in_use(self) -> list[str]:
        """Return the groups with sent or running jobs; the files of the others stay closed."""
        return [group.name for group in self.groups if group.is_known and group.in_flight]

    def _free(self, lost: ObservedWorker) -> bool:
        """Free the jobs of a worker in every group; False if a group could not be read yet.

        The worker then stays registered, and the next call tries the remaining groups.
        """
        if lost.uid not in self._unfreed:
            self.groups.scan(at_once=True)  # to note its latest leases
            self._unfreed[lost.uid] = {group.name for group in self.groups}
        left = self._unfreed[lost.uid]
        for group in self.groups:
            if group.name not in left or self.groups.must_stay_closed(group):
                continue
            if not self.groups.may_be_in_flight(group) or self._free_in(group, lost):
                left.discard(group.name)
        left &= {group.name for group in self.groups}
        if not left:
            del self._unfreed[lost.uid]
        return not left

    def _free_in(self, group: TrackedGroup, lost: ObservedWorker) -> bool:
        began = self.groups.monotonic()
        try:
            store = self.stores.group(group.name)
            with reading(store) as conn:
                is_holder = lost.uid in holders(conn)
                if not is_holder and not has_sent(conn):
                    return True
            with writing(store) as conn:
                if lost.state == "dead":
                    free_crashed(conn, lost.uid, self.clock(), lost.pid or None)
                else:
                    free_frozen(conn, lost.uid, self.clock())
                resend_all(conn)
            if is_holder:
                self._deaths.note_freed(lost.uid, store.address)
        except PipelineError as error:
            self.groups.fail_read(group, began)
            emit("reconcile.skipped", group=group.name, error=str(error))
            return False
        return True
