"""The dispatcher: sends what is due, gives back what was lost, fires the schedule.

Any number may run; each step is safe beside the same step of another.
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import redis

from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.model import ALONE
from afterword.pipeline.core.jobs.registrations import ObservedWorker, Watch, WorkerRegistration
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import PipelineError, UnavailableError
from afterword.schedules.dispatcher.groups import Groups
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
from afterword.workers.worker.heartbeat import BEAT_S

STEP_S = 0.02
"""Pause between two looks of the relay: half of it is the relay's share of the idle latency."""

OWNERS_S = 0.2
"""How often the workers are counted and dead ones noticed; seconds."""

RECONCILE_S = 1.0
"""How often lost messages are looked for and the schedule is asked; seconds."""

REDIS_PAUSE_S = 0.5
"""Pause after Redis did not answer; seconds."""

EXPIRE_S = 60.0
"""How often the reservations are booked that a crash left open; seconds."""

IDLE_CLOSE_S = 60.0
"""Handles of a group unused for so long are closed; seconds."""


@dataclass(slots=True)
class Dispatcher:
    """Three loops in one thread: relay, owners, reconcile and tick."""

    context: Context
    broker: LedgerBroker
    table: Iterable[CronEntry]
    routes: dict[str, Route] = field(default_factory=lambda: dict(ROUTES))
    stop: threading.Event = field(default_factory=threading.Event)
    on_turn: Callable[[], None] = lambda: None
    port: int = 0
    _seen: list[ObservedWorker] = field(default_factory=list)
    groups: Groups = field(init=False)
    _ticker: Ticker = field(init=False)

    def __post_init__(self) -> None:
        self.groups = Groups(self.context.stores, self.context.monotonic)
        self._ticker = Ticker(
            self.context.stores,
            self.groups,
            self.table,
            self._kind,
            rules(self.context),
            self.context.clock,
        )

    def run(self) -> None:
        """Work until `stop` is set."""
        relay = Relay(
            self.context.stores,
            self.groups,
            self.broker,
            self.routes,
            self.context.clock,
            self.context.monotonic,
        )
        reconciler = Reconciler(
            self.context.stores,
            self.groups,
            Watch(self.context.settings.home, self.context.monotonic),
            self.routes,
            self.context.clock,
            LeaseWatch(
                {name: route.kind for name, route in self.routes.items()},
                self.context.clock,
                self.context.monotonic,
            ),
        )
        # Its own place among the owners: what it claimed and never sent is noticed by the next one.
        me = WorkerRegistration(
            self.context.settings.home, self.context.ids(), threads=0, queues=(), port=self.port
        )
        emit("dispatcher.started", owner=me.uid)
        beat = _Every(BEAT_S, self.context.monotonic, me.beat)
        owners = _Every(OWNERS_S, self.context.monotonic, lambda: self._look_at_owners(reconciler))
        slow = _Every(RECONCILE_S, self.context.monotonic, lambda: self._reconcile(reconciler))
        money = _Every(EXPIRE_S, self.context.monotonic, self._expire)
        while not self.stop.is_set():
            self.on_turn()
            beat.step()
            owners.step()
            slow.step()
            money.step()
            self.stop.wait(self._relay_step(relay))
        me.leave()
        emit("dispatcher.stopped")

    def starting(self) -> str | None:
        """Return how many groups were read since the start, in words; None once all were."""
        return self.groups.progress()

    def _relay_step(self, relay: Relay) -> float:
        """Send what is due and return how long to pause."""
        try:
            if not self._may_send():
                return REDIS_PAUSE_S
            sent = relay.step(self._threads())
        except redis.RedisError:  # the broker logs the outage
            return REDIS_PAUSE_S
        except PipelineError as error:  # such as no descriptor left to list the groups
            emit("dispatcher.failed", error=str(error))
            return RECONCILE_S
        if self._ticker.has_more:
            self._tick()
        is_busy = sent or self._ticker.has_more or self.starting()
        return 0.001 if is_busy else STEP_S

    def _may_send(self) -> bool:
        """Say whether Redis has safe settings; they are checked when it first answers."""
        try:
            self.broker.check_once()
        except UnavailableError as error:
            emit("redis.refused", error=str(error))
            return False
        return True

    def _threads(self) -> dict[str, int]:
        """Return the fleet's threads by queue."""
        threads: Counter[str] = Counter()
        for owner in self._seen:
            if owner.state == "alive":
                # A process runs the suspects of a crash one message at a time.
                threads.update({q: 1 if q == ALONE else owner.threads for q in owner.queues})
        return dict(threads)

    def _look_at_owners(self, reconciler: Reconciler) -> None:
        self._seen = reconciler.free_lost()

    def _reconcile(self, reconciler: Reconciler) -> None:
        reconciler.free_forgotten(self._seen)
        self._tick()
        remove_dead(scrape_folder(self.context.settings))
        self.context.stores.close_idle(IDLE_CLOSE_S, self.context.monotonic())

    def _tick(self) -> None:
        try:
            self._ticker.step()
        except PipelineError as error:
            emit("dispatcher.failed", error=str(error))

    def _expire(self) -> None:
        self.context.budget.expire()

    def _kind(self, job: str) -> Kind:
        return self.routes[job].kind


@dataclass(slots=True)
class _Every:
    """Calls something at most once per period; an error it raises waits for the next one."""

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
