"""This process shows that it lives, and gives up what it can no longer finish."""

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
from afterword.pipeline.errors import PipelineError
from afterword.workers.broker.broker import Delivery

BEAT_S = 1.0
"""How often a process shows that it moves; seconds."""

SILENT_AFTER_S = 20.0
"""A process that could not write its heartbeat for so long leaves; seconds. Others count it as
frozen a little later (`FROZEN_AFTER_S`)."""


@dataclass(frozen=True, slots=True)
class RunningDelivery:
    """What one worker thread is running now."""

    store: Store
    kind: Kind
    leases: Leases
    give_up_at: float


class LeaseHeartbeat:
    """Everything this process has leased, watched by one heartbeat thread.

    The kind's deadline is kept by the monotonic clock of the process that runs the job: when it
    passes, the job is given to others and its late commit finds another epoch. A stepped wall
    clock therefore expires nobody.

    Args:
        owner: this process's place among the workers.
        threads: how many jobs it runs at once.
        on_beat: called with every beat, to renew what else must not expire.
    """

    def __init__(
        self,
        owner: WorkerRegistration,
        threads: int,
        monotonic: Monotonic,
        on_beat: Callable[[], None],
    ) -> None:
        self._owner, self._threads = owner, threads
        self._monotonic, self._on_beat = monotonic, on_beat
        self._mine = threading.local()
        self._held: dict[Delivery, RunningDelivery] = {}
        self._hung: set[Delivery] = set()
        self._abandoned: dict[Delivery, RunningDelivery] = {}
        self._alone: Delivery | None = None
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self.stuck = threading.Event()
        """Set when this process cannot go on: it should hand back its jobs and exit."""
        self.stuck_because = ""
        """The reason, once `stuck` is set."""
        self._shown_at = monotonic()
        self._thread = threading.Thread(target=self._watch, name="heartbeat", daemon=True)

    def start(self) -> None:
        """Begin to beat."""
        self._thread.start()

    def stop(self) -> None:
        """Stop beating and leave the workers' table; after everything was handed back."""
        self._stop.set()
        if self._thread.is_alive():  # it may never have been started
            self._thread.join()
        self._owner.leave()

    def add(self, delivery: Delivery, store: Store, kind: Kind, leases: Leases) -> None:
        """Watch what this thread starts to run."""
        held = RunningDelivery(store, kind, leases, self._monotonic() + kind.deadline_s)
        self._mine.held = held
        with self._lock:
            self._held[delivery] = held

    def get(self, delivery: Delivery) -> RunningDelivery | None:
        """Return what a delivery holds; None if it leased nothing."""
        with self._lock:
            return self._held.get(delivery)

    def remove(self, delivery: Delivery) -> None:
        """Stop watching what a thread has settled."""
        with self._lock:
            self._forget(delivery)

    def abandon(self, delivery: Delivery) -> None:
        """Keep what a thread could not settle, to be given back by the heartbeat."""
        with self._lock:
            self._abandoned[delivery] = self._held[delivery]
            self._forget(delivery)

    def begin_alone(self, delivery: Delivery) -> bool:
        """Let one suspect of a crash run at a time; False while another one does."""
        with self._lock:
            if self._alone is None:
                self._alone = delivery
            return self._alone == delivery

    def current(self) -> RunningDelivery:
        """Return what this thread runs; only between `add` and `remove`."""
        held: RunningDelivery = self._mine.held
        return held

    def busy(self) -> int:
        """Return how many threads are running jobs."""
        with self._lock:
            return len(self._held)

    def hand_back_all(self, note: str) -> int:
        """Give back every job still held, at no cost to it; return how many."""
        with self._lock:
            held = [*self._held.values(), *self._abandoned.values()]
        given = 0
        for one in held:
            try:
                with writing(one.store) as conn:
                    hand_back(conn, one.leases, note)
                given += len(one.leases)
            except LeaseLostError:
                continue  # it ended, or was taken, in this very moment
            except PipelineError as error:  # the reconciler frees it when this process has gone
                emit("jobs.unsettled", kind=one.kind.name, jobs=len(one.leases), error=str(error))
        return given

    def _watch(self) -> None:
        steps = (self._show, self._on_beat, self.give_up_overdue, self.give_back_abandoned)
        try:
            while not self._stop.wait(BEAT_S):
                for step in steps:
                    self._try(step)
                if self._monotonic() - self._shown_at >= SILENT_AFTER_S:
                    self._give_up("its heartbeat could not be written")
        except BaseException as error:
            # Only this thread gives up hanging jobs: without it the process must not go on.
            self._give_up(f"its heartbeat thread failed: {type(error).__name__}: {error}")
            raise

    def _try(self, step: Callable[[], None]) -> None:
        try:
            step()
        except PipelineError as error:  # the next beat tries again
            emit("heartbeat.failed", error=str(error))

    def _show(self) -> None:
        self._owner.beat()
        self._shown_at = self._monotonic()

    def _give_up(self, reason: str) -> None:
        if not self.stuck.is_set():
            self.stuck_because = reason
            self.stuck.set()

    def give_back_abandoned(self) -> None:
        """Give back what its thread could not settle."""
        with self._lock:
            abandoned = list(self._abandoned.items())
        for delivery, held in abandoned:
            with suppress(LeaseLostError), writing(held.store) as conn:
                hand_back(conn, held.leases, "how it ended could not be written")
            with self._lock:
                del self._abandoned[delivery]

    def give_up_overdue(self) -> None:
        """Give jobs past their deadline to others; the threads that run them may never return.

        A thread counts as hanging from the next beat on. When a whole process was stopped and
        goes on, its jobs are past their deadline, but its threads move again: they get that beat.
        """
        now = self._monotonic()
        with self._lock:
            if self._hung and len(self._hung) * 2 >= self._threads:
                self._give_up("half its threads hang")
            overdue = [
                (delivery, held)
                for delivery, held in self._held.items()
                if held.give_up_at <= now and delivery not in self._hung
            ]
        for delivery, held in overdue:
            with suppress(LeaseLostError), writing(held.store) as conn:
                free_hung(conn, held.leases, held.kind)
            emit("jobs.hung", kind=held.kind.name, jobs=len(held.leases))
            with self._lock:
                if delivery in self._held:
                    self._hung.add(delivery)

    def _forget(self, delivery: Delivery) -> None:
        self._hung.discard(delivery)
        self._held.pop(delivery, None)
        if self._alone == delivery:
            self._alone = None
