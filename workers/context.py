"""What a worker process is made of, and what one run gets to work with."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from pipeline.budget import Budget
from pipeline.clock import Clock, Monotonic
from pipeline.embedding.model import Embedder
from pipeline.facts.judge import Judge
from pipeline.ids import Chance, IdSource
from pipeline.jobs.lease import Leases
from pipeline.llm import Llm
from pipeline.roles.judge import Judge as RoleJudge
from pipeline.service.breaker import Breaker
from pipeline.settings import Settings
from pipeline.skills import RoleRegistry
from pipeline.sources.wanted import MarketFeed
from pipeline.store import Shelf, Store
from pipeline.switches import Switches


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
    shelf: Shelf
    budget: Budget
    embedder: Embedder | None
    llm: Llm | None
    switches: Switches
    roles: RoleRegistry
    role_judge: RoleJudge
    clock: Clock
    monotonic: Monotonic
    ids: IdSource
    chance: Chance
    owner: str
    judge: Judge | None = None
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
