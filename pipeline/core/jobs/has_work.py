"""Rules that say since when a group has work for a line of the schedule: their form.

A rule stands in the `has_work.py` of its room, and the area names it beside the job:

    def rule(process: HasSettings, conn: Connection, query: WorkQuery) -> datetime | None

`process` has the parts of the process that asks; a rule names those it reads as a protocol. Without
work no slot fires. A rule is a cheap read of a group's file. Its result is valid until the file
changes, so it may depend only on the content of the file, the parts of the process and the time.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Protocol

from sqlalchemy import Connection

from afterword.pipeline.core.jobs.reopen import awaited_gates
from afterword.pipeline.settings import Settings

UNKNOWN_START: Final = datetime.min.replace(tzinfo=UTC)
"""There is work, but since when is not known: slots that passed are not counted as missed."""


class HasSettings(Protocol):
    """A process whose settings a rule reads."""

    @property
    def settings(self) -> Settings:
        """Return the settings as the process read them at its start."""
        ...


@dataclass(frozen=True, slots=True)
class WorkQuery:
    """What a rule is asked about.

    Args:
        job: the kind of the job that the line of the schedule adds.
        payload: of that job.
        fired_at: when the line last fired in this group.
    """

    job: str
    payload: Mapping[str, Any]
    now: datetime
    fired_at: datetime | None


def jobs_wait_for_a_gate(_process: object, conn: Connection, _query: WorkQuery) -> datetime | None:
    """Return work while jobs wait for a budget or a circuit."""
    return UNKNOWN_START if awaited_gates(conn) else None
