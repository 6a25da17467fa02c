"""SQL over the decisions that were made from trips."""

import json
from typing import NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.domain.decisions.rows import NewDecisionRow

_RECORDED = text("""
SELECT from_trip_uid, id, uid, decision, inputs, asset_key, direction, decided_at,
  corrected_at IS NULL, count(*) OVER (PARTITION BY from_trip_uid)
FROM role_memory WHERE role_id = :role_id AND from_trip_uid IS NOT NULL ORDER BY id
""")


class TripDecision(NamedTuple):
    """A decision as it was made from a trip.

    Args:
        is_current: whether its trip said so when it was looked at last.
        forms: decisions that were made from the trip; count.
    """

    id: int
    uid: str
    decision: str
    inputs: str
    asset_key: str | None
    direction: str
    decided_at: int
    is_current: bool
    forms: int

    def is_of(self, row: NewDecisionRow) -> bool:
        """Say whether its trip still says the same."""
        said = row.decision, row.asset_key, row.direction, row.decided_at
        mine = self.decision, self.asset_key, self.direction, self.decided_at
        return mine == said and json.loads(self.inputs) == json.loads(row.inputs)


def recorded_trips(conn: Connection, role_id: str) -> dict[str, TripDecision]:
    """Return the latest decision of a role made from each trip, by trip, the first made first."""
    found = conn.execute(_RECORDED, {"role_id": role_id})
    return {row[0]: TripDecision(*row[1:]) for row in found}
