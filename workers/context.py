"""What a worker process is made of, and what one run gets to work with."""

import threading
from dataclasses import dataclass, field
from datetime import datetime

from pipeline.budget import Budget
from pipeline.clock import Clock, Monotonic
from pipeline.embedding.model import Embedder
from pipeline.ids import Chance, IdSource
from pipeline.jobs.lease import Leases
from pipeline.settings import Settings
from pipeline.store import Shelf, Store


@dataclass(frozen=True, slots=True)
class Context:
    """The parts chosen once, at the composition root.

    Args:
        owner: uid of this process in the ledger.
        embedder: None while embeddings are disabled.
        stopping: set when no further job may start.
    """

    settings: Settings
    shelf: Shelf
    budget: Budget
    embedder: Embedder | None
    clock: Clock
    monotonic: Monotonic
    ids: IdSource
    chance: Chance
    owner: str
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
