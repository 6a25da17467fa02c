"""Which work goes where: every kind of job has exactly one route."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from afterword.pipeline.core.jobs.model import ALONE, Kind
from afterword.pipeline.domain.decisions.kinds import (
    EMBED_ROLE_ENTRIES,
    EXTRACT_ROLE_EDGES,
    REFLECT_ENTRIES,
)
from afterword.pipeline.domain.facts.kinds import CONSOLIDATE_FACTS, JUDGE_FACTS
from afterword.pipeline.domain.memory.kinds import EMBED_MEMORIES, EXTRACT_EDGES
from afterword.pipeline.domain.prices.kinds import FETCH_PRICES
from afterword.workers.actors import facts, memory, prices, roles, upkeep
from afterword.workers.worker.context import Work

QUEUES: Final = ("quick", "embed", "sync", "llm", "replay", "upkeep", ALONE)
"""The lanes: slow model calls never hold up edges."""


@dataclass(frozen=True, slots=True)
class Route:
    """How one kind of job is run.

    Args:
        kind: the kind and its limits.
        run: one call into the domain.
        queue: the lane it runs on.
        spends: the budget category asked before it starts; None for work that costs nothing.
        asks: the service whose circuit is asked before it starts: `embedding`, `llm` or `prices`.
        serial: returns the name of the lock that lets one such job run at a time, from the group
            and the job's payload.
    """

    kind: Kind
    run: Callable[[Work], None]
    queue: str
    spends: str | None = None
    asks: str | None = None
    serial: Callable[[str, Mapping[str, Any]], str] | None = None


def _one_per_group(group: str, _payload: Mapping[str, Any]) -> str:
    return f"tidy {group}"


def _one_per_role(group: str, payload: Mapping[str, Any]) -> str:
    return f"role {group} {payload['role']}"


def _one_at_a_time(_group: str, _payload: Mapping[str, Any]) -> str:
    return "prices"  # what a source bears is one sum for all groups


TIDY_STORE = Kind("tidy_store", deadline_s=300)
PURGE_EXPIRED = Kind("purge_expired", deadline_s=300)
BACKFILL_EMBEDDINGS = Kind("backfill_embeddings")
EXPIRE_RESERVATIONS = Kind("expire_reservations")

TABLE: Final = (
    Route(EXTRACT_EDGES, memory.extract_edges, queue="quick"),
    Route(EMBED_MEMORIES, memory.embed, queue="embed", spends="learning", asks="embedding"),
    Route(CONSOLIDATE_FACTS, facts.consolidate, queue="quick"),
    Route(JUDGE_FACTS, facts.judge, queue="llm", spends="learning", asks="llm"),
    Route(EXTRACT_ROLE_EDGES, roles.extract_edges, queue="quick"),
    Route(EMBED_ROLE_ENTRIES, roles.embed, queue="embed", spends="learning", asks="embedding"),
    # Asked for nothing before it starts: most of it is free, and what it asks is metered.
    Route(REFLECT_ENTRIES, roles.reflect, queue="llm", serial=_one_per_role),
    Route(FETCH_PRICES, prices.fetch, queue="sync", asks="prices", serial=_one_at_a_time),
    Route(PURGE_EXPIRED, memory.purge, queue="upkeep"),
    Route(TIDY_STORE, upkeep.tidy_store, queue="upkeep", serial=_one_per_group),
    Route(BACKFILL_EMBEDDINGS, upkeep.backfill, queue="upkeep"),
    Route(EXPIRE_RESERVATIONS, upkeep.expire_reservations, queue="upkeep"),
)

ROUTES: Final[Mapping[str, Route]] = {route.kind.name: route for route in TABLE}
"""The table by kind name."""
