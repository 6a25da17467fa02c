"""Tidy stores, add missing embedding jobs, and release jobs whose gate has opened."""

from functools import partial

from afterword.pipeline.core.jobs.reopen import reopen_jobs
from afterword.pipeline.core.store import writing
from afterword.pipeline.core.store.chain.anchors import anchor
from afterword.pipeline.core.store.chain.shorten import shorten_chain
from afterword.pipeline.core.store.chain.verify import check_chain
from afterword.pipeline.core.store.tidy import tidy
from afterword.pipeline.domain.decisions.embed import DECISION_VECTORS, backfill_role_embeddings
from afterword.pipeline.domain.vectors.embed import backfill_embeddings
from afterword.pipeline.domain.vectors.rows import MEMORY_VECTORS
from afterword.pipeline.domain.vectors.upkeep import drop_other_models
from afterword.pipeline.gateway.http.gates import gates_of
from afterword.workers.worker.context import Work

BACKFILLED_AT_ONCE = 10_000
"""Most embedding jobs that one backfill adds (count); the next one runs ten minutes later."""


def tidy_store(work: Work) -> None:
    """Refresh the planner's statistics, shorten the log and the chain, and anchor the chain."""
    with writing(work.store, finishing=work.leases):
        pass  # end the job first: a checkpoint needs no transaction, and may be repeated
    tidy(work.store)
    instance, now = work.context.stores.instance, work.now()
    anchor(instance, work.store, "scheduled", now)
    shorten_chain(instance, work.store, now)


def check_edits(work: Work) -> None:
    """Look for rows that another program wrote, and count them."""
    check_chain(work.context.stores.instance, work.store, work.now())
    with writing(work.store, finishing=work.leases):
        pass


def backfill(work: Work) -> None:
    """Add jobs for rows without a vector; if none is left, remove the vectors of old models."""
    embedder = work.context.embedder
    if embedder is not None:
        backfill_embeddings(
            work.store, embedder, work.now(), BACKFILLED_AT_ONCE, retry_failed=False
        )
        backfill_role_embeddings(
            work.store, embedder, work.now(), BACKFILLED_AT_ONCE, retry_failed=False
        )
        drop_other_models(work.store, embedder, (MEMORY_VECTORS, DECISION_VECTORS))
    with writing(work.store, finishing=work.leases):
        pass


def reopen_waiting_jobs(work: Work) -> None:
    """Make the jobs ready that wait for a gate which has opened."""
    parts = work.context.gates
    gates = gates_of(parts.budget, parts.breakers.values())
    reopen_jobs(work.store, partial(gates.headroom, work.group), work.clock)
    with writing(work.store, finishing=work.leases):
        pass
