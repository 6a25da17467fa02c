"""`afterword serve`: the memory over HTTP, with metrics and health on a port of their own."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from afterword.pipeline.clock import system_clock
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.global_options import given
from afterword.pipeline.doors.cli.text_file import read_text_file
from afterword.pipeline.doors.commands.serving import address_of, serve_until_ended
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.settings import Settings, load
from afterword.workers.observability.setup import observed

if TYPE_CHECKING:
    from afterword.pipeline.doors.http.serve import Watch


def serve(
    ctx: typer.Context,
    config: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A host's configuration: JSON in its own names."),
    ] = None,
) -> None:
    """Serve the memory over HTTP, until it is told to end; every caller needs a token.

    Example: afterword serve
    """
    settings = Call(ctx).settings if config is None else _of_host(ctx, config)
    if not address_of(settings).is_loopback:
        typer.echo(
            "afterword: other machines can reach this address, and HTTP is not encrypted: put it "
            "behind a reverse proxy",
            err=True,
        )

    # It shows what it counts itself. The ledger, the files and the fleet are those of a dispatcher.
    @contextmanager
    def observing() -> "Iterator[Watch]":
        with observed(settings, "serve", (), sys.stderr, system_clock) as observability:

            def watch(connections: Callable[[], int]) -> None:
                observability.metrics.watch_connections(connections)
                observability.health.started()

            yield watch

    serve_until_ended(settings, lambda at: typer.echo(f"afterword: serving {at}"), observing)


def _of_host(ctx: typer.Context, file: Path) -> Settings:
    """Return the settings of the process with those of a host; what the line names wins.

    Raises:
        InvalidInputError: the file holds no JSON object, or a field of it is wrong.
    """
    from afterword.pipeline.doors.agent.plugin import settings_of_host  # `--help` needs no agent

    try:
        config = json.loads(read_text_file(file, "config"))
    except (ValueError, RecursionError):
        config = None
    if not isinstance(config, dict):
        raise InvalidInputError("config", f"{str(file)!a:.100} holds no object", "a JSON object")
    named = {name: value for name in ("home", "group") if (value := given(ctx, name)) is not None}
    return load(**settings_of_host(config) | named)
