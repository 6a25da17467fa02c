"""SQL that counts what the doctor looks at in memories and what is derived from them."""

from dataclasses import dataclass

from sqlalchemy import Connection, inspect, text

from afterword.pipeline.domain.memory.visibility import VISIBLE
from afterword.pipeline.domain.vectors.rows import Embeddable

_STANDING = f"""
SELECT count(*) FILTER (WHERE {VISIBLE}), count(*) FILTER (WHERE deleted_at IS NOT NULL),
  count(*) FILTER (WHERE superseded_at IS NOT NULL), count(*) FILTER (WHERE stale_at IS NOT NULL)
FROM memories
"""
_STATES = "SELECT embedding_state, count(*) FROM memories GROUP BY embedding_state ORDER BY 1"
# The subquery uses the index of dead jobs; without dead jobs nothing else is read.
_DEAD_EMBEDDINGS = """
SELECT count(*) FROM {table} WHERE id IN (
  SELECT payload ->> '{owner}' FROM jobs WHERE kind = :kind AND state = 'dead')
"""
_FACTS = "SELECT state, count(*) FROM facts GROUP BY state ORDER BY 1"
_ORPHANED = """
SELECT count(*) FROM memory_vectors WHERE memory_id NOT IN (SELECT id FROM memories)
  OR model_id NOT IN (SELECT id FROM embedding_models)
"""
_MISSHAPEN = """
SELECT count(*) FROM memory_vectors JOIN embedding_models ON embedding_models.id = model_id
WHERE length(vector) <> 4 * dimensions
"""
# Deleted means: one absence is open. A read as of a moment knows deletions by absences alone.
_UNMATCHED = """
SELECT
  (SELECT count(*) FROM memories WHERE deleted_at IS NOT NULL
    AND id NOT IN (SELECT memory_id FROM memory_absences WHERE back_at IS NULL))
  + (SELECT count(*) FROM memory_absences JOIN memories ON memories.id = memory_id
    WHERE back_at IS NULL AND deleted_at IS NULL)
"""


@dataclass(frozen=True, slots=True)
class MemoryCounts:
    """How many memories stand, and how many do not and why; a row can count for several."""

    alive: int
    deleted: int
    superseded: int
    stale: int


@dataclass(frozen=True, slots=True)
class VectorCounts:
    """What is there of vectors; counts.

    Args:
        orphaned: of a memory or a model that is gone.
        misshapen: of another length than their model's.
        missing: whether there is no table of them.
    """

    models: int
    vectors: int
    orphaned: int
    misshapen: int
    missing: bool = False

    @property
    def bad(self) -> int:
        """Vectors nothing can be compared with, and the table itself where it is gone."""
        return self.orphaned + self.misshapen + self.missing


def standing(conn: Connection) -> MemoryCounts:
    """Count memories by whether they stand."""
    return MemoryCounts(*conn.exec_driver_sql(_STANDING).one())


def embedding_states(conn: Connection) -> dict[str, int]:
    """Count memories by embedding state."""
    return {str(state): int(count) for state, count in conn.exec_driver_sql(_STATES)}


def dead_embeddings(conn: Connection, of: Embeddable) -> int:
    """Count rows of a table whose embedding job is dead; they get no vector until a redrive."""
    query = text(_DEAD_EMBEDDINGS.format(table=of.table, owner=of.owner))
    return int(conn.execute(query, {"kind": of.kind.name}).scalar_one())


def fact_states(conn: Connection) -> dict[str, int]:
    """Count facts by state."""
    return {str(state): int(count) for state, count in conn.exec_driver_sql(_FACTS)}


def vectors(conn: Connection) -> VectorCounts:
    """Count vectors, and those nothing can be compared with."""
    if not inspect(conn).has_table("memory_vectors"):
        return VectorCounts(0, 0, 0, 0, missing=True)
    query = "SELECT count(DISTINCT model_id), count(*) FROM memory_vectors"
    models, count = conn.exec_driver_sql(query).one()
    orphaned = conn.exec_driver_sql(_ORPHANED).scalar_one()
    return VectorCounts(models, count, orphaned, conn.exec_driver_sql(_MISSHAPEN).scalar_one())


def unmatched_absences(conn: Connection) -> int:
    """Count rows whose deletion and absence disagree."""
    return int(conn.exec_driver_sql(_UNMATCHED).scalar_one())


def edges(conn: Connection) -> dict[str, int]:
    """Count edges by type."""
    query = text("SELECT edge_type, count(*) FROM memory_edges GROUP BY edge_type ORDER BY 1")
    return {str(edge_type): int(count) for edge_type, count in conn.execute(query)}
