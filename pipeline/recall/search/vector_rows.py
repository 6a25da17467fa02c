"""SQL over vectors: their similarity to a query, and the rows an index is built from."""

import json
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, text

from afterword.pipeline.domain.memory.visibility import visible
from afterword.pipeline.recall.search.model import ArmScores

# A vector of another length, such as half a blob, is treated as if it were not there: it cannot be
# compared, and sqlite-vec would refuse the whole statement.
_SIMILARITY: Final = """
SELECT memory_vectors.memory_id, vec_distance_cosine(memory_vectors.vector, :query_vector)
FROM {vectors} CROSS JOIN memories ON memories.id = memory_vectors.memory_id
WHERE memory_vectors.model_id = :model_id AND length(memory_vectors.vector) = length(:query_vector)
  AND {visible}
"""
_AMONG: Final = (
    "json_each(:among) AS named CROSS JOIN memory_vectors ON memory_vectors.memory_id = named.value"
)
_NEWEST = text("SELECT max(id) FROM memory_vectors")
_COUNT = text("""
SELECT count(*) FROM (SELECT 1 FROM memory_vectors WHERE model_id = :model_id LIMIT :most)
""")
_AFTER = text("""
SELECT memory_vectors.id, memory_vectors.memory_id, memories.known_at, memory_vectors.vector
FROM memory_vectors CROSS JOIN memories ON memories.id = memory_vectors.memory_id
WHERE memory_vectors.id > :after AND memory_vectors.model_id = :model_id
  AND length(memory_vectors.vector) = :bytes
ORDER BY memory_vectors.id LIMIT :limit
""")


class StoredVectors(NamedTuple):
    """Some vectors as they are stored.

    Args:
        number: the number of the last one; every stored vector gets a larger one.
        ids: ids of their memories, (n,).
        known_at: when those became known, microseconds, (n,).
        vectors: (n, dimensions) float32.
    """

    number: int
    ids: NDArray[np.int64]
    known_at: NDArray[np.int64]
    vectors: NDArray[np.float32]


def similarity(
    conn: Connection,
    model_id: int,
    query_vector: bytes,
    as_of: int | None,
    among: NDArray[np.int64] | None = None,
) -> ArmScores:
    """Return the exact cosine similarity of visible rows to a query's vector.

    Args:
        as_of: the rows visible at this moment instead; microseconds.
        among: ids of the memories to compare; None: all.
    """
    values = {"model_id": model_id, "query_vector": query_vector, "as_of": as_of}
    vectors = "memory_vectors"
    if among is not None:
        vectors, values["among"] = _AMONG, json.dumps(among.tolist())
    statement = text(_SIMILARITY.format(vectors=vectors, visible=visible(as_of)))
    return scored(conn.execute(statement, values).all())


def scored(rows: Sequence[Any]) -> ArmScores:
    """Return the scores of rows of ids and cosine distances."""
    # A vector of zeros has no angle to any other.
    rows = [(row_id, distance) for row_id, distance in rows if distance is not None]
    return ArmScores(
        np.fromiter((row_id for row_id, _ in rows), np.int64, len(rows)),
        1.0 - np.fromiter((distance for _, distance in rows), np.float64, len(rows)),
    )


def newest(conn: Connection) -> int:
    """Return the number of the vector stored last; 0 if there is none."""
    return conn.execute(_NEWEST).scalar_one() or 0


def count(conn: Connection, model_id: int, most: int = -1) -> int:
    """Return how many vectors a model has, counting up to `most`; -1 counts all."""
    stored: int = conn.execute(_COUNT, {"model_id": model_id, "most": most}).scalar_one()
    return stored


def after(
    conn: Connection, model_id: int, dimensions: int, number: int, limit: int
) -> StoredVectors | None:
    """Return the vectors stored after a number, oldest first; None if there are none."""
    size = 4 * dimensions
    values = {"after": number, "model_id": model_id, "bytes": size, "limit": limit}
    rows = conn.execute(_AFTER, values).all()
    if not rows:
        return None
    vectors = np.frombuffer(b"".join(row[3] for row in rows), "<f4").reshape(-1, dimensions)
    return StoredVectors(
        rows[-1][0],
        np.fromiter((row[1] for row in rows), np.int64, len(rows)),
        np.fromiter((row[2] for row in rows), np.int64, len(rows)),
        vectors,
    )
