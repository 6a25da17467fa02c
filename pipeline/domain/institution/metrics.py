"""Metrics of the runs of all groups, and of the windows of their ladders."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.core.jobs.has_work import HasSettings
from afterword.pipeline.core.telemetry.numbers import Values
from afterword.pipeline.domain.institution import reflection_rows
from afterword.pipeline.domain.institution.reflection_rows import RunNumbers


class InstitutionNumbers:
    """Reads the runs of a group, and sums those of all groups; see `GroupNumbers`."""

    def __init__(self, process: HasSettings) -> None:
        self._is_on = process.settings.institution_learning_enabled

    def read(self, conn: Connection) -> RunNumbers:
        """Return the numbers of a group."""
        return reflection_rows.numbers(conn)

    def sums(
        self, present: Sequence[RunNumbers], _gone: Sequence[RunNumbers], now: datetime, /
    ) -> dict[str, Values]:
        """Return the numbers by metric."""
        known = [numbers.unanswered for numbers in present if numbers.unanswered is not None]
        # Off, nothing is to be answered.
        oldest = min(known, default=now) if self._is_on else now
        return {
            "afterword_institution_runs": {(): sum(numbers.runs for numbers in present)},
            "afterword_institution_answers": {
                (answer,): sum(numbers.answers.get(answer, 0) for numbers in present)
                for answer in ("yes", "no", "unclear")
            },
            "afterword_institution_oldest_unanswered_age_seconds": {
                (): max(0.0, (now - oldest).total_seconds())
            },
        }
