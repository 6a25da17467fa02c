"""SQL over `role_stats`, the counts of decisions that triggers keep up to date."""

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
# Every decision began as a pending one.
_ERASED = text("""
SELECT coalesce(sum(iif(state = 'pending', ever, 0) - decisions), 0) FROM role_stats
WHERE role_id = :role_id
""")


@dataclass(frozen=True, slots=True)
class Stat:
    """How many decisions of a role are in one state, and how many ever were.

    Args:
        reason: why they are parked or skipped; empty otherwise.
        outcome: of those that are reflected; empty otherwise, as are the next two.
        classification: why they were not right; empty where they were.
        classified_by: author of the verdict.
        decisions: count, now.
        ever: count, including decisions erased since.
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
    """Return all counts, at a cost that does not grow with the number of decisions."""
    return [Stat(*row) for row in conn.execute(_STATS)]


def erased(conn: Connection, role_id: str) -> int:
    """Return how many decisions of a role were forgotten."""
    found: int = conn.execute(_ERASED, {"role_id": role_id}).scalar_one()
    return found


def oldest_pending(conn: Connection, role_id: str) -> int | None:
    """Return when the oldest pending decision of a role was made.

    Returns:
        Microseconds; None if none is pending.
    """
    found: int | None = conn.execute(_OLDEST_PENDING, {"role_id": role_id}).scalar_one()
    return found
