"""Take back the crashes of workers that died at about the same time as others.

The jobs of a dead worker are freed at once, and each counts a crash. The registration stays for
`NEAR_DEATHS_S`, so that every dispatcher sees whether other workers die meanwhile.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field

from afterword.pipeline.clock import Clock, Monotonic
from afterword.pipeline.core.jobs.crashes import NEAR_DEATHS_S, excuse, note_exit
from afterword.pipeline.core.jobs.registrations import ObservedWorker
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import PipelineError


@dataclass(slots=True)
class Death:
    """The death of one worker process.

    Args:
        name: for an operator, such as `worker 4711`.
        seen_at: when it was first seen; monotonic seconds.
        exit_status: see `ObservedWorker`.
        files: addresses of the files in which its jobs counted a crash.
        near: names of the workers that died at about the same time, by uid.
        judged: how many of them have excused what they can (count).
    """

    name: str
    seen_at: float
    exit_status: int | None = None
    files: set[str] = field(default_factory=set)
    near: dict[str, str] = field(default_factory=dict)
    judged: int = 0


@dataclass(slots=True)
class DeathWatch:
    """Remembers the deaths of workers while they may excuse each other.

    Args:
        open_file: returns the file of an address.
        clock: for the history of the job.
        monotonic: seconds; the time between two deaths is measured with it alone.
    """

    open_file: Callable[[str], Store]
    clock: Clock
    monotonic: Monotonic
    _deaths: dict[str, Death] = field(default_factory=dict)
    _unsettled: set[str] = field(default_factory=set)

    def observe(self, seen: Iterable[ObservedWorker]) -> None:
        """Note which workers are dead; call it before their jobs are freed.

        Dispatchers are left out: `afterword up` is a dispatcher and a worker in one process, which
        must not count as two.
        """
        registered = {one.uid: one for one in seen}
        for gone in self._deaths.keys() - registered.keys() - self._unsettled:
            del self._deaths[gone]
        for uid, one in registered.items():
            if one.state == "dead" and one.role != "dispatcher":
                self.add(uid, one.pid)
                self._deaths[uid].exit_status = one.exit_status

    def add(self, uid: str, pid: int = 0) -> None:
        """Note that a worker is dead, if that is not known yet.

        Args:
            pid: its process id; 0 if it is unknown.
        """
        if uid in self._deaths:
            return
        added = Death(f"worker {pid or uid[:8]}", self.monotonic())
        for other_uid in self._unsettled:
            other = self._deaths[other_uid]
            if added.seen_at - other.seen_at <= NEAR_DEATHS_S:
                added.near[other_uid], other.near[uid] = other.name, added.name
        self._deaths[uid] = added
        self._unsettled.add(uid)

    def note_freed(self, uid: str, file: str) -> None:
        """Note that jobs of a dead worker counted a crash in the file of this address."""
        if uid in self._deaths:
            self._deaths[uid].files.add(file)

    def settle(self) -> Collection[str]:
        """Take back the crashes that other deaths excuse; call it after their jobs were freed.

        Returns:
            The uids of the dead workers that a further death may excuse.
        """
        for uid in sorted(self._unsettled):
            death = self._deaths[uid]
            try:
                self._excuse(uid, death)
                if self.monotonic() - death.seen_at > NEAR_DEATHS_S:
                    self._note_exit(uid, death)
                    self._unsettled.discard(uid)
            except PipelineError as error:  # the next call tries again
                emit("reconcile.skipped", owner=uid, error=str(error))
        return self._unsettled

    def _excuse(self, uid: str, death: Death) -> None:
        near = len(death.near)
        if near == death.judged:
            return
        excused = 0
        for file in death.files:
            with writing(self.open_file(file)) as conn:
                excused += excuse(conn, uid, death.near, self.clock())
        death.judged = near
        if excused:
            emit("reconcile.excused", owner=uid, jobs=excused)

    def _note_exit(self, uid: str, death: Death) -> None:
        if death.exit_status is None:
            return
        for file in death.files:
            with writing(self.open_file(file)) as conn:
                note_exit(conn, uid, death.exit_status)
