"""Show that this process is alive, and free the jobs that it can no longer finish."""

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from afterword.pipeline.clock import Monotonic
from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.fail import hand_back
from afterword.pipeline.core.jobs.lease import LeaseLostError, Leases
from afterword.pipeline.core.jobs.reconcile import free_hung
from afterword.pipeline.core.jobs.registrations import WorkerRegistration
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import PipelineError, UnavailableError
from afterword.workers.broker.broker import Delivery

HEARTBEAT_S = 1.0
"""How often a process writes its heartbeat; seconds."""

SILENT_AFTER_S = 20.0
"""A process that could not write its heartbeat for so long exits; seconds. Other processes take it
for frozen a little later (`FROZEN_AFTER_S`)."""

TURN_S = 0.2
"""How often a delivery that waits for its turn checks whether its process stops; seconds."""


@dataclass(frozen=True, slots=True)
class RunningDelivery:
    """The jobs that one worker thread is running now.

    Args:
        deadline_at: when another worker gets them; monotonic seconds.
    """

    store: Store
    kind: Kind
    leases: Leases
    deadline_at: float


class LeaseHeartbeat:
    """All leases of this process, watched by one heartbeat thread.

    The deadline of a job is measured with the monotonic clock of the process that runs it, so a
    step of the wall clock frees no job. After the deadline the job is freed for other workers, and
    its late commit is refused because the epoch has changed.

    Args:
        registration: the registration of this process.
        threads: how many jobs it runs at once.
        on_heartbeat: called with every heartbeat, to renew whatever else may expire.
    """

    def __init__(
        self,
        registration: WorkerRegistration,
        threads: int,
        monotonic: Monotonic,
        on_heartbeat: Callable[[], None],
    ) -> None:
        self._registration, self._threads = registration, threads
        self._monotonic, self._on_heartbeat = monotonic, on_heartbeat
        self._mine = threading.local()
        self._running: dict[Delivery, RunningDelivery] = {}
        self._hung: set[Delivery] = set()
        self._abandoned: dict[Delivery, RunningDelivery] = {}
        self._isolated: Delivery | None = None
        self._begun: set[Delivery] = set()
        self._by_itself: Delivery | None = None
        self._lock = threading.Lock()
        self._turn = threading.Condition(self._lock)
        self._stop = threading.Event()
        self.stuck = threading.Event()
        """Set when this process cannot go on: it must hand back its jobs and exit."""
        self.stuck_because = ""
        """The reason, once `stuck` is set."""
        self._written_at = monotonic()
        self._thread = threading.Thread(target=self._watch, name="heartbeat", daemon=True)

    def start(self) -> None:
        """Begin to write heartbeats."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the heartbeat and end the registration; call it after all jobs were handed back."""
        self._stop.set()
        if self._thread.is_alive():  # it may never have been started
            self._thread.join()
        self._registration.leave()

    def add(self, delivery: Delivery, store: Store, kind: Kind, leases: Leases) -> None:
        """Watch the jobs that this thread starts to run."""
        run = RunningDelivery(store, kind, leases, self._monotonic() + kind.deadline_s)
        self._mine.run = run
        with self._lock:
            self._running[delivery] = run

    def get(self, delivery: Delivery) -> RunningDelivery | None:
        """Return the running jobs of a delivery; None if it leased none."""
        with self._lock:
            return self._running.get(delivery)

    def remove(self, delivery: Delivery) -> None:
        """Stop watching jobs that their thread has settled."""
        with self._lock:
            self._forget(delivery)

    def abandon(self, delivery: Delivery) -> None:
        """Keep the jobs that their thread could not settle; the heartbeat will hand them back."""
        with self._lock:
            self._abandoned[delivery] = self._running[delivery]
            self._forget(delivery)

    def begin_isolated(self, delivery: Delivery) -> bool:
        """Let one message of isolated jobs run at a time; False while another one runs."""
        with self._lock:
            if self._isolated is None:
                self._isolated = delivery
            return self._isolated == delivery

    def await_turn(self, delivery: Delivery, *, by_itself: bool, stopping: threading.Event) -> None:
        """Wait until a delivery may run beside the others of this process.

        A process that serves every queue needs this: if it dies while a suspect runs by itself, no
        other job is to blame. Until then no further delivery begins.

        Args:
            by_itself: whether it must be the only one; at most one such delivery at a time.
            stopping: ends the wait.
        """
        with self._turn:
            if by_itself:
                self._by_itself = delivery
            while self._must_wait(delivery) and not stopping.is_set():
                self._turn.wait(TURN_S)
            self._begun.add(delivery)

    def _must_wait(self, delivery: Delivery) -> bool:
        if self._by_itself == delivery:
            return bool(self._begun - self._hung)  # a thread that hangs has lost its jobs
        return self._by_itself is not None

    def current(self) -> RunningDelivery:
        """Return the jobs that this thread runs; call it only between `add` and `remove`."""
        run: RunningDelivery = self._mine.run
        return run

    def busy(self) -> int:
        """Return how many threads are running jobs."""
        with self._lock:
            return len(self._running)

    def hand_back_all(self, note: str) -> int:
        """Hand back every leased job, at no cost to its attempts; return how many."""
        with self._lock:
            runs = [*self._running.values(), *self._abandoned.values()]
        handed_back = 0
        for one in runs:
            try:
                with writing(one.store) as conn:
                    hand_back(conn, one.leases, note)
                handed_back += len(one.leases)
            except LeaseLostError:
                continue  # the jobs have just ended, or were freed
            except PipelineError as error:  # the reconciler frees them after this process has ended
                emit("jobs.unsettled", kind=one.kind.name, jobs=len(one.leases), error=str(error))
        return handed_back

    def _watch(self) -> None:
        steps = (self._write, self._on_heartbeat, self.free_overdue, self.hand_back_abandoned)
        try:
            while not self._stop.wait(HEARTBEAT_S):
                for step in steps:
                    self._try(step)
                if self._monotonic() - self._written_at >= SILENT_AFTER_S:
                    self._give_up("its heartbeat could not be written")
        except BaseException as error:
            # Only this thread frees hung jobs: without it the process must not go on.
            self._give_up(f"its heartbeat thread failed: {type(error).__name__}: {error}")
            raise

    def _try(self, step: Callable[[], None]) -> None:
        try:
            step()
        except PipelineError as error:  # the next heartbeat tries again
            emit("heartbeat.failed", error=str(error))

    def _write(self) -> None:
        self._registration.write_heartbeat()
        self._written_at = self._monotonic()

    def _give_up(self, reason: str) -> None:
        if not self.stuck.is_set():
            self.stuck_because = reason
            self.stuck.set()

    def hand_back_abandoned(self) -> None:
        """Hand back the jobs that their thread could not settle."""
        with self._lock:
            abandoned = list(self._abandoned.items())
        for delivery, run in abandoned:
            with suppress(LeaseLostError), writing(run.store) as conn:
                hand_back(conn, run.leases, "the end of its run could not be written")
            with self._lock:
                del self._abandoned[delivery]

    def free_overdue(self) -> None:
        """Free jobs past their deadline for other workers; their threads may never return.

        A thread counts as hung from the next heartbeat on. After a whole process was stopped and
        continued, its jobs are past their deadline, but its threads run again and may end in time.
        """
        now = self._monotonic()
        with self._lock:
            if self._hung and len(self._hung) * 2 >= self._threads:
                self._give_up("half its threads hang")
            overdue = [
                (delivery, run)
                for delivery, run in self._running.items()
                if run.deadline_at <= now and delivery not in self._hung
            ]
        for delivery, run in overdue:
            if not self._free(run):
                continue  # the next heartbeat tries again
            emit("jobs.hung", kind=run.kind.name, jobs=len(run.leases))
            with self._lock:
                if delivery in self._running:
                    self._hung.add(delivery)

    def _free(self, run: RunningDelivery) -> bool:
        """Free overdue jobs; True if nothing is left to try."""
        try:
            with suppress(LeaseLostError), writing(run.store) as conn:
                free_hung(conn, run.leases, run.kind)
        except UnavailableError as error:
            emit("heartbeat.failed", error=str(error))
            # A slice of a replay holds the only writer of its file: nobody can free it before it
            # ends, or this process does. Each further try would stop the heartbeat for seconds.
            return run.store.is_replay
        return True

    def _forget(self, delivery: Delivery) -> None:
        self._hung.discard(delivery)
        self._running.pop(delivery, None)
        if self._isolated == delivery:
            self._isolated = None
        self._begun.discard(delivery)
        if self._by_itself == delivery:
            self._by_itself = None
        self._turn.notify_all()
