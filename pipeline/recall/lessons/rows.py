"""SQL over the vectors of decisions: their similarity to a question."""

import json
from collections.abc import Sequence

from sqlalchemy import Connection, text

from afterword.pipeline.recall.search.model import ArmScores
from afterword.pipeline.recall.search.vector_rows import scored

# A vector of another length is ignored; see `vector_rows`.
_SIMILARITY = text("""
SELECT named.key, vec_distance_cosine(role_vectors.vector, :query_vector)
FROM json_each(:ids) AS named
CROSS JOIN role_vectors ON role_vectors.role_memory_id = named.value
WHERE role_vectors.model_id = :model_id AND length(role_vectors.vector) = length(:query_vector)
ORDER BY 2, 1
""")


def similarity(
    conn: Connection, model_id: int, query_vector: bytes, ids: Sequence[int]
) -> ArmScores:
    """Return the exact cosine similarity of decisions to a question's vector.

    Returns:
        By their positions in `ids`, from 0; the nearest first.
    """
    values = {"model_id": model_id, "query_vector": query_vector, "ids": json.dumps(list(ids))}
    return scored(conn.execute(_SIMILARITY, values).all())
