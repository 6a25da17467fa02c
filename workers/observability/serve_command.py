"""`afterword serve`: the memory over HTTP, with metrics and health on a port of their own."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import ip_address

import typer

from afterword.pipeline.clock import system_clock
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.loading import loading
from afterword.pipeline.errors import InvalidInputError, UnavailableError


def serve(ctx: typer.Context) -> None:
    """Serve the memory over HTTP, until it is told to end; every caller needs a token.

    Example: afterword serve
    """
    call = Call(ctx)
    settings = call.settings
    try:
        address = ip_address(settings.http_host)
    except ValueError:
        accepted = "an address such as 127.0.0.1 or 0.0.0.0"
        raise InvalidInputError(
            "AFTERWORD_HTTP_HOST", f"{settings.http_host!a:.60} is no address", accepted
        ) from None
    try:
        with loading():
            from afterword.pipeline.doors.http.serve import Watch
            from afterword.pipeline.doors.http.serve import serve as serve_http
            from afterword.workers.observability.setup import observed
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("fastapi", "starlette", "uvicorn"):
            raise
        raise UnavailableError(
            "afterword serve needs the packages fastapi and uvicorn; pip install 'afterword[serve]'"
        ) from None
    if not address.is_loopback:
        typer.echo(
            "afterword: other machines can reach this address, and HTTP is not encrypted: put it "
            "behind a reverse proxy",
            err=True,
        )

    # It shows what it counts itself. The ledger, the files and the fleet are those of a dispatcher.
    @contextmanager
    def observing() -> Iterator[Watch]:
        with observed(settings, "serve", (), sys.stderr, system_clock) as observability:

            def watch(connections: Callable[[], int]) -> None:
                observability.metrics.watch_connections(connections)
                observability.health.started()

            yield watch

    serve_http(settings, lambda at: typer.echo(f"afterword: serving {at}"), observing)
