"""The routes of the schedule: what runs when, and a job of an entry now."""

from typing import Annotated, Any

from fastapi import Path, Query

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.doors.http.caller import By
from afterword.schedules.listed import coming_slots, list_entries
from afterword.schedules.run_entry import run_entry
from afterword.schedules.table import whole_table


def list_cron(by: By) -> Any:
    """Return the schedule, and when each entry last fired in the group."""
    with reading(by.store()) as conn:
        return list_entries(conn, whole_table(load_roles(by.settings.home)), by.now())


def list_coming(
    by: By, number: Annotated[int, Query(description="Slots.", ge=1, le=1_000)] = 10
) -> Any:
    """Return the next slots of all entries, in order."""
    return coming_slots(whole_table(load_roles(by.settings.home)), by.now(), number)


def run_cron(
    by: By, entry: Annotated[str, Path(description="Such as store.tidy.", max_length=100)]
) -> Any:
    """Add an entry's job now, as a tick of this moment."""
    store, table = by.store(), whole_table(load_roles(by.settings.home))
    installation = by.parts.stores.instance_id
    return by.write(store, lambda: run_entry(store, entry, table, installation, by.now()))
