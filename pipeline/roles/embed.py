"""The job `embed_role_entries`: a vector for each decision, asked for outside any transaction."""

import json
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

from pipeline.embedding.model import Embedder
from pipeline.errors import InvalidInputError
from pipeline.jobs.add import add_many
from pipeline.jobs.lease import Leases
from pipeline.memory.embed import MAX_REASON, is_worth_embedding
from pipeline.memory.vector_rows import find_model, keep_model
from pipeline.roles.kinds import EMBED_ROLE_ENTRIES
from pipeline.store import Store, reading, writing

# Wanted: without a vector of this model; one embedded by another model is wanted too.
_WANTED = """
(embedding_state IN ('pending', 'failed') OR (embedding_state = 'embedded' AND NOT EXISTS (
  SELECT 1 FROM role_vectors WHERE role_memory_id = role_memory.id AND model_id = :model_id)))
"""
_UNEMBEDDED = text(f"""
SELECT id, decision FROM role_memory
WHERE id IN (SELECT value FROM json_each(:ids)) AND {_WANTED} ORDER BY id
""")
_WITHOUT_JOB = text(f"""
SELECT id FROM role_memory WHERE {_WANTED} AND (:retry_failed OR embedding_state <> 'failed')
  AND id NOT IN (
  SELECT payload ->> 'role_memory_id' FROM jobs WHERE kind = :kind AND state <> 'dead')
ORDER BY id LIMIT :limit
""")
_KEEP = text("""
INSERT OR REPLACE INTO role_vectors (role_memory_id, model_id, vector)
SELECT id, :model_id, :vector FROM role_memory WHERE id = :id
""")
_SETTLE = text("""
UPDATE role_memory SET embedding_state = :state, embedding_error = :error
WHERE id IN (SELECT value FROM json_each(:ids))
""")


def embed_role_entries(store: Store, leases: Leases, embedder: Embedder, now: datetime) -> None:
    """Embed the leased decisions that still want it, and end their jobs.

    A batch that fails is raised as a whole, and the ledger runs its rows one by one; a single row
    the service will never take is marked `failed` with the reason, and its job ends.

    Raises:
        UnavailableError: the service did not answer; the rows stay as they were.
        BudgetExceededError: nothing was asked; the rows stay as they were.
        LeaseLostError: the jobs run elsewhere by now; nothing was written.
    """
    ids = [lease.payload["role_memory_id"] for lease in leases]
    with reading(store) as conn:
        values = _ids(ids) | {"model_id": find_model(conn, embedder)}
        found = [(one.id, one.decision) for one in conn.execute(_UNEMBEDDED, values)]
    wanted = [(row_id, words) for row_id, words in found if is_worth_embedding(words)]
    skipped = [row_id for row_id, words in found if not is_worth_embedding(words)]
    vectors: list[bytes] = []
    failed: str | None = None
    try:
        if wanted:
            texts = [words for _, words in wanted]
            vectors = embedder.embed(texts, store.name, EMBED_ROLE_ENTRIES.name)
    except InvalidInputError as error:
        if len(leases) > 1:
            raise
        failed = str(error)[:MAX_REASON]
    with writing(store, finishing=leases) as conn:
        _settle(conn, skipped, "skipped")
        embedded = [row_id for row_id, _ in wanted]
        if failed is not None:
            _settle(conn, embedded, "failed", failed)
        elif embedded:
            model_id = keep_model(conn, embedder, now)
            for row_id, vector in zip(embedded, vectors, strict=True):
                conn.execute(_KEEP, {"id": row_id, "model_id": model_id, "vector": vector})
            _settle(conn, embedded, "embedded")


def backfill_role_embeddings(
    store: Store, embedder: Embedder, now: datetime, limit: int, *, retry_failed: bool = True
) -> int:
    """Add jobs for decisions without a vector of this embedder's model that wait for none.

    Args:
        limit: jobs added at most; count.
        retry_failed: also for decisions a service refused; a schedule leaves them to a person.

    Returns:
        How many were added; repeated, none.
    """
    with writing(store) as conn:
        ids = role_ids_without_job(conn, find_model(conn, embedder), retry_failed, limit)
        add_many(conn, EMBED_ROLE_ENTRIES, [{"role_memory_id": one} for one in ids], now)
    return len(ids)


def role_ids_without_job(
    conn: Connection, model_id: int | None, retry_failed: bool, limit: int
) -> list[int]:
    """Return ids of decisions that want a vector while no open job will bring one."""
    values = {"model_id": model_id, "retry_failed": retry_failed, "limit": limit}
    found = conn.execute(_WITHOUT_JOB, values | {"kind": EMBED_ROLE_ENTRIES.name})
    return list(found.scalars())


def _settle(conn: Connection, ids: list[int], state: str, error: str | None = None) -> None:
    conn.execute(_SETTLE, _ids(ids) | {"state": state, "error": error})


def _ids(ids: list[int]) -> dict[str, Any]:
    return {"ids": json.dumps(ids)}
