"""Free every lease that is older than the deadline of its kind.

A worker process frees its own overdue jobs (`workers/worker/heartbeat.py`). This covers a process
that is alive but has lost track of a lease.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from afterword.pipeline.clock import Clock, Monotonic
from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.reconcile import free_overdue, running
from afterword.pipeline.core.store import Store, reading, writing

GRACE_S = 10.0
"""How long after its deadline a lease is freed; seconds. Its own process acts at the deadline."""


@dataclass(slots=True)
class LeaseWatch:
    """Remembers since when each lease has been seen, by the monotonic clock of this process.

    It does not use the wall clock (`leased_at`, `lease_until`), so a clock step frees no lease.

    Args:
        kinds: every kind of job by name; a kind that is missing (of another release) gets the
            longest deadline of all.
        clock: for the history of the job.
        monotonic: seconds.
    """

    kinds: Mapping[str, Kind]
    clock: Clock
    monotonic: Monotonic
    _since: dict[str, dict[tuple[str, int, int], float]] = field(default_factory=dict)

    def free_overdue(self, store: Store) -> int:
        """Free the leases of a group that were seen for too long; return how many."""
        now = self.monotonic()
        with reading(store) as conn:
            leases_now = running(conn)
        before = self._since.get(store.name, {})
        since = self._since[store.name] = {lease: before.get(lease, now) for lease in leases_now}
        overdue: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for (kind, job_id, epoch), moment in since.items():
            if now - moment >= self._kind(kind).deadline_s + GRACE_S:
                overdue[kind].append((job_id, epoch))
        freed = 0
        for kind, leases in overdue.items():
            with writing(store) as conn:
                freed += free_overdue(conn, self._kind(kind), leases, self.clock())
        return freed

    def _kind(self, name: str) -> Kind:
        longest = max(kind.deadline_s for kind in self.kinds.values())
        return self.kinds.get(name) or Kind(name, deadline_s=longest)
