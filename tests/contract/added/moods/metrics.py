"""Metrics of the moods of all groups."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from moods import rows
from sqlalchemy import Connection

from afterword.pipeline.core.telemetry.numbers import Tally, Values


class MoodNumbers:
    """Reads the moods of a group, and sums those of all groups."""

    def __init__(self, _process: object) -> None: ...

    def read(self, conn: Connection) -> dict[str, int]:
        """Return the moods of a group."""
        return rows.count_moods(conn)

    def sums(
        self, present: Sequence[dict[str, int]], _gone: Sequence[dict[str, int]], _now: datetime, /
    ) -> dict[str, Values]:
        """Return the numbers by metric."""
        moods: Tally = Counter()
        for counts in present:
            moods.update({(mood,): number for mood, number in counts.items()})
        return {"afterword_moods": moods}
