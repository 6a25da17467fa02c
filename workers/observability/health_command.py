"""`afterword health`: ask the processes of this host or container whether they are alive."""

from concurrent.futures import ThreadPoolExecutor

import typer

from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.errors import UnavailableError
from afterword.workers.observability.condition import ask
from afterword.workers.observability.health_view import health_view
from afterword.workers.observability.scrape import pid_namespace, scrape_folder, targets


def health(ctx: typer.Context) -> None:
    """Ask this host's processes whether they are alive and ready; exit 1 if one is not alive.

    Example: afterword health
    """
    call = Call(ctx)
    here = pid_namespace()
    folder = scrape_folder(call.settings)
    asked = [one for one in targets(folder) if one.pid_namespace == here]
    if not asked:
        raise UnavailableError(
            f"no process of this host is listed in {folder}; start one, with "
            "AFTERWORD_METRICS_PORT above 0"
        )
    with ThreadPoolExecutor(len(asked)) as pool:
        found = list(pool.map(ask, asked))
    call.answer(found, lambda: health_view(found))
    if not all(one.alive for one in found):
        raise typer.Exit(1)
