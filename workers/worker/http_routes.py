"""The route that tells which processes run."""

from typing import Any

from afterword.pipeline.doors.http.caller import By
from afterword.workers.worker.fleet_command import fleet_answer
from afterword.workers.worker.fleet_status import fleet_status


def get_fleet(by: By) -> Any:
    """Return dispatchers and workers, what waits in all groups, and why it does not run."""
    stores = by.parts.stores
    return fleet_answer(fleet_status(stores, stores.groups(), by.settings, by.now()))
