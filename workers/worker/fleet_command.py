"""`afterword fleet`: which processes run for this home, and why waiting jobs do not run."""

import typer

from afterword.pipeline.doors.cli.call import Call
from afterword.workers.worker.fleet_status import FleetStatus, fleet_status
from afterword.workers.worker.fleet_view import fleet_view


def fleet(ctx: typer.Context) -> None:
    """Show dispatchers and workers; exit 1 with the reason if waiting jobs cannot run.

    Example: afterword fleet
    """
    call = Call(ctx)
    call.check_installed()
    stores = call.stores()
    groups = [call.named_group] if call.named_group else stores.groups()
    status = fleet_status(stores, groups, call.settings, call.now())
    call.answer(
        fleet_answer(status),
        lambda: fleet_view(status.processes, status.waiting, status.problems, status.notes),
    )
    if status.problems:
        raise typer.Exit(1)


def fleet_answer(status: FleetStatus) -> dict[str, object]:
    """Return the fleet as JSON says it."""
    return {
        "processes": status.processes,
        "waiting": status.waiting.kinds,
        "problems": status.problems,
        "notes": status.notes,
    }
