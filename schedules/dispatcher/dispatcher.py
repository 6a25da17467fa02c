"""The loop of a dispatcher: send due jobs, free lost ones, fire the schedule.

Any number of dispatchers may run: each step is safe beside the same step of another one.
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import redis

from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.model import ISOLATION_QUEUE
from afterword.pipeline.core.jobs.registrations import (
    ObservedWorker,
    WorkerRegistration,
    WorkerWatch,
)
from afterword.pipeline.core.store import writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.rebuilds.boot import ask_for_rebuilds
from afterword.pipeline.errors import PipelineError, UnavailableError
from afterword.schedules.dispatcher.groups import GroupTracker
from afterword.schedules.dispatcher.lease_watch import LeaseWatch
from afterword.schedules.dispatcher.reconciler import Reconciler
from afterword.schedules.dispatcher.relay import Relay
from afterword.schedules.entry import CronEntry
from afterword.schedules.tick import Ticker
from afterword.schedules.work import rules
from afterword.workers.broker.broker import LedgerBroker
from afterword.workers.observability.scrape import remove_dead, scrape_folder
from afterword.workers.routes import ROUTES, Route
from afterword.workers.worker.context import Context
from afterword.workers.worker.heartbeat import HEARTBEAT_S

DISPATCH_STEP_S = 0.02
"""Pause between two steps of an idle relay; seconds. A new job waits half of it on average."""

SURVEY_S = 0.2
"""How often the registrations are read, to count threads and to find dead workers; seconds."""

RECONCILE_S = 1.0
"""How often lost messages are searched for and the schedule is checked; seconds."""

REDIS_PAUSE_S = 0.5
"""Pause after Redis did not answer; seconds."""

EXPIRE_S = 60.0
"""How often reservations that a crash left open are booked as spent; seconds."""

_IDLE_CLOSE_S = 60.0
"""Handles of a group that was unused for so long are closed; seconds."""


@dataclass(slots=True)
class Dispatcher:
    """Runs every task of a dispatcher in one thread, each at its own period.

    Args:
        table: the schedule.
        stop: when set, `run` returns.
        on_round: called in each round of the loop.
        port: loopback port of its /metrics; 0 if it has none.
    """

    context: Context
    broker: LedgerBroker
    table: Iterable[CronEntry]
    routes: dict[str, Route] = field(default_factory=lambda: dict(ROUTES))
    stop: threading.Event = field(default_factory=threading.Event)
    on_round: Callable[[], None] = lambda: None
    port: int = 0
    _seen: list[ObservedWorker] = field(default_factory=list)
    _threads: dict[str, int] = field(default_factory=dict)
    groups: GroupTracker = field(init=False)
    _ticker: Ticker = field(init=False)

    def __post_init__(self) -> None:
        self.groups = GroupTracker(self.context.stores, self.context.runtime.monotonic)
        self._ticker = Ticker(
            self.context.stores,
            self.groups,
            self.table,
            self._kind,
            rules(self.context),
            self.context.runtime.clock,
        )

    def run(self) -> None:
        """Run until `stop` is set."""
        relay, reconciler = self._relay(), self._reconciler()
        # Registered, so that another dispatcher notices its death: it may have claimed jobs that it
        # never sent.
        registration = WorkerRegistration(
            self.context.settings.home,
            self.context.runtime.ids(),
            threads=0,
            queues=(),
            port=self.port,
        )
        emit("dispatcher.started", owner=registration.uid)
        if self.context.settings.rebuild_on_boot:
            self._ask_for_rebuilds()
        tasks = (
            self._every(HEARTBEAT_S, registration.write_heartbeat),
            self._every(SURVEY_S, lambda: self._free_lost(reconciler)),
            self._every(RECONCILE_S, lambda: self._reconcile(reconciler)),
            self._every(EXPIRE_S, self._expire_reservations),
        )
        while not self.stop.is_set():
            self.on_round()
            for task in tasks:
                task.step()
            self.stop.wait(self._relay_step(relay))
        registration.leave()
        emit("dispatcher.stopped")

    def starting(self) -> str | None:
        """Return in words how many groups were read since the start; None when all were read."""
        return self.groups.progress()

    def _relay(self) -> Relay:
        runtime = self.context.runtime
        return Relay(
            self.context.stores,
            self.groups,
            self.broker,
            self.routes,
            runtime.clock,
            runtime.monotonic,
            note_work=self._ticker.note_work,
        )

    def _reconciler(self) -> Reconciler:
        runtime = self.context.runtime
        kinds = {name: route.kind for name, route in self.routes.items()}
        return Reconciler(
            self.context.stores,
            self.groups,
            WorkerWatch(self.context.settings.home, runtime.monotonic),
            self.routes,
            runtime.clock,
            LeaseWatch(kinds, runtime.clock, runtime.monotonic),
        )

    def _every(self, period_s: float, call: Callable[[], None]) -> "_PeriodicTask":
        return _PeriodicTask(period_s, self.context.runtime.monotonic, call)

    def _relay_step(self, relay: Relay) -> float:
        """Send due jobs, and return how long to pause; seconds."""
        try:
            if not self._may_send():
                return REDIS_PAUSE_S
            sent = relay.step(self._threads)
        except redis.RedisError:  # the broker logs the outage
            return REDIS_PAUSE_S
        except PipelineError as error:  # such as no file descriptor left
            emit("dispatcher.failed", error=str(error))
            return RECONCILE_S
        is_starting = self.starting()
        if self._ticker.has_more and not is_starting:
            self._tick()
        is_busy = sent or self._ticker.has_more or is_starting
        return 0.001 if is_busy else DISPATCH_STEP_S

    def _may_send(self) -> bool:
        """Say whether Redis has safe settings; they are checked when it first answers."""
        try:
            self.broker.check_once()
        except UnavailableError as error:
            emit("redis.refused", error=str(error))
            return False
        return True

    def _free_lost(self, reconciler: Reconciler) -> None:
        self._seen = reconciler.free_lost()
        self._threads = threads_by_queue(self._seen)

    def _reconcile(self, reconciler: Reconciler) -> None:
        reconciler.free_forgotten(self._seen)
        self._tick()
        remove_dead(scrape_folder(self.context.settings))
        self.context.stores.close_idle(_IDLE_CLOSE_S, self.context.runtime.monotonic())

    def _tick(self) -> None:
        try:
            self._ticker.step()
        except PipelineError as error:
            emit("dispatcher.failed", error=str(error))

    def _ask_for_rebuilds(self) -> None:
        """Ask for the rebuilds of every group; one that cannot be written now has its schedule."""
        stores, settings = self.context.stores, self.context.settings
        for name in stores.groups():
            try:
                with writing(stores.group(name)) as conn:
                    ask_for_rebuilds(conn, settings, self.context.runtime.clock())
            except PipelineError as error:
                emit("dispatcher.failed", error=str(error))

    def _expire_reservations(self) -> None:
        self.context.gates.budget.expire()

    def _kind(self, job: str) -> Kind:
        return self.routes[job].kind


def threads_by_queue(seen: Iterable[ObservedWorker]) -> dict[str, int]:
    """Return the threads of live workers by queue."""
    threads: Counter[str] = Counter()
    for one in seen:
        if one.state == "alive":
            # A process runs isolated jobs one message at a time.
            threads.update({q: 1 if q == ISOLATION_QUEUE else one.threads for q in one.queues})
    return dict(threads)


@dataclass(slots=True)
class _PeriodicTask:
    """Calls a function at most once per period; after an error it waits for the next period."""

    period_s: float
    monotonic: Callable[[], float]
    call: Callable[[], None]
    _due: float = float("-inf")

    def step(self) -> None:
        now = self.monotonic()
        if now < self._due:
            return
        self._due = now + self.period_s
        try:
            self.call()
        except PipelineError as error:
            emit("dispatcher.failed", error=str(error))
