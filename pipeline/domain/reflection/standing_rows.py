"""SQL over the moments at which decisions were made."""

import json
from collections.abc import Iterable
from typing import Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.core.store import run_sql

_ALWAYS: Final = -(1 << 62)
"""Earlier than any moment; microseconds."""

_MOMENTS: Final = f"""
SELECT id, decided_at, iif(from_trip_uid IS NULL, {_ALWAYS}, known_at) AS counts_from
FROM role_memory WHERE id IN (SELECT value FROM json_each(?))
"""
_IMPORTS: Final = """
SELECT DISTINCT known_at FROM role_memory
WHERE role_id = ? AND from_trip_uid IS NOT NULL ORDER BY 1
"""


class DecisionMoments(NamedTuple):
    """When a decision was made, and from when on its outcome counts for others; microseconds.

    Args:
        counts_from: when it was imported, for one made from a trip; before all others, else.
    """

    decided_at: int
    counts_from: int


def moments(conn: Connection, ids: Iterable[int]) -> dict[int, DecisionMoments]:
    """Return the moments of decisions, by id."""
    rows = run_sql(conn, _MOMENTS, (json.dumps(list(ids)),)).fetchall()
    return {row_id: DecisionMoments(*moments) for row_id, *moments in rows}


def import_moments(conn: Connection, role_id: str) -> list[int]:
    """Return when decisions of a role were made from trips, the earliest first (microseconds)."""
    return [known_at for (known_at,) in run_sql(conn, _IMPORTS, (role_id,)).fetchall()]
