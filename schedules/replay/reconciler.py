"""Free the slice of a dead or frozen worker, and send lost messages again, for one replay."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from afterword.pipeline.clock import Clock, Monotonic
from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.crashes import free_crashed
from afterword.pipeline.core.jobs.reconcile import (
    free_frozen,
    has_sent,
    holders,
    resend_all,
    resend_stale,
)
from afterword.pipeline.core.jobs.registrations import ObservedWorker, WorkerWatch
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import PipelineError
from afterword.schedules.dispatcher.death_watch import DeathWatch
from afterword.schedules.dispatcher.lease_watch import LeaseWatch

STALE_S: Final = 1.0
"""How often messages are looked for that no worker took; seconds."""


@dataclass(slots=True)
class ReplayReconciler:
    """Frees what lost processes hold of one replay; it changes nothing else of the home.

    It does not remove the registrations of dead workers: the dispatchers of the groups need them.
    Those may remove one before it is seen here, so a lease of an unknown process is that of a dead
    one: a process that ends in good order hands its jobs back first.

    Args:
        store: the file of the replay.
        kinds: the kinds of its jobs, by name.
    """

    store: Store
    watch: WorkerWatch
    kinds: Mapping[str, Kind]
    clock: Clock
    monotonic: Monotonic
    _leases: LeaseWatch = field(init=False)
    _deaths: DeathWatch = field(init=False)
    _dead: set[str] = field(default_factory=set)
    _stale_at: float = float("-inf")

    def __post_init__(self) -> None:
        self._leases = LeaseWatch(self.kinds, self.clock, self.monotonic)
        self._deaths = DeathWatch(lambda _address: self.store, self.clock, self.monotonic)

    def step(self) -> list[ObservedWorker]:
        """Free what was lost, and return all registered processes."""
        seen = self.watch.survey()
        self._deaths.observe(seen)
        dead = {one.uid for one in seen if one.state == "dead"}
        try:
            self._free(seen, has_died=bool(dead - self._dead))
        except PipelineError as error:  # such as a slice that holds the writer of the file
            emit("reconcile.skipped", group=self.store.address, error=str(error))
        else:
            self._dead = dead
        self._deaths.settle()
        return seen

    def _free(self, seen: list[ObservedWorker], *, has_died: bool) -> None:
        """Free the leases of lost processes.

        Args:
            has_died: whether a process died that may have fetched messages of this replay.
        """
        with reading(self.store) as conn:
            holding, sent = holders(conn), has_sent(conn)
        lost = self._lost(holding, seen)
        pids = {one.uid: one.pid for one in seen}
        is_time = self.monotonic() >= self._stale_at
        if lost or (sent and (has_died or is_time)):
            self._stale_at = self.monotonic() + STALE_S
            with writing(self.store) as conn:
                for uid, state in lost.items():
                    if state == "frozen":
                        free_frozen(conn, uid, self.clock())
                    else:
                        free_crashed(conn, uid, self.clock(), pids.get(uid))
                    emit("reconcile.freed", owner=uid, state=state)
                if lost or has_died:
                    resend_all(conn)
                after_s = {name: kind.resend_after_s for name, kind in self.kinds.items()}
                resend_stale(conn, after_s, self.clock())
            for uid, state in lost.items():
                if state == "dead":
                    self._deaths.add(uid)  # its registration may be gone
                    self._deaths.note_freed(uid, self.store.address)
        if holding:
            self._leases.free_overdue(self.store)

    def _lost(self, holding: set[str], seen: list[ObservedWorker]) -> dict[str, str]:
        """Return the state of each process that holds a lease and is not alive."""
        doubtful = holding - {one.uid for one in seen if one.state == "alive"}
        if not doubtful:
            return {}
        # A process may have started after that survey; it registers before its first lease.
        states = {one.uid: one.state for one in self.watch.survey()}
        found = {uid: states.get(uid, "dead") for uid in doubtful}
        return {uid: state for uid, state in found.items() if state != "alive"}
