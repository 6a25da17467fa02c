"""Wait for the agent: an audit can wait, a turn of the agent cannot."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.jobs.inspect import runs
from afterword.pipeline.core.jobs.lease import Leases
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.errors import PostponedError

MOST_DEFERRALS: Final = 8
"""How often an audit is deferred because the agent is busy; then it runs all the same, so that an
agent which is always busy is audited too."""

DEFERRED_FOR: Final = timedelta(minutes=15)
POLL_S: Final = 0.5
MOST_POLLS: Final = 60
"""Half a minute between two stages, at most."""

_BUSY: Final = text("SELECT 1 FROM turns WHERE outcome IS NULL AND busy_until > :now LIMIT 1")


def is_busy(conn: Connection, now: datetime) -> bool:
    """Return whether an agent of this group works on a turn, in whatever process."""
    return conn.execute(_BUSY, {"now": to_micros(now)}).scalar() is not None


def defer_if_busy(store: Store, leases: Leases, now: datetime) -> None:
    """Postpone the job of an audit while an agent is busy, `MOST_DEFERRALS` times at most.

    Raises:
        PostponedError: an agent is busy.
    """
    (lease,) = leases
    with reading(store) as conn:
        deferrals = sum(run.outcome == "postponed" for run in runs(conn, lease.id))
        busy = is_busy(conn, now) and deferrals < MOST_DEFERRALS
    if busy:
        raise PostponedError("an agent is busy", now + DEFERRED_FOR)


@dataclass(frozen=True, slots=True)
class Courtesy:
    """How an audit makes way for the agent.

    Args:
        wait: waits some seconds; the composition root's.
    """

    store: Store
    clock: Clock
    wait: Callable[[float], object]

    def yield_if_busy(self) -> int:
        """Wait while the agent is busy, half a minute at most; return how often it looked."""
        for looks in range(MOST_POLLS):
            with reading(self.store) as conn:
                busy = is_busy(conn, self.clock())
            if not busy:
                return looks
            self.wait(POLL_S)
        return MOST_POLLS
