"""Metrics of the rebuilds of all groups: how old the last success is, and failures."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.core.jobs.has_work import HasSettings
from afterword.pipeline.core.telemetry.numbers import Values
from afterword.pipeline.domain.rebuilds import rows
from afterword.pipeline.domain.rebuilds.kinds import REBUILDS


class RebuildNumber(NamedTuple):
    """The state of one rebuild of a group, as metrics need it.

    Args:
        waits_since: the last success, if there is work since then; None if there is none, or it
            never ran.
        failures: consecutive ones; count.
    """

    name: str
    waits_since: datetime | None
    failures: int


class RebuildNumbers:
    """Reads the rebuilds of a group, and the worst of all groups; see `GroupNumbers`."""

    def __init__(self, process: HasSettings) -> None:
        self._settings = process.settings

    def read(self, conn: Connection) -> tuple[RebuildNumber, ...]:
        """Return the rebuilds of a group."""
        numbers = []
        for rebuild in REBUILDS:
            state = rows.state_of_rebuild(conn, rebuild.name)
            has_work = state.error is not None or rebuild.has_news(conn, state, self._settings)
            waits_since = state.updated_at if has_work else None
            numbers.append(RebuildNumber(rebuild.name, waits_since, state.failures))
        return tuple(numbers)

    def sums(
        self,
        present: Sequence[tuple[RebuildNumber, ...]],
        gone: Sequence[tuple[RebuildNumber, ...]],
        now: datetime,
        /,
    ) -> dict[str, Values]:
        """Return the numbers by metric."""
        del gone
        labels: list[tuple[str, ...]] = [(rebuild.name,) for rebuild in REBUILDS]
        ages, failures = dict.fromkeys(labels, 0.0), dict.fromkeys(labels, 0)
        for number in (number for group in present for number in group):
            label: tuple[str, ...] = (number.name,)
            failures[label] = max(failures[label], number.failures)
            if number.waits_since is not None:
                age = (now - number.waits_since).total_seconds()
                ages[label] = max(ages[label], age)
        return {
            "afterword_profile_rebuild_oldest_age_seconds": ages,
            "afterword_profile_rebuild_failures": failures,
        }
