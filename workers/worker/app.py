"""How a process is put together: the context, the broker with its middleware, the worker."""

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
from afterword.pipeline.domain.prices.build import build_feed, hyperliquid_breaker
from afterword.pipeline.domain.reflection.build import build_judge
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.errors import UnavailableError
from afterword.pipeline.gateway.budget import Budget, caps_of
from afterword.pipeline.gateway.embedding.build import build_embedder, embedding_breaker
from afterword.pipeline.gateway.llm.build import build_llm, llm_breaker
from afterword.pipeline.gateway.switches import Switches, tasks_of
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
from afterword.workers.middleware.serial import Serial
from afterword.workers.observability.setup import Observability
from afterword.workers.routes import QUEUES, Route
from afterword.workers.worker.context import Context, Work
from afterword.workers.worker.heartbeat import LeaseHeartbeat


def build_context(
    settings: Settings,
    *,
    clock: Clock = system_clock,
    ids: IdSource = random_uid,
    chance: RandomSource = system_random,
    monotonic: Monotonic = monotonic,
) -> Context:
    """Return the parts of a process: the composition root of every worker and of `up`."""
    stores = Stores(settings.home, options_of(settings), clock, ids)
    budget = Budget(stores.instance, caps_of(settings), clock, ids)
    llm = build_llm(settings, stores.instance, budget, clock)
    return Context(
        settings=settings,
        stores=stores,
        budget=budget,
        embedder=build_embedder(settings, stores.instance, budget, clock),
        llm=llm,
        switches=Switches(stores.instance, clock, tasks_of(all_areas())),
        roles=load_roles(settings.home),
        role_judge=build_judge(settings, llm),
        judge=None if llm is None else LlmFactJudge(llm),
        breakers={
            "embedding": embedding_breaker(settings, stores.instance, clock),
            "llm": llm_breaker(settings, stores.instance, clock),
            "prices": hyperliquid_breaker(settings, stores.instance, clock),
        },
        feed=build_feed(settings, stores.instance, clock),
        clock=clock,
        monotonic=monotonic,
        ids=ids,
        chance=chance,
        owner=ids(),
    )


def build_broker(context: Context) -> LedgerBroker:
    """Return the broker, on Redis or inside this process; Redis need not answer yet."""
    url = context.settings.redis_url
    client: redis.Redis = connect(url) if url else in_process()
    return LedgerBroker(client, context.stores.instance_id, not url, context.monotonic)


IDLE_THREAD_MS = 500
"""How often an idle worker thread checks whether it must stop; a message wakes it at once; ms."""

SWITCH_INTERVAL_S = 0.001
"""How long one thread may compute while others want the interpreter; seconds."""


class Fleet:
    """One worker process: threads that run jobs, and a heartbeat.

    Args:
        queues: the lanes to work.
        threads: how many jobs run at once.
    """

    def __init__(
        self,
        context: Context,
        broker: LedgerBroker,
        routes: Mapping[str, Route],
        queues: Sequence[str] = QUEUES,
        threads: int = 8,
        signs: Observability | None = None,
    ) -> None:
        self.context, self.broker, self.queues = context, broker, tuple(queues)
        owner = WorkerRegistration(
            context.settings.home,
            context.owner,
            threads,
            tuple(queues),
            kinds=[name for name, route in routes.items() if route.queue in queues],
            port=signs.port if signs else 0,
        )
        self.serial = Serial(context, broker.client, broker.namespace, broker.outage)
        self._pulse = signs.pulse("heartbeat") if signs else None
        self.holdings = LeaseHeartbeat(owner, threads, context.monotonic, self._on_beat)
        owner.busy = self.holdings.busy
        for middleware in (
            Logs(),
            *([Runs(signs.metrics, context.monotonic, threads)] if signs else []),
            BudgetGate(context),
            CircuitGate(context),
            self.serial,
            Ledger(context, self.holdings, routes),
        ):
            broker.add_middleware(middleware)
        for queue in QUEUES:
            broker.declare_queue(queue)
        for route in routes.values():
            _declare(broker, route, self)
        self._worker = dramatiq.Worker(
            broker, queues=set(queues), worker_timeout=IDLE_THREAD_MS, worker_threads=threads
        )
        # Dramatiq takes twice the threads by default: the rest would wait here, out of order.
        self._worker.queue_prefetch = threads

    def start(self) -> None:
        """Begin to work."""
        # A thread that waits for SQLite gives the interpreter away, and at the default of 5 ms gets
        # it back late, with the store's writer in its hands: all processes would wait for it.
        sys.setswitchinterval(SWITCH_INTERVAL_S)
        self.holdings.start()
        self.broker.listen()
        self._worker.start()
        emit("worker.started", owner=self.context.owner, queues=",".join(self.queues))

    def stop(self, grace_s: float, now: threading.Event | None = None) -> int:
        """Stop taking jobs, let running ones finish within the grace, hand back the rest.

        Args:
            grace_s: seconds.
            now: when set, the grace is over.

        Returns:
            How many jobs were handed back.
        """
        self.context.stopping.set()
        impatient = now or threading.Event()
        give_up_at = self.context.monotonic() + grace_s
        while (
            self.holdings.busy()
            and self.context.monotonic() < give_up_at
            and not impatient.wait(0.02)
        ):
            pass
        given = self.holdings.hand_back_all("its worker was stopped")
        self.broker.hurry()
        try:
            # The ledger is settled; what dramatiq still does only tidies Redis.
            self._worker.stop(timeout=2000)
        except Exception as error:  # it raises when Redis is away
            emit("worker.untidy", error=type(error).__name__)
        self.holdings.stop()
        emit("worker.stopped", owner=self.context.owner, handed_back=given)
        return given

    def _on_beat(self) -> None:
        if self._pulse:
            self._pulse.beat()
        self.serial.renew()

    def run(self, route: Route, message_group: str) -> None:
        """Run one message's jobs: the body of every actor."""
        held = self.holdings.current()
        emit("jobs.working", kind=route.kind.name, jobs=len(held.leases))
        route.run(Work(self.context, message_group, held.store, held.leases))


def require_redis(settings: Settings, command: str) -> None:
    """Refuse a fleet command without a server to share.

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
        UnavailableError: what to change; or it does not answer.
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


def _declare(broker: LedgerBroker, route: Route, fleet: Fleet) -> None:
    def work(group: str, _job_ids: list[int]) -> None:
        fleet.run(route, group)

    named = (("spends", route.spends), ("asks", route.asks), ("serial", route.serial))
    options: dict[str, Any] = {name: value for name, value in named if value is not None}
    declare = dramatiq.actor(
        broker=broker, actor_name=route.kind.name, queue_name=route.queue, **options
    )
    declare(work)
