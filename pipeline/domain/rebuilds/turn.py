"""When a rebuild is due: after the pause of a success, sooner after a failure."""

from datetime import datetime, timedelta
from typing import Final

from afterword.pipeline.domain.rebuilds.model import RebuildState

FIRST_RETRY: Final = timedelta(minutes=1)
"""The pause after the first failure; each further one doubles it. Shorter than the interval of the
schedule, so that one failure costs one look."""

LONGEST_RETRY: Final = timedelta(hours=6)
"""The longest pause after failures: a model that is away for days is asked four times a day."""


def rests_until(state: RebuildState, now: datetime) -> datetime | None:
    """Return until when a rebuild is not tried; None if it may be now.

    After a failure its pause counts, else that of the success.
    """
    until = state.retry_at or state.next_update
    if until is None or until <= now:
        return None
    # A clock that was set back must not hold it for longer than its pause.
    return None if state.tried_at is not None and state.tried_at > now else until


def retry_after(failures: int) -> timedelta:
    """Return the pause after so many consecutive failures (count, 1 or more)."""
    doubled: int = 2 ** min(failures - 1, 16)
    return min(FIRST_RETRY * doubled, LONGEST_RETRY)
