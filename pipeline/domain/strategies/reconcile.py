"""Close the runs of strategies that ended where nobody told us."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.strategies import rows
from afterword.pipeline.domain.strategies.checks import running_names

START_GRACE: Final = timedelta(minutes=2)
"""A strategy that was just enabled may not be listed yet (R3: "a short grace window")."""


def reconcile_runs(by: Writer, running: Iterable[str]) -> int:
    """Close every open run that does not run any more; return how many.

    Args:
        running: all strategies that run, as their platform lists them.

    Raises:
        InvalidInputError: one of them is not a name; nothing was closed.
    """
    names = running_names(running)
    with writing(by.store) as conn:
        now = by.clock()
        ended = {
            row_id: run
            for row_id, run in rows.running(conn).items()
            # A clock that was set back must not keep a run open for longer than its grace.
            if run.strategy not in names and abs(now - run.started_at) >= START_GRACE
        }
        for row_id in ended:
            rows.stop(conn, row_id, "other", now)
        touched = [ChangedRow(row_id, by.session, {"reason": "other"}) for row_id in ended]
        record(conn, now, by.actor, "strategy.reconcile", "strategy_runs", touched)
    return len(ended)
