"""This process shows that it lives, and gives up what it can no longer finish."""

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from pipeline.clock import Monotonic
from pipeline.errors import PipelineError
from pipeline.jobs.fail import hand_back
from pipeline.jobs.lease import LeaseLostError, Leases
from pipeline.jobs.model import Kind
from pipeline.jobs.owners import Owner
from pipeline.jobs.reconcile import free_hung
from pipeline.store import Store, writing
from pipeline.telemetry import tell

BEAT_S = 1.0
"""How often a process shows that it moves; seconds."""


@dataclass(frozen=True, slots=True)
class Held:
    """What one worker thread is running now."""

    store: Store
    kind: Kind
    leases: Leases
    give_up_at: float


class Holdings:
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
        owner: Owner,
        threads: int,
        monotonic: Monotonic,
        on_beat: Callable[[], None],
    ) -> None:
        self._owner, self._threads = owner, threads
        self._monotonic, self._on_beat = monotonic, on_beat
        self._mine = threading.local()
        self._held: dict[str, Held] = {}
        self._hung: set[str] = set()
        self._abandoned: dict[str, Held] = {}
        self._alone: str | None = None
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self.stuck = threading.Event()
        """Set when half the threads hang: the process should hand back and exit."""
        self._thread = threading.Thread(target=self._watch, name="heartbeat", daemon=True)

    def start(self) -> None:
        """Begin to beat."""
        self._thread.start()

    def stop(self) -> None:
        """Stop beating and leave the workers' table; after everything was handed back."""
        self._stop.set()
        self._thread.join()
        self._owner.leave()

    def add(self, message_id: str, store: Store, kind: Kind, leases: Leases) -> None:
        """Watch what this thread starts to run."""
        held = Held(store, kind, leases, self._monotonic() + kind.deadline_s)
        self._mine.held = held
        with self._lock:
            self._held[message_id] = held

    def get(self, message_id: str) -> Held | None:
        """Return what a message holds; None if it was never leased."""
        with self._lock:
            return self._held.get(message_id)

    def remove(self, message_id: str) -> None:
        """Stop watching what a thread has settled."""
        with self._lock:
            self._forget(message_id)

    def abandon(self, message_id: str) -> None:
        """Keep what a thread could not settle, to be given back by the heartbeat."""
        with self._lock:
            self._abandoned[message_id] = self._held[message_id]
            self._forget(message_id)

    def begin_alone(self, message_id: str) -> bool:
        """Let one suspect of a crash run at a time; False while another one does."""
        with self._lock:
            if self._alone is None:
                self._alone = message_id
            return self._alone == message_id

    def current(self) -> Held:
        """Return what this thread runs; only between `add` and `remove`."""
        held: Held = self._mine.held
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
        return given

    def _watch(self) -> None:
        while not self._stop.wait(BEAT_S):
            self._owner.beat()
            try:
                self._on_beat()
                self.give_up_overdue()
                self.give_back_abandoned()
            except PipelineError as error:  # the next beat tries again
                tell("heartbeat.failed", error=str(error))

    def give_back_abandoned(self) -> None:
        """Give back what its thread could not settle."""
        with self._lock:
            abandoned = list(self._abandoned.items())
        for message_id, held in abandoned:
            with suppress(LeaseLostError), writing(held.store) as conn:
                hand_back(conn, held.leases, "how it ended could not be written")
            with self._lock:
                del self._abandoned[message_id]

    def give_up_overdue(self) -> None:
        """Give jobs past their deadline to others; the threads that run them may never return."""
        now = self._monotonic()
        with self._lock:
            overdue = [
                (message_id, held)
                for message_id, held in self._held.items()
                if held.give_up_at <= now and message_id not in self._hung
            ]
        for message_id, held in overdue:
            with suppress(LeaseLostError), writing(held.store) as conn:
                free_hung(conn, held.leases, held.kind)
            tell("jobs.hung", kind=held.kind.name, jobs=len(held.leases))
            with self._lock:
                if message_id in self._held:
                    self._hung.add(message_id)
        if self._hung and len(self._hung) * 2 >= self._threads:
            self.stuck.set()

    def _forget(self, message_id: str) -> None:
        self._hung.discard(message_id)
        self._held.pop(message_id, None)
        if self._alone == message_id:
            self._alone = None
