"""The job `embed_role_entries`: a vector for each decision."""

from datetime import datetime
from typing import Final

from pipeline.embedding.model import Embedder
from pipeline.jobs.lease import Leases
from pipeline.memory.embed import backfill_texts, embed_texts
from pipeline.memory.vector_rows import Embeddable
from pipeline.roles.kinds import EMBED_ROLE_ENTRIES
from pipeline.store import Store

DECISIONS: Final = Embeddable(
    table="role_memory",
    words="decision",
    vectors="role_vectors",
    owner="role_memory_id",
    standing="true",
    kind=EMBED_ROLE_ENTRIES,
)


def embed_role_entries(store: Store, leases: Leases, embedder: Embedder, now: datetime) -> None:
    """Embed the leased decisions that still want it, and end their jobs; see `embed_texts`."""
    embed_texts(DECISIONS, store, leases, embedder, now)


def backfill_role_embeddings(
    store: Store, embedder: Embedder, now: datetime, limit: int, *, retry_failed: bool = True
) -> int:
    """Add jobs for decisions without a vector that have no job; see `backfill_texts`."""
    return backfill_texts(DECISIONS, store, embedder, now, limit, retry_failed)
