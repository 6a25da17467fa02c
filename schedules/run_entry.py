"""Add the job of one entry of the schedule now."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.errors import ConflictError, NotFoundError
from afterword.schedules.entry import CronEntry
from afterword.schedules.rows import add_tick
from afterword.schedules.tick import add_job
from afterword.workers.routes import ROUTES


def run_entry(
    store: Store, name: str, table: Sequence[CronEntry], installation: str, now: datetime
) -> dict[str, Any]:
    """Add an entry's job, as a tick of this moment; return the entry, its kind and the slot.

    Raises:
        NotFoundError: the table has no such entry.
        ConflictError: its last job is dead, or the entry was run at this very moment.
    """
    entry = _entry(name, table)
    with writing(store) as conn:
        if not add_tick(conn, entry.name, now, now):
            raise ConflictError(
                f"{entry.name} was run at this very moment already; its job is added"
            )
        if not add_job(conn, entry, ROUTES[entry.job].kind, now, installation, now):
            raise ConflictError(
                f"the last job of {entry.name} is dead, so no job was added; `afterword jobs "
                f"dead --kind {entry.job}` shows why, `afterword jobs redrive --kind {entry.job}` "
                "runs it again"
            )
    return {"entry": entry.name, "slot": now}


def _entry(name: str, table: Sequence[CronEntry]) -> CronEntry:
    for entry in table:
        if entry.name == name:
            return entry
    known = ", ".join(entry.name for entry in table)
    raise NotFoundError(f"unknown schedule entry {name!r}; known entries: {known}")
