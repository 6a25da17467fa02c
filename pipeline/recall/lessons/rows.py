"""SQL over decisions that left lessons: what they said, and how like a question they are."""

import json
from collections.abc import Sequence

from sqlalchemy import Connection, text

from afterword.pipeline.recall.search.model import ArmScores
from afterword.pipeline.recall.search.vector_rows import scored

_SAID = text("""
SELECT id, decision FROM role_memory WHERE id IN (SELECT value FROM json_each(:ids))
""")
# A vector of another length is treated as if it were not there; see `vector_rows`.
_LIKE = text("""
SELECT named.key, vec_distance_cosine(role_vectors.vector, :asked)
FROM json_each(:ids) AS named
CROSS JOIN role_vectors ON role_vectors.role_memory_id = named.value
WHERE role_vectors.model_id = :model_id AND length(role_vectors.vector) = length(:asked)
ORDER BY 2, 1
""")


def said(conn: Connection, ids: Sequence[int]) -> dict[int, str]:
    """Return the words of decisions by their ids."""
    found = conn.execute(_SAID, {"ids": json.dumps(list(ids))})
    return {int(row_id): str(words) for row_id, words in found}


def like(conn: Connection, model_id: int, asked: bytes, ids: Sequence[int]) -> ArmScores:
    """Return the exact cosine similarity of decisions to a question's vector.

    Returns:
        By their places in `ids`, from 0; the nearest first.
    """
    values = {"model_id": model_id, "asked": asked, "ids": json.dumps(list(ids))}
    return scored(conn.execute(_LIKE, values).all())
