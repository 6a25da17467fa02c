"""SQL over the moments at which a role decided: where its placebos decide too."""

from typing import Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.core.store import driver_cursor

_MOMENTS: Final = """
SELECT id, asset, decided_at, inputs FROM role_memory
WHERE role_id = ? AND asset IS NOT NULL AND direction <> 'neutral'
"""


class PlaceboMoment(NamedTuple):
    """When and about what a role decided.

    Args:
        asset: as it is written.
        decided_at: microseconds.
        inputs: a JSON object as text.
    """

    asset: str
    decided_at: int
    inputs: str


def moments(conn: Connection, role_id: str) -> dict[int, PlaceboMoment]:
    """Return the longs and shorts of a role by id."""
    cursor = driver_cursor(conn)
    cursor.execute(_MOMENTS, (role_id,))
    return {row_id: PlaceboMoment(*row) for row_id, *row in cursor.fetchall()}
