"""Housekeeping of stores, embeddings and budgets."""

from functools import partial

from afterword.pipeline.core.jobs.reopen import wake_jobs
from afterword.pipeline.core.store import writing
from afterword.pipeline.core.store.tidy import tidy
from afterword.pipeline.domain.decisions.embed import DECISIONS, backfill_role_embeddings
from afterword.pipeline.domain.vectors.embed import backfill_embeddings
from afterword.pipeline.domain.vectors.rows import MEMORIES
from afterword.pipeline.domain.vectors.upkeep import drop_other_models
from afterword.pipeline.gateway.http.gates import gates_of
from afterword.workers.worker.context import Work

BACKFILLED_AT_ONCE = 10_000
"""Embedding jobs one backfill adds at most; the next one, ten minutes later, adds more."""


def tidy_store(work: Work) -> None:
    """Refresh the planner's statistics and cut the write-ahead log back."""
    with writing(work.store, finishing=work.leases):
        pass  # the job ends first: a checkpoint waits for no transaction, and may be repeated
    tidy(work.store)


def backfill(work: Work) -> None:
    """Add jobs for what wants an embedding; drop an old model's when nothing does."""
    embedder = work.context.embedder
    if embedder is not None:
        backfill_embeddings(
            work.store, embedder, work.now(), BACKFILLED_AT_ONCE, retry_failed=False
        )
        backfill_role_embeddings(
            work.store, embedder, work.now(), BACKFILLED_AT_ONCE, retry_failed=False
        )
        drop_other_models(work.store, embedder, (MEMORIES, DECISIONS))
    with writing(work.store, finishing=work.leases):
        pass


def expire_reservations(work: Work) -> None:
    """Book reservations that a crash left open, as spent; let go on what waits for an open gate."""
    context = work.context
    context.budget.expire()
    gates = gates_of(context.budget, context.breakers.values())
    wake_jobs(work.store, partial(gates.headroom, work.group), context.clock)
    with writing(work.store, finishing=work.leases):
        pass
