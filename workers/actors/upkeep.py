"""Housekeeping of stores, embeddings and budgets."""

from pipeline.memory.embed import backfill_embeddings
from pipeline.memory.vector_upkeep import drop_other_models
from pipeline.roles.embed import backfill_role_embeddings
from pipeline.store import writing
from pipeline.store.tidy import tidy
from workers.context import Work

BACKFILLED_AT_ONCE = 10_000
"""Embedding jobs one backfill adds at most; the next one, ten minutes later, adds more."""


def tidy_store(work: Work) -> None:
    """Refresh the planner's statistics and cut the write-ahead log back."""
    with writing(work.store, finishing=work.leases):
        pass  # the job ends first: a checkpoint waits for no transaction, and may be repeated
    tidy(work.store)


def backfill(work: Work) -> None:
    """Add jobs for what wants an embedding; drop an old model's when no memory does."""
    embedder = work.context.embedder
    if embedder is not None:
        backfill_embeddings(
            work.store, embedder, work.now(), BACKFILLED_AT_ONCE, retry_failed=False
        )
        backfill_role_embeddings(
            work.store, embedder, work.now(), BACKFILLED_AT_ONCE, retry_failed=False
        )
        drop_other_models(work.store, embedder)
    with writing(work.store, finishing=work.leases):
        pass


def expire_reservations(work: Work) -> None:
    """Book reservations that a crash left open, as spent."""
    work.context.budget.expire()
    with writing(work.store, finishing=work.leases):
        pass
