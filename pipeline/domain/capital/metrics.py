"""Metrics of the capital of all groups: how old it is, never how much."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.core.telemetry.numbers import Values
from afterword.pipeline.domain.capital.model import CapitalMetrics
from afterword.pipeline.domain.capital.read import read_capital


class CapitalNumbers:
    """Reads the capital of a group, and what is old in those of all groups; see `GroupNumbers`."""

    def __init__(self, process: object) -> None:
        del process

    def read(self, conn: Connection) -> CapitalMetrics | None:
        """Return the capital of a group."""
        return read_capital(conn)

    def sums(
        self,
        present: Sequence[CapitalMetrics | None],
        gone: Sequence[CapitalMetrics | None],
        now: datetime,
        /,
    ) -> dict[str, Values]:
        """Return the numbers by metric."""
        del gone
        known = [capital for capital in present if capital is not None]
        oldest = min((capital.computed_at for capital in known), default=now)
        old_parts = sum(
            part.kept_because is not None for capital in known for part in capital.parts
        )
        return {
            "afterword_capital_oldest_age_seconds": {(): max(0.0, (now - oldest).total_seconds())},
            "afterword_capital_parts_kept": {(): old_parts},
        }
