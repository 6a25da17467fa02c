"""Send the slices of one replay to the workers until it has ended, and tell how far it is."""

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import redis

from afterword.pipeline.clock import Clock, Monotonic, iso, monotonic
from afterword.pipeline.core.jobs.model import ISOLATION_QUEUE, Job
from afterword.pipeline.core.jobs.registrations import WorkerWatch
from afterword.pipeline.core.jobs.reopen import awaited_gates
from afterword.pipeline.core.store import Store, Stores, reading, writing
from afterword.pipeline.core.store.changes import ReplayWatch
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import PipelineError, PostponedError, UnavailableError
from afterword.pipeline.operations.replay import rows
from afterword.pipeline.operations.replay.slices import (
    SLICE_KINDS,
    SlicePlan,
    add_slice,
    describe,
    open_slice,
    restart_slices,
)
from afterword.pipeline.settings import Settings
from afterword.schedules.dispatcher.dispatcher import (
    DISPATCH_STEP_S,
    REDIS_PAUSE_S,
    SURVEY_S,
    threads_by_queue,
)
from afterword.schedules.dispatcher.groups import GroupTracker
from afterword.schedules.dispatcher.relay import Relay
from afterword.schedules.replay.reconciler import ReplayReconciler
from afterword.workers.broker.broker import LedgerBroker, connect
from afterword.workers.routes import ROUTES
from afterword.workers.worker.app import refuse_unsafe_redis

UNSERVED_S: Final = 5.0
"""How long a slice waits for a worker of its queue before that is told; seconds."""

Notice = Callable[[str], object]
"""Receives one line for the operator."""


def run_with_fleet(
    settings: Settings,
    stores: Stores,
    name: str,
    plan: SlicePlan,
    clock: Clock,
    on_cursor: Callable[[int], object],
    notice: Notice,
) -> None:
    """Run a prepared replay to its end through the workers; killed anywhere, another run goes on.

    Args:
        settings: with a Redis server.
        on_cursor: called with the cursor again and again; microseconds.
        notice: receives what keeps it waiting, once each.

    Raises:
        PostponedError: a gate refuses its next slice; the slices before it stay.
        UnavailableError: a slice failed too often, or Redis has unsafe settings or does not answer.
    """
    refuse_unsafe_redis(settings, fail_fast=True)
    client = connect(settings.redis_url)
    try:
        broker = LedgerBroker(client, stores.instance_id)
        ReplayDispatcher(stores, stores.replay(name), broker, plan, clock, on_cursor, notice).run()
    finally:
        client.close()


@dataclass(slots=True)
class ReplayDispatcher:
    """Sends the slices of one replay, and sees what becomes of them.

    It is not registered, so nothing takes it for a dispatcher of the groups. If it is killed, the
    next one makes its slice due again.
    """

    stores: Stores
    store: Store
    broker: LedgerBroker
    plan: SlicePlan
    clock: Clock
    on_cursor: Callable[[int], object]
    notice: Notice
    monotonic: Monotonic = monotonic
    _told: set[str] = field(default_factory=set)
    _waits_since: float | None = None

    def run(self) -> None:
        """Send slices until the replay has ended."""
        restart_slices(self.store, self.plan, self.clock())
        relay, reconciler = self._relay(), self._reconciler()
        stop, survey_at = threading.Event(), float("-inf")
        threads: dict[str, int] = {}
        try:
            while True:
                if self.monotonic() >= survey_at:
                    threads = threads_by_queue(reconciler.step())
                    if self._has_ended(threads):
                        return
                    survey_at = self.monotonic() + SURVEY_S
                stop.wait(self._send(relay, threads))
        finally:
            with suppress(redis.RedisError):
                self.broker.end_epoch(relay.epoch)

    def _relay(self) -> Relay:
        address = self.store.address
        watch = ReplayWatch(self.store.path, address, self.monotonic)
        return Relay(
            self.stores,
            GroupTracker(self.stores, self.monotonic, watch),
            self.broker,
            {kind: ROUTES[kind] for kind in SLICE_KINDS},
            self.clock,
            self.monotonic,
            epoch=f"epoch:{address}",
        )

    def _reconciler(self) -> ReplayReconciler:
        watch = WorkerWatch(self.stores.home, self.monotonic)
        kinds = {kind: ROUTES[kind].kind for kind in SLICE_KINDS}
        return ReplayReconciler(self.store, watch, kinds, self.clock, self.monotonic)

    def _send(self, relay: Relay, threads: dict[str, int]) -> float:
        """Send a due slice, and return how long to pause; seconds."""
        try:
            relay.step(threads)
        except redis.RedisError:
            self._tell_once("Redis does not answer; waiting for it")
            return REDIS_PAUSE_S
        except PipelineError as error:  # such as no file descriptor left
            emit("dispatcher.failed", error=str(error))
            return REDIS_PAUSE_S
        return DISPATCH_STEP_S

    def _has_ended(self, threads: dict[str, int]) -> bool:
        """Tell how far the replay is; True if it has ended.

        Raises:
            PipelineError: it cannot go on by itself.
        """
        with reading(self.store) as conn:
            found, job, gates = rows.run(conn), open_slice(conn), awaited_gates(conn)
        assert found is not None  # it was prepared
        self.on_cursor(found.cursor)
        if found.state == "done":
            return True
        if job is None:  # another process did the slice that was due
            with writing(self.store) as conn:
                add_slice(conn, self.plan, found.cursor, self.clock())
            return False
        self._refuse(job, gates, found.cursor)
        self._notice_waiting(job, threads)
        return False

    def _refuse(self, job: Job, gates: list[str], cursor: int) -> None:
        """Raise if a slice cannot go on by itself."""
        at = f"replay {self.store.name} stopped at {describe(cursor)}"
        remedy = f"`afterword replay resume {self.store.name}` goes on from there"
        if job.state == "dead":
            raise UnavailableError(f"{at}: {job.last_error}; {remedy}")
        if job.state == "later" and gates:
            raise PostponedError(f"{at}: {job.waits_for}; {remedy}", job.available_at, gates[0])

    def _notice_waiting(self, job: Job, threads: dict[str, int]) -> None:
        """Tell once why a slice does not run."""
        if job.state == "later" and job.last_error:
            again = iso(job.available_at)
            self._tell_once(f"a slice failed and runs again at {again}: {job.last_error}")
        queue = ISOLATION_QUEUE if job.crashes else ROUTES[job.kind].queue
        if job.state == "running" or queue in threads:
            self._waits_since = None
            return
        now = self.monotonic()
        if self._waits_since is None:
            self._waits_since = now
        if now - self._waits_since >= UNSERVED_S:
            self._tell_once(
                f"no live worker serves the queue `{queue}`; start `afterword worker` or "
                "`afterword up` with this home and this Redis: the replay waits for it"
            )

    def _tell_once(self, text: str) -> None:
        if text not in self._told:
            self._told.add(text)
            self.notice(text)
