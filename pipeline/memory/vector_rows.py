"""SQL over vectors and the models that made them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, text

from pipeline.clock import to_micros
from pipeline.embedding.model import Embedder

# Wanted: alive, and without a vector of this model. A row embedded by another model is wanted too.
_WANTED = """
memories.deleted_at IS NULL AND (memories.embedding_state IN ('pending', 'failed')
  OR (memories.embedding_state = 'embedded' AND NOT EXISTS (
    SELECT 1 FROM memory_vectors WHERE memory_id = memories.id AND model_id = :model_id)))
"""
_MODEL = text("""
SELECT id FROM embedding_models
WHERE provider = :provider AND model = :model AND dimensions = :dimensions
""")
_ADD_MODEL = text("""
INSERT INTO embedding_models (provider, model, dimensions, created_at)
VALUES (:provider, :model, :dimensions, :now) RETURNING id
""")
_UNEMBEDDED = text(f"""
SELECT id, content, embedding_state FROM memories
WHERE id IN (SELECT value FROM json_each(:ids)) AND {_WANTED} ORDER BY id
""")
_WITHOUT_JOB = text(f"""
SELECT id FROM memories WHERE {_WANTED} AND (:retry_failed OR embedding_state <> 'failed')
  AND id NOT IN (
  SELECT payload ->> 'memory_id' FROM jobs WHERE kind = :kind AND state <> 'dead')
ORDER BY id LIMIT :limit
""")
# Both are guarded by the text that was embedded and the state it was found in: a row that changed
# meanwhile keeps its own way. REPLACE, because a vector that changes has to get a new number: by
# that an index elsewhere finds it.
_KEEP_VECTOR = text("""
INSERT OR REPLACE INTO memory_vectors (memory_id, model_id, vector)
SELECT id, :model_id, :vector FROM memories
WHERE id = :id AND content = :content AND embedding_state = :state AND deleted_at IS NULL
""")
_SETTLE = text("""
UPDATE memories SET embedding_state = :settled, embedding_error = :error
WHERE id = :id AND content = :content AND embedding_state = :state AND deleted_at IS NULL
""")
_CAN_REPLACE = text(f"""
SELECT EXISTS (SELECT 1 FROM embedding_models WHERE id <> :model_id)
  AND NOT EXISTS (SELECT 1 FROM memories WHERE {_WANTED} AND embedding_state <> 'failed')
""")
_REMOVE_ORPHANS = text("""
DELETE FROM memory_vectors WHERE memory_id NOT IN (SELECT id FROM memories)
  OR model_id NOT IN (SELECT id FROM embedding_models)
""")
_REMOVE_MISSHAPEN = text("""
DELETE FROM memory_vectors WHERE length(vector) <> 4 * (
  SELECT dimensions FROM embedding_models WHERE embedding_models.id = model_id)
""")
_REMOVE_OTHERS = text("""
DELETE FROM memory_vectors WHERE id IN (
  SELECT id FROM memory_vectors WHERE model_id <> :model_id ORDER BY id LIMIT :limit)
""")
_FORGET_OTHERS = text("DELETE FROM embedding_models WHERE id <> :model_id")


@dataclass(frozen=True, slots=True)
class Unembedded:
    """A memory that wants a vector, as it was found."""

    id: int
    content: str
    state: str


def find_model(conn: Connection, embedder: Embedder) -> int | None:
    """Return the id of an embedder's model in this store, if it made vectors here before."""
    found: int | None = conn.execute(_MODEL, _identity(embedder)).scalar_one_or_none()
    return found


def keep_model(conn: Connection, embedder: Embedder, now: datetime) -> int:
    """Return the id of an embedder's model in this store, new or not."""
    found = find_model(conn, embedder)
    if found is not None:
        return found
    added: int = conn.execute(
        _ADD_MODEL, _identity(embedder) | {"now": to_micros(now)}
    ).scalar_one()
    return added


def unembedded(conn: Connection, ids: Sequence[int], model_id: int | None) -> list[Unembedded]:
    """Return those of the rows that still want a vector of this model, in the order of ids."""
    rows = conn.execute(_UNEMBEDDED, {"ids": json.dumps(ids), "model_id": model_id})
    return [Unembedded(row_id, content, state) for row_id, content, state in rows]


def without_job(
    conn: Connection, kind: str, model_id: int | None, retry_failed: bool, limit: int
) -> list[int]:
    """Return ids of rows that want a vector while no open job of this kind will bring one."""
    values = {"kind": kind, "model_id": model_id, "retry_failed": retry_failed, "limit": limit}
    return list(conn.execute(_WITHOUT_JOB, values).scalars())


def keep_vector(conn: Connection, row: Unembedded, model_id: int, vector: bytes) -> None:
    """Keep a row's vector and mark it embedded, if it is still as it was found."""
    values = {"id": row.id, "content": row.content, "state": row.state}
    conn.execute(_KEEP_VECTOR, values | {"model_id": model_id, "vector": vector})
    settle(conn, row, "embedded")


def can_replace_others(conn: Connection, model_id: int) -> bool:
    """Say whether there are other models, and each row that can have a vector has this one's."""
    found: int = conn.execute(_CAN_REPLACE, {"model_id": model_id}).scalar_one()
    return bool(found)


def remove_others(conn: Connection, model_id: int, limit: int) -> int:
    """Remove vectors of other models, oldest first, up to a limit; return how many."""
    return conn.execute(_REMOVE_OTHERS, {"model_id": model_id, "limit": limit}).rowcount


def forget_others(conn: Connection, model_id: int) -> int:
    """Remove the other models, whose vectors are gone, and return how many."""
    return conn.execute(_FORGET_OTHERS, {"model_id": model_id}).rowcount


def remove_orphans(conn: Connection) -> int:
    """Remove vectors whose memory or model is gone, and return how many."""
    return conn.execute(_REMOVE_ORPHANS).rowcount


def remove_misshapen(conn: Connection) -> int:
    """Remove vectors that are longer or shorter than their model's, and return how many."""
    return conn.execute(_REMOVE_MISSHAPEN).rowcount


def settle(conn: Connection, row: Unembedded, settled: str, error: str | None = None) -> None:
    """Give a row its next embedding state, if it is still as it was found."""
    values = {"id": row.id, "content": row.content, "state": row.state}
    conn.execute(_SETTLE, values | {"settled": settled, "error": error})


def _identity(embedder: Embedder) -> dict[str, str | int]:
    return {
        "provider": embedder.provider,
        "model": embedder.model,
        "dimensions": embedder.dimensions,
    }
