"""What a worker process is made of, and what one run gets to work with."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from afterword.pipeline.clock import Clock, Monotonic
from afterword.pipeline.core.jobs.lease import Leases
from afterword.pipeline.core.store import Store, Stores
from afterword.pipeline.domain.facts.judge import FactJudge
from afterword.pipeline.domain.prices.wanted import MarketFeed
from afterword.pipeline.domain.reflection.judge import DecisionJudge
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.gateway.budget import Budget
from afterword.pipeline.gateway.embedding.model import Embedder
from afterword.pipeline.gateway.http.breaker import Breaker
from afterword.pipeline.gateway.llm import Llm
from afterword.pipeline.gateway.switches import Switches
from afterword.pipeline.ids import IdSource, RandomSource
from afterword.pipeline.settings import Settings


@dataclass(frozen=True, slots=True)
class Context:
    """The parts chosen once, at the composition root.

    Args:
        owner: uid of this process in the ledger.
        embedder: None while embeddings are disabled.
        llm: None while no model is asked.
        breakers: the circuits of the services that are asked: `embedding`, `llm`, `prices`.
        switches: which tasks run, stand still, or run in the shadow.
        roles: the roles of all skills.
        role_judge: who explains decisions.
        judge: None while facts are consolidated by rule alone.
        feed: None while nobody is asked for prices.
        stopping: set when no further job may start.
    """

    settings: Settings
    stores: Stores
    budget: Budget
    embedder: Embedder | None
    llm: Llm | None
    switches: Switches
    roles: RoleRegistry
    role_judge: DecisionJudge
    clock: Clock
    monotonic: Monotonic
    ids: IdSource
    chance: RandomSource
    owner: str
    judge: FactJudge | None = None
    feed: MarketFeed | None = None
    breakers: Mapping[str, Breaker] = field(default_factory=dict)
    stopping: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True, slots=True)
class Work:
    """One run: some jobs of one kind in one group, leased.

    Args:
        leases: a `Finisher`; every actor ends it in the transaction of its effect.
    """

    context: Context
    group: str
    store: Store
    leases: Leases

    def now(self) -> datetime:
        """Return the present."""
        return self.context.clock()
