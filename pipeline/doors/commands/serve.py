"""`afterword serve`: the memory over HTTP."""

import json
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import Annotated

import typer

from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.global_options import given
from afterword.pipeline.doors.cli.loading import loading
from afterword.pipeline.doors.cli.text_file import read_text_file
from afterword.pipeline.errors import InvalidInputError, UnavailableError
from afterword.pipeline.settings import Settings, load


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
    address = address_of(settings)
    try:
        with loading():
            from afterword.pipeline.doors.http.serve import serve as serve_http
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
    serve_http(settings, lambda at: typer.echo(f"afterword: serving {at}"))


def address_of(settings: Settings) -> IPv4Address | IPv6Address:
    """Return the address on which a server listens.

    Raises:
        InvalidInputError: the setting is no address.
    """
    try:
        return ip_address(settings.http_host)
    except ValueError:
        accepted = "an address such as 127.0.0.1 or 0.0.0.0"
        raise InvalidInputError(
            "AFTERWORD_HTTP_HOST", f"{settings.http_host!a:.60} is no address", accepted
        ) from None


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
