"""The dispatcher: sends what is due, gives back what was lost, fires the schedule.

Any number may run; each step is safe beside the same step of another.
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import redis

from pipeline.errors import PipelineError
from pipeline.jobs.model import Kind
from pipeline.jobs.owners import Owner, Seen, Watch
from pipeline.telemetry import tell
from schedules.entry import Entry
from schedules.tick import Ticker
from workers.broker import LedgerBroker
from workers.context import Context
from workers.lease import BEAT_S
from workers.reconciler import Reconciler
from workers.relay import Relay
from workers.routes import ROUTES, Route

STEP_S = 0.01
"""Pause between two looks of the relay: half of it is the relay's share of the idle latency."""

OWNERS_S = 0.2
"""How often the workers are counted and dead ones noticed; seconds."""

RECONCILE_S = 1.0
"""How often lost messages are looked for and the schedule is asked; seconds."""

REDIS_PAUSE_S = 0.5
"""Pause after Redis did not answer; seconds."""

IDLE_CLOSE_S = 60.0
"""Handles of a group unused for so long are closed; seconds."""


@dataclass(slots=True)
class Dispatcher:
    """Three loops in one thread: relay, owners, reconcile and tick."""

    context: Context
    broker: LedgerBroker
    table: Iterable[Entry]
    routes: dict[str, Route] = field(default_factory=lambda: dict(ROUTES))
    stop: threading.Event = field(default_factory=threading.Event)
    on_turn: Callable[[], None] = lambda: None
    redis_answers: bool = True
    _seen: list[Seen] = field(default_factory=list)
    _tickers: dict[str, Ticker] = field(default_factory=dict)

    def run(self) -> None:
        """Work until `stop` is set."""
        relay = Relay(
            self.context.shelf,
            self.broker,
            self.routes,
            self.context.clock,
            self.context.monotonic,
        )
        reconciler = Reconciler(
            self.context.shelf,
            Watch(self.context.settings.home, self.context.monotonic),
            self.routes,
            self.context.clock,
        )
        # Its own place among the owners: what it claimed and never sent is noticed by the next one.
        me = Owner(self.context.settings.home, self.context.ids(), threads=0, queues=())
        beat = _Every(BEAT_S, self.context.monotonic, me.beat)
        owners = _Every(OWNERS_S, self.context.monotonic, lambda: self._look_at_owners(reconciler))
        slow = _Every(RECONCILE_S, self.context.monotonic, lambda: self._reconcile(reconciler))
        while not self.stop.is_set():
            self.on_turn()
            beat.step()
            owners.step()
            slow.step()
            self.stop.wait(self._relay_step(relay))
        me.leave()
        tell("dispatcher.stopped")

    def _relay_step(self, relay: Relay) -> float:
        """Send what is due and return how long to pause."""
        try:
            sent = relay.step(self._threads())
        except redis.RedisError as error:
            if self.redis_answers:
                tell("dispatcher.redis_away", error=type(error).__name__)
            self.redis_answers = False
            relay.forget()
            return REDIS_PAUSE_S
        self.redis_answers = True
        return 0.001 if sent else STEP_S

    def _threads(self) -> dict[str, int]:
        """Return the fleet's threads by queue."""
        threads: Counter[str] = Counter()
        for owner in self._seen:
            if owner.state == "alive":
                threads.update(dict.fromkeys(owner.queues, owner.threads))
        return dict(threads)

    def _look_at_owners(self, reconciler: Reconciler) -> None:
        self._seen = reconciler.free_lost()

    def _reconcile(self, reconciler: Reconciler) -> None:
        reconciler.free_forgotten(self._seen)
        self._tick()
        self.context.shelf.close_idle(IDLE_CLOSE_S, self.context.monotonic())

    def _tick(self) -> None:
        for name in self.context.shelf.groups():
            try:
                self._ticker(name).step()
            except PipelineError as error:  # one damaged group must not stop the others
                tell("cron.skipped", group=name, error=str(error))

    def _ticker(self, name: str) -> Ticker:
        if name not in self._tickers:
            self._tickers[name] = Ticker(
                self.context.shelf, name, self.table, self._kind, self.context.clock
            )
        return self._tickers[name]

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
            tell("dispatcher.failed", error=str(error))
