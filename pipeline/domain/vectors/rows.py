"""SQL over texts that get vectors, their vectors, and the models that made them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cache
from typing import Final

from sqlalchemy import Connection, TextClause, text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.area import Kind
from afterword.pipeline.domain.memory.area import EMBED_MEMORIES
from afterword.pipeline.domain.memory.visibility import NOT_DELETED
from afterword.pipeline.gateway.embedding.model import Embedder

_MODEL = text("""
SELECT id FROM embedding_models
WHERE provider = :provider AND model = :model AND dimensions = :dimensions
""")
_ADD_MODEL = text("""
INSERT INTO embedding_models (provider, model, dimensions, created_at)
VALUES (:provider, :model, :dimensions, :now) RETURNING id
""")
# A row wants a vector if it may have one and has none of this model, only perhaps of another.
_WANTED: Final = """
{allowed} AND ({table}.embedding_state IN ('pending', 'failed')
  OR ({table}.embedding_state = 'embedded' AND NOT EXISTS (
    SELECT 1 FROM {vectors} WHERE {row_key} = {table}.id AND model_id = :model_id)))
"""
_UNEMBEDDED: Final = f"""
SELECT id, {{words}}, embedding_state FROM {{table}}
WHERE id IN (SELECT value FROM json_each(:ids)) AND {_WANTED} ORDER BY id
"""
_WITHOUT_JOB: Final = f"""
SELECT id FROM {{table}} WHERE {_WANTED} AND (:retry_failed OR embedding_state <> 'failed')
  AND id NOT IN (
  SELECT payload ->> '{{row_key}}' FROM jobs WHERE kind = '{{kind.name}}')
ORDER BY id LIMIT :limit
"""
# Both are guarded by the embedded text and the state it was found in: a row that changed meanwhile
# is left as it is. REPLACE, because a changed vector must get a new number: by that number an index
# in another process finds it.
_KEEP_VECTOR: Final = """
INSERT OR REPLACE INTO {vectors} ({row_key}, model_id, vector)
SELECT id, :model_id, :vector FROM {table}
WHERE id = :id AND {words} = :content AND embedding_state = :state AND {allowed}
"""
_SETTLE: Final = """
UPDATE {table} SET embedding_state = :settled, embedding_error = :error
WHERE id = :id AND {words} = :content AND embedding_state = :state AND {allowed}
"""


@dataclass(frozen=True, slots=True)
class Embeddable:
    """A table whose texts get vectors; names as SQL.

    Args:
        table: it has an `id`, an `embedding_state` and an `embedding_error`.
        words: the column that is embedded.
        vectors: the table its vectors are stored in.
        row_key: the name of the row's id in that table, and in the payload of a job.
        allowed: the condition that a row may have a vector.
        kind: the job that embeds a row.
    """

    table: str
    words: str
    vectors: str
    row_key: str
    allowed: str
    kind: Kind


MEMORY_VECTORS: Final = Embeddable(
    table="memories",
    words="content",
    vectors="memory_vectors",
    row_key="memory_id",
    allowed=NOT_DELETED,
    kind=EMBED_MEMORIES,
)


@cache
def _about(statement: str, of: Embeddable) -> TextClause:
    return text(statement.format(**{one.name: getattr(of, one.name) for one in fields(of)}))


_CAN_REPLACE: Final = f"""
SELECT EXISTS (SELECT 1 FROM embedding_models WHERE id <> :model_id)
  AND NOT EXISTS (SELECT 1 FROM {{table}} WHERE {_WANTED} AND embedding_state <> 'failed')
"""
_REMOVE_ORPHANS = text("""
DELETE FROM memory_vectors WHERE memory_id NOT IN (SELECT id FROM memories)
  OR model_id NOT IN (SELECT id FROM embedding_models)
""")
_REMOVE_MISSHAPEN = text("""
DELETE FROM memory_vectors WHERE length(vector) <> 4 * (
  SELECT dimensions FROM embedding_models WHERE embedding_models.id = model_id)
""")
_REMOVE_OTHERS: Final = """
DELETE FROM {vectors} WHERE id IN (
  SELECT id FROM {vectors} WHERE model_id <> :model_id ORDER BY id LIMIT :limit)
"""
_FORGET_OTHERS = text("DELETE FROM embedding_models WHERE id <> :model_id")


@dataclass(frozen=True, slots=True)
class PendingText:
    """A row that wants a vector, as it was read."""

    id: int
    content: str
    state: str


def find_model(conn: Connection, embedder: Embedder) -> int | None:
    """Return the id of an embedder's model in this store; None if it never made vectors here."""
    model_id: int | None = conn.execute(_MODEL, _identity(embedder)).scalar_one_or_none()
    return model_id


def keep_model(conn: Connection, embedder: Embedder, now: datetime) -> int:
    """Return the id of an embedder's model in this store, new or not."""
    known = find_model(conn, embedder)
    if known is not None:
        return known
    added: int = conn.execute(
        _ADD_MODEL, _identity(embedder) | {"now": to_micros(now)}
    ).scalar_one()
    return added


def unembedded(
    conn: Connection, ids: Sequence[int], model_id: int | None, of: Embeddable = MEMORY_VECTORS
) -> list[PendingText]:
    """Return those of the rows that still want a vector of this model, in the order of ids."""
    values = {"ids": json.dumps(ids), "model_id": model_id}
    rows = conn.execute(_about(_UNEMBEDDED, of), values)
    return [PendingText(row_id, content, state) for row_id, content, state in rows]


def without_job(
    conn: Connection,
    model_id: int | None,
    retry_failed: bool,
    limit: int,
    of: Embeddable = MEMORY_VECTORS,
) -> list[int]:
    """Return ids of rows that want a vector and have no job, open or dead.

    A dead job is left to a person: a text that killed its workers must not return by itself.
    """
    values = {"model_id": model_id, "retry_failed": retry_failed, "limit": limit}
    return list(conn.execute(_about(_WITHOUT_JOB, of), values).scalars())


def keep_vector(
    conn: Connection,
    row: PendingText,
    model_id: int,
    vector: bytes,
    of: Embeddable = MEMORY_VECTORS,
) -> None:
    """Store a row's vector and mark the row embedded, if it is still as it was read."""
    values = {"id": row.id, "content": row.content, "state": row.state}
    conn.execute(_about(_KEEP_VECTOR, of), values | {"model_id": model_id, "vector": vector})
    settle(conn, row, "embedded", of=of)


def can_replace_others(conn: Connection, model_id: int, of: Embeddable = MEMORY_VECTORS) -> bool:
    """Say whether there are other models, and each row that can have a vector has this one's."""
    statement = _about(_CAN_REPLACE, of)
    can_replace: int = conn.execute(statement, {"model_id": model_id}).scalar_one()
    return bool(can_replace)


def remove_others(
    conn: Connection, model_id: int, limit: int, of: Embeddable = MEMORY_VECTORS
) -> int:
    """Remove vectors of other models, oldest first, up to a limit; return how many."""
    values = {"model_id": model_id, "limit": limit}
    return conn.execute(_about(_REMOVE_OTHERS, of), values).rowcount


def forget_others(conn: Connection, model_id: int) -> int:
    """Remove the other models, whose vectors are gone, and return how many."""
    return conn.execute(_FORGET_OTHERS, {"model_id": model_id}).rowcount


def remove_orphans(conn: Connection) -> int:
    """Remove vectors whose memory or model is gone, and return how many."""
    return conn.execute(_REMOVE_ORPHANS).rowcount


def remove_misshapen(conn: Connection) -> int:
    """Remove vectors that are longer or shorter than their model's, and return how many."""
    return conn.execute(_REMOVE_MISSHAPEN).rowcount


def settle(
    conn: Connection,
    row: PendingText,
    settled: str,
    error: str | None = None,
    of: Embeddable = MEMORY_VECTORS,
) -> None:
    """Set the embedding state of a row, if the row is still as it was read."""
    values = {"id": row.id, "content": row.content, "state": row.state}
    conn.execute(_about(_SETTLE, of), values | {"settled": settled, "error": error})


def _identity(embedder: Embedder) -> dict[str, str | int]:
    return {
        "provider": embedder.provider,
        "model": embedder.model,
        "dimensions": embedder.dimensions,
    }
