"""Ask for all rebuilds at the start of a process, where the owner wants that."""

from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.domain.rebuilds.kinds import REBUILDS
from afterword.pipeline.settings import Settings

_FORCED = "forced"


def ask_for_rebuilds(conn: Connection, settings: Settings, now: datetime) -> None:
    """Add the job of each rebuild, whatever its pause, unless it waits already."""
    if settings.personalization_rebuild == "disabled":
        return
    for rebuild in REBUILDS:
        add(conn, rebuild.job, {_FORCED: True}, now, key=_FORCED)


def is_forced_job(payload: dict[str, object]) -> bool:
    """Return whether the pause of a rebuild does not count for this job."""
    return bool(payload.get(_FORCED))
