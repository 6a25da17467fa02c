"""Metrics of the patterns of all groups."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from itertools import product

from sqlalchemy import Connection

from afterword.pipeline.core.telemetry.numbers import Tally, Values
from afterword.pipeline.domain.patterns.form_rows import count_states
from afterword.pipeline.domain.patterns.model import STORED_STATES
from afterword.pipeline.domain.skills.labels import RoleLabels
from afterword.pipeline.domain.skills.registry import HasRoles

RolePatternCounts = list[tuple[str, str, int]]
"""Current patterns of a group: role, state, count."""


class RolePatternNumbers:
    """Reads the patterns of a group, and sums those of all groups; see `GroupNumbers`."""

    def __init__(self, process: HasRoles) -> None:
        self._roles = RoleLabels(process.roles)

    def read(self, conn: Connection) -> RolePatternCounts:
        """Return the current patterns of a group by role and state."""
        return count_states(conn)

    def sums(
        self,
        present: Sequence[RolePatternCounts],
        _gone: Sequence[RolePatternCounts],
        _now: datetime,
        /,
    ) -> dict[str, Values]:
        """Return the numbers by metric."""
        patterns: Tally = Counter(dict.fromkeys(product(self._roles.all, STORED_STATES), 0))
        for counts in present:
            for role_id, state, number in counts:
                patterns[self._roles.label(role_id), state] += number
        return {"afterword_role_patterns": patterns}
