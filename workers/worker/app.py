"""Build the parts of a process: the context, the broker with its middleware, the job runner."""

import sys
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import dramatiq
import redis

from afterword.pipeline.areas import all_areas
from afterword.pipeline.clock import Clock, Monotonic, monotonic, system_clock
from afterword.pipeline.core.jobs.registrations import WorkerRegistration
from afterword.pipeline.core.store import Stores, options_of
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.facts.llm_judge import LlmFactJudge
from afterword.pipeline.domain.patterns.build import build_writer
from afterword.pipeline.domain.prices.build import build_feed
from afterword.pipeline.domain.prices.intervals import read_interval
from afterword.pipeline.domain.reflection.build import build_judge
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.domain.synthesis.build import build_seed_writer, build_synthesis_judge
from afterword.pipeline.errors import UnavailableError
from afterword.pipeline.gateway.budget import Budget, caps_of
from afterword.pipeline.gateway.embedding.build import build_embedder, embedding_breaker
from afterword.pipeline.gateway.exchanges.build import Exchanges
from afterword.pipeline.gateway.llm.build import build_llm, llm_breaker
from afterword.pipeline.gateway.switches import Switches, tasks_of
from afterword.pipeline.gateway.venue.build import build_info, venue_breaker
from afterword.pipeline.ids import IdSource, RandomSource, random_uid, system_random
from afterword.pipeline.settings import Settings
from afterword.workers.broker.broker import (
    LedgerBroker,
    SilentServerError,
    check_server,
    connect,
    in_process,
)
from afterword.workers.middleware.budget import BudgetGate
from afterword.workers.middleware.circuit import CircuitGate
from afterword.workers.middleware.ledger import Ledger
from afterword.workers.middleware.logs import Logs
from afterword.workers.middleware.metrics import Runs
from afterword.workers.middleware.replays import ReplayFiles
from afterword.workers.middleware.serial import Serial
from afterword.workers.observability.setup import Observability
from afterword.workers.routes import QUEUES, Route
from afterword.workers.worker.context import (
    Context,
    DecisionParts,
    FactParts,
    GateParts,
    MethodologyParts,
    PriceParts,
    Runtime,
    Work,
)
from afterword.workers.worker.heartbeat import LeaseHeartbeat

IDLE_THREAD_MS = 500
"""How often an idle worker thread checks whether it must stop; a message wakes it at once; ms."""

SWITCH_INTERVAL_S = 0.001
"""How long one thread may compute while others wait for the interpreter; seconds."""


def build_context(
    settings: Settings,
    *,
    clock: Clock = system_clock,
    ids: IdSource = random_uid,
    chance: RandomSource = system_random,
    monotonic: Monotonic = monotonic,
) -> Context:
    """Return the parts of a process: the composition root of workers, dispatchers and `up`."""
    stores = Stores(settings.home, options_of(settings), clock, ids)
    instance = stores.instance
    budget = Budget(instance, caps_of(settings), clock, ids)
    llm = build_llm(settings, instance, budget, clock)
    return Context(
        settings=settings,
        stores=stores,
        runtime=Runtime(clock, monotonic, ids, chance, worker_uid=ids()),
        gates=GateParts(
            budget,
            {
                "accounts": venue_breaker(settings, instance, clock, "accounts"),
                "embedding": embedding_breaker(settings, instance, clock),
                "llm": llm_breaker(settings, instance, clock),
                "llm_fast": llm_breaker(settings, instance, clock, fast=True),
                "prices": venue_breaker(settings, instance, clock, "candles"),
            },
        ),
        switches=Switches(instance, clock, tasks_of(all_areas())),
        embedder=build_embedder(settings, instance, budget, clock),
        facts=FactParts(
            None if llm is None else LlmFactJudge(llm),
            settings.consolidation_enabled,
            settings.consolidation_guidance,
        ),
        decisions=DecisionParts(
            load_roles(settings.home), build_judge(settings, llm), build_writer(settings, llm)
        ),
        methodologies=MethodologyParts(
            build_synthesis_judge(settings, llm), build_seed_writer(settings, llm)
        ),
        venue=build_info(settings, instance, clock, "accounts"),
        exchanges=Exchanges(settings, instance, clock),
        prices=PriceParts(
            build_feed(settings, instance, clock), read_interval(settings.price_interval)
        ),
        fast_llm=build_llm(settings, instance, budget, clock, fast=True),
    )


def build_broker(context: Context) -> LedgerBroker:
    """Return the broker, on Redis or inside this process; Redis need not answer yet."""
    url = context.settings.redis_url
    client: redis.Redis = connect(url) if url else in_process()
    return LedgerBroker(
        client, context.stores.instance_id, in_process=not url, monotonic=context.runtime.monotonic
    )


class JobRunner:
    """Runs jobs in this process: its registration, its threads, its heartbeat.

    Args:
        queues: the queues to serve.
        threads: how many jobs run at once.
    """

    def __init__(
        self,
        context: Context,
        broker: LedgerBroker,
        routes: Mapping[str, Route],
        queues: Sequence[str] = QUEUES,
        threads: int = 8,
        observability: Observability | None = None,
    ) -> None:
        self.context, self.broker, self.queues = context, broker, tuple(queues)
        runtime = context.runtime
        registration = WorkerRegistration(
            context.settings.home,
            runtime.worker_uid,
            threads,
            tuple(queues),
            kinds=[name for name, route in routes.items() if route.queue in queues],
            port=observability.port if observability else 0,
        )
        self.serial = Serial(
            context.stores, runtime.clock, broker.client, broker.namespace, broker.outage
        )
        self._loop = observability.watch_loop("heartbeat") if observability else None
        self.heartbeat = LeaseHeartbeat(
            registration, threads, runtime.monotonic, self._on_heartbeat
        )
        registration.busy = self.heartbeat.busy
        for middleware in (
            Logs(),
            *([Runs(observability.metrics, runtime.monotonic, threads)] if observability else []),
            BudgetGate(context.stores, runtime.clock, context.gates.budget),
            CircuitGate(context.stores, runtime.clock, context.gates.breakers),
            self.serial,
            ReplayFiles(context.stores),
            Ledger(context.stores, runtime, self.heartbeat, routes),
        ):
            broker.add_middleware(middleware)
        for queue in QUEUES:
            broker.declare_queue(queue)
        for route in routes.values():
            _declare(broker, route, self)
        self._worker = dramatiq.Worker(
            broker, queues=set(queues), worker_timeout=IDLE_THREAD_MS, worker_threads=threads
        )
        # By default dramatiq fetches twice as many messages as it has threads: the rest would wait
        # in this process, where urgent jobs cannot pass them.
        self._worker.queue_prefetch = threads

    def start(self) -> None:
        """Begin to run jobs."""
        # A thread that waits for SQLite releases the interpreter. With the default of 5 ms it would
        # get the interpreter back late, while it holds the store's writer and all processes wait.
        sys.setswitchinterval(SWITCH_INTERVAL_S)
        self.heartbeat.start()
        self.broker.listen()
        self._worker.start()
        emit("worker.started", owner=self.context.runtime.worker_uid, queues=",".join(self.queues))

    def stop(self, grace_s: float, now: threading.Event | None = None) -> int:
        """Take no more jobs, let running ones finish within the grace, hand back the rest.

        Args:
            grace_s: seconds.
            now: when set, the grace is over.

        Returns:
            How many jobs were handed back.
        """
        runtime = self.context.runtime
        runtime.stopping.set()
        at_once = now or threading.Event()
        grace_ends_at = runtime.monotonic() + grace_s
        while (
            self.heartbeat.busy() and runtime.monotonic() < grace_ends_at and not at_once.wait(0.02)
        ):
            pass
        handed_back = self.heartbeat.hand_back_all("its worker was stopped")
        self.broker.prepare_stop()
        try:
            # The ledger is settled; the rest of dramatiq's stop only cleans up Redis.
            self._worker.stop(timeout=2000)
        except Exception as error:  # it raises when Redis is away
            emit("worker.untidy", error=type(error).__name__)
        self.heartbeat.stop()
        emit("worker.stopped", owner=runtime.worker_uid, handed_back=handed_back)
        return handed_back

    def run(self, route: Route, group: str) -> None:
        """Run one message's jobs: the body of every actor."""
        running = self.heartbeat.current()
        emit("jobs.working", kind=route.kind.name, jobs=len(running.leases))
        route.run(Work(self.context, group, running.store, running.leases))

    def _on_heartbeat(self) -> None:
        if self._loop:
            self._loop.record()
        self.serial.renew()


def require_redis(settings: Settings, command: str) -> None:
    """Refuse a command of the fleet if no Redis server is set.

    Raises:
        UnavailableError: AFTERWORD_REDIS_URL is not set.
    """
    if not settings.redis_url:
        raise UnavailableError(
            f"`afterword {command}` needs a Redis server: set AFTERWORD_REDIS_URL, such as "
            "redis://127.0.0.1:6379/7; without one use `afterword up`"
        )


def refuse_unsafe_redis(settings: Settings, fail_fast: bool) -> None:
    """Refuse a Redis with unsafe settings; one that does not answer yet is accepted.

    Args:
        fail_fast: also refuse one that does not answer.

    Raises:
        UnavailableError: the message says what to change, or that Redis does not answer.
    """
    if not settings.redis_url:
        return
    client = connect(settings.redis_url)
    try:
        check_server(client)
    except SilentServerError:
        if fail_fast:
            raise
    finally:
        client.close()


def _declare(broker: LedgerBroker, route: Route, runner: JobRunner) -> None:
    def work(group: str, _job_ids: list[int]) -> None:
        runner.run(route, group)

    named = (("spends", route.spends), ("asks", route.asks), ("serial", route.serial))
    options: dict[str, Any] = {name: value for name, value in named if value is not None}
    declare = dramatiq.actor(
        broker=broker, actor_name=route.kind.name, queue_name=route.queue, **options
    )
    declare(work)
