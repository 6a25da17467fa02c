"""The parts of a worker process, grouped by area, and the input of one run.

`build_context` in `app` is the composition root that makes them.
"""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from afterword.pipeline.areas import all_areas
from afterword.pipeline.clock import Clock, Monotonic
from afterword.pipeline.core.jobs.lease import Leases
from afterword.pipeline.core.store import Store, Stores
from afterword.pipeline.domain.facts.judge import FactJudge
from afterword.pipeline.domain.patterns.writer import PatternWriter
from afterword.pipeline.domain.prices.wanted import MarketFeed
from afterword.pipeline.domain.reflection.judge import DecisionJudge
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.synthesis.judge import SynthesisJudge
from afterword.pipeline.domain.synthesis.seed_writer import SeedWriter
from afterword.pipeline.gateway.budget import Budget
from afterword.pipeline.gateway.embedding.model import Embedder
from afterword.pipeline.gateway.exchanges.build import Exchanges
from afterword.pipeline.gateway.http.breaker import Breaker
from afterword.pipeline.gateway.llm import Llm
from afterword.pipeline.gateway.switches import Switches
from afterword.pipeline.gateway.venue.info import VenueInfo
from afterword.pipeline.ids import IdSource, RandomSource
from afterword.pipeline.settings import Settings

UPKEEP: Final = tuple(
    job.kind.name for area in all_areas() for job in area.jobs if job.queue == "upkeep"
)
"""The kinds of job in the queue of upkeep."""


@dataclass(frozen=True, slots=True)
class Runtime:
    """Time, ids and chance of a process, and its state in the fleet.

    Args:
        clock: aware UTC.
        monotonic: seconds.
        worker_uid: uid of this process in the ledger.
        stopping: set when no further job may start.
    """

    clock: Clock
    monotonic: Monotonic
    ids: IdSource
    chance: RandomSource
    worker_uid: str
    stopping: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True, slots=True)
class GateParts:
    """What may postpone a job before it starts.

    Args:
        breakers: the circuits of the services: `accounts`, `embedding`, `llm`, `llm_fast`,
            `prices`.
    """

    budget: Budget
    breakers: Mapping[str, Breaker]


@dataclass(frozen=True, slots=True)
class FactParts:
    """How facts are consolidated.

    Args:
        judge: None if no model is set.
        is_enabled: whether the owner allows that a judge is asked; if not, only rules decide.
        guidance: the owner's wish for the judge.
    """

    judge: FactJudge | None
    is_enabled: bool
    guidance: str


@dataclass(frozen=True, slots=True)
class DecisionParts:
    """How decisions are judged.

    Args:
        roles: the roles of all skills.
        judge: explains decisions that were wrong.
        writer: words confirmed patterns; None if no model does.
    """

    roles: RoleRegistry
    judge: DecisionJudge
    writer: PatternWriter | None = None


@dataclass(frozen=True, slots=True)
class MethodologyParts:
    """How methodologies are judged.

    Args:
        judge: doubts those that graduated.
        writer: words seeds; None for the template.
    """

    judge: SynthesisJudge
    writer: SeedWriter | None = None


@dataclass(frozen=True, slots=True)
class PriceParts:
    """Where prices come from.

    Args:
        feed: None if no source is asked for prices.
        interval: length of a bar.
    """

    feed: MarketFeed | None
    interval: timedelta


@dataclass(frozen=True, slots=True)
class Context:
    """All parts of a process, built once. Its properties are what rules of rooms may read.

    Args:
        embedder: None while embeddings are disabled.
        switches: the mode of each task: on, off or shadow.
        venue: Hyperliquid, which is asked about accounts.
        exchanges: are asked about accounts with a key.
        fast_llm: the model for what is frequent and small; None if no model is set.
    """

    settings: Settings
    stores: Stores
    runtime: Runtime
    gates: GateParts
    switches: Switches
    embedder: Embedder | None
    facts: FactParts
    decisions: DecisionParts
    methodologies: MethodologyParts
    venue: VenueInfo
    exchanges: Exchanges
    prices: PriceParts
    fast_llm: Llm | None = None

    @property
    def roles(self) -> RoleRegistry:
        """The roles of all skills."""
        return self.decisions.roles

    @property
    def judges_facts(self) -> bool:
        """Whether a model is asked about facts."""
        return self.facts.judge is not None and self.facts.is_enabled

    @property
    def fetched_interval(self) -> timedelta | None:
        """Length of a bar that is fetched; None if no source is asked for prices."""
        return None if self.prices.feed is None else self.prices.interval

    @property
    def upkeep(self) -> tuple[str, ...]:
        """The kinds of job that keep files in order: they are no use of a group."""
        return UPKEEP


@dataclass(frozen=True, slots=True)
class Work:
    """The input of one run: some leased jobs of one kind in one group.

    Args:
        leases: a `Finisher`; every actor ends the jobs in the transaction of its effect.
    """

    context: Context
    group: str
    store: Store
    leases: Leases

    @property
    def clock(self) -> Clock:
        """The clock of the process."""
        return self.context.runtime.clock

    def now(self) -> datetime:
        """Return the present time."""
        return self.clock()
