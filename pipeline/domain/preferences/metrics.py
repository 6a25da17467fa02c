"""Metrics of the preferences of all groups."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.core.telemetry.numbers import Values
from afterword.pipeline.domain.preferences import rows
from afterword.pipeline.domain.preferences.model import PREFERENCE_KINDS, PREFERENCE_STATES

_Counts = Mapping[tuple[str, str], int]
"""Preferences by kind and state."""


class PreferenceNumbers:
    """Counts the preferences of a group; see `GroupNumbers`."""

    def __init__(self, process: object) -> None:
        del process

    def read(self, conn: Connection) -> _Counts:
        """Return the counts of a group."""
        return rows.counts(conn)

    def sums(
        self, present: Sequence[_Counts], gone: Sequence[_Counts], now: datetime, /
    ) -> dict[str, Values]:
        """Return the numbers by metric."""
        del gone, now
        total: Counter[tuple[str, str]] = Counter()
        for counts in present:
            total.update(counts)
        values: dict[tuple[str, ...], float] = {
            (kind, state): total[kind, state]
            for kind in PREFERENCE_KINDS
            for state in PREFERENCE_STATES
        }
        return {"afterword_preferences": values}
