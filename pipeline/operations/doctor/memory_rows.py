"""SQL that counts memories and the data that is derived from them."""

from dataclasses import dataclass

from sqlalchemy import Connection, inspect, text

from afterword.pipeline.domain.memory.visibility import VISIBLE
from afterword.pipeline.domain.vectors.rows import Embeddable

_MEMORIES = f"""
SELECT count(*) FILTER (WHERE {VISIBLE}), count(*) FILTER (WHERE deleted_at IS NOT NULL),
  count(*) FILTER (WHERE superseded_at IS NOT NULL), count(*) FILTER (WHERE stale_at IS NOT NULL)
FROM memories
"""
_STATES = "SELECT embedding_state, count(*) FROM memories GROUP BY embedding_state ORDER BY 1"
# The subquery uses the index of dead jobs; without dead jobs nothing else is read.
_DEAD_EMBEDDINGS = """
SELECT count(*) FROM {table} WHERE id IN (
  SELECT payload ->> '{row_key}' FROM jobs WHERE kind = :kind AND state = 'dead')
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
# A deleted memory has one open absence. A read as of a past moment uses only the absences.
_UNMATCHED = """
SELECT
  (SELECT count(*) FROM memories WHERE deleted_at IS NOT NULL
    AND id NOT IN (SELECT memory_id FROM memory_absences WHERE back_at IS NULL))
  + (SELECT count(*) FROM memory_absences JOIN memories ON memories.id = memory_id
    WHERE back_at IS NULL AND deleted_at IS NULL)
"""

_OPEN_SNAPSHOTS = """
SELECT count(*), max(s.started_at) FROM sessions AS s
JOIN session_snapshots AS shown ON shown.session_id = s.id AND shown.surface = 'snapshot'
WHERE s.ended_at IS NULL
"""
_CHANGED = text("""
SELECT (SELECT count(*) FROM memories WHERE updated_at > :since AND deleted_at IS NULL)
  + (SELECT count(*) FROM memories WHERE deleted_at > :since)
""")


@dataclass(frozen=True, slots=True)
class OpenSnapshots:
    """Open sessions that were shown a snapshot, and memories that changed since; counts.

    Args:
        changed: since the newest of these sessions began.
    """

    sessions: int
    changed: int


@dataclass(frozen=True, slots=True)
class MemoryCounts:
    """Number of visible memories, and of the others by reason; a row may have several reasons."""

    alive: int
    deleted: int
    superseded: int
    stale: int


@dataclass(frozen=True, slots=True)
class VectorCounts:
    """Numbers of vectors.

    Args:
        orphaned: vectors of a missing memory or model.
        misshapen: vectors whose length differs from their model's.
        missing: whether the table itself is missing.
    """

    models: int
    vectors: int
    orphaned: int
    misshapen: int
    missing: bool = False

    @property
    def bad(self) -> int:
        """Number of unusable vectors; a missing table counts as one."""
        return self.orphaned + self.misshapen + self.missing


def memory_counts(conn: Connection) -> MemoryCounts:
    """Count visible memories, and the others by reason."""
    return MemoryCounts(*conn.exec_driver_sql(_MEMORIES).one())


def embedding_states(conn: Connection) -> dict[str, int]:
    """Count memories by embedding state."""
    return {str(state): int(count) for state, count in conn.exec_driver_sql(_STATES)}


def dead_embeddings(conn: Connection, of: Embeddable) -> int:
    """Count rows of a table whose embedding job is dead."""
    query = text(_DEAD_EMBEDDINGS.format(table=of.table, row_key=of.row_key))
    return int(conn.execute(query, {"kind": of.kind.name}).scalar_one())


def fact_states(conn: Connection) -> dict[str, int]:
    """Count facts by state."""
    return {str(state): int(count) for state, count in conn.exec_driver_sql(_FACTS)}


def vectors(conn: Connection) -> VectorCounts:
    """Count vectors, and the unusable ones."""
    if not inspect(conn).has_table("memory_vectors"):
        return VectorCounts(0, 0, 0, 0, missing=True)
    query = "SELECT count(DISTINCT model_id), count(*) FROM memory_vectors"
    models, count = conn.exec_driver_sql(query).one()
    orphaned = conn.exec_driver_sql(_ORPHANED).scalar_one()
    return VectorCounts(models, count, orphaned, conn.exec_driver_sql(_MISSHAPEN).scalar_one())


def unmatched_absences(conn: Connection) -> int:
    """Count memories whose deletion does not match their absences."""
    return int(conn.exec_driver_sql(_UNMATCHED).scalar_one())


def edges(conn: Connection) -> dict[str, int]:
    """Count edges by type."""
    query = text("SELECT edge_type, count(*) FROM memory_edges GROUP BY edge_type ORDER BY 1")
    return {str(edge_type): int(count) for edge_type, count in conn.execute(query)}


def open_snapshots(conn: Connection) -> OpenSnapshots:
    """Count the open sessions with a snapshot, and what changed since the newest began."""
    sessions, since = conn.exec_driver_sql(_OPEN_SNAPSHOTS).one()
    if not sessions:
        return OpenSnapshots(0, 0)
    return OpenSnapshots(sessions, int(conn.execute(_CHANGED, {"since": since}).scalar_one()))
