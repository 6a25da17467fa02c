"""SQL over the counts of decisions, which every change of one keeps (`role_stats`)."""

from dataclasses import dataclass

from sqlalchemy import Connection, text

_STATS = text("""
SELECT role_id, state, reason, outcome, classification, classified_by, decisions, ever
FROM role_stats
""")
# Two seeks, one for each of the two indexes that hold pending decisions.
_OLDEST_PENDING = text("""
SELECT min(at) FROM (
  SELECT min(decided_at) AS at FROM role_memory
  WHERE role_id = :role_id AND state = 'pending' AND retry_at IS NULL
  UNION ALL
  SELECT min(decided_at) FROM role_memory
  WHERE role_id = :role_id AND state = 'pending' AND retry_at IS NOT NULL)
""")


@dataclass(frozen=True, slots=True)
class Stat:
    """How many decisions of a role stand in one way, and how many ever came to stand so.

    Args:
        reason: why they are parked or skipped; empty otherwise.
        outcome: of those that are reflected; empty otherwise, as are the next two.
        classification: why they were not right; empty where they were.
        classified_by: who said so.
        decisions: count, now.
        ever: count, those that were erased since among them.
    """

    role_id: str
    state: str
    reason: str
    outcome: str
    classification: str
    classified_by: str
    decisions: int
    ever: int


def stats(conn: Connection) -> list[Stat]:
    """Return how decisions stand, at a cost that does not grow with their number."""
    return [Stat(*row) for row in conn.execute(_STATS)]


def oldest_pending(conn: Connection, role_id: str) -> int | None:
    """Return when the oldest decision of a role that waits unlooked at, or for an answer, was made.

    Returns:
        Microseconds; None where nothing is pending.
    """
    found: int | None = conn.execute(_OLDEST_PENDING, {"role_id": role_id}).scalar_one()
    return found
