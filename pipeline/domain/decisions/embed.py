"""The job `embed_role_entries`: a vector for each decision."""

from datetime import datetime
from typing import Final

from afterword.pipeline.core.jobs.lease import Leases
from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.decisions.area import EMBED_ROLE_ENTRIES
from afterword.pipeline.domain.vectors.embed import backfill_texts, embed_texts
from afterword.pipeline.domain.vectors.rows import Embeddable
from afterword.pipeline.gateway.embedding.model import Embedder

DECISION_VECTORS: Final = Embeddable(
    table="role_memory",
    words="decision",
    vectors="role_vectors",
    row_key="role_memory_id",
    allowed="true",
    kind=EMBED_ROLE_ENTRIES,
)


def embed_role_entries(store: Store, leases: Leases, embedder: Embedder, now: datetime) -> None:
    """Embed leased decisions that still lack a vector, and end their jobs; see `embed_texts`."""
    embed_texts(DECISION_VECTORS, store, leases, embedder, now)


def backfill_role_embeddings(
    store: Store, embedder: Embedder, now: datetime, limit: int, *, retry_failed: bool = True
) -> int:
    """Add jobs for decisions without a vector and without a job; see `backfill_texts`."""
    return backfill_texts(DECISION_VECTORS, store, embedder, now, limit, retry_failed)
