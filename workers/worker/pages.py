"""The page of the processes that run for a home."""

from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import PageContent
from afterword.workers.worker.fleet_status import fleet_status
from afterword.workers.worker.fleet_view import fleet_view


def fleet(by: PageCaller) -> PageContent:
    """Return dispatchers and workers, what waits in all groups, and why it does not run."""
    stores = by.parts.stores
    status = fleet_status(stores, stores.groups(), by.settings, by.now())
    view = fleet_view(status.processes, status.waiting, status.problems, status.notes)
    return PageContent([view])
