"""`afterword serve`: the memory over HTTP, and its pages."""

from collections.abc import Callable
from ipaddress import ip_address
from typing import Final

import typer

from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.loading import loading
from afterword.pipeline.errors import InvalidInputError, UnavailableError
from afterword.pipeline.settings import Settings

_PACKAGES: Final = ("fastapi", "jinja2", "markupsafe", "starlette", "uvicorn")


def serve(ctx: typer.Context) -> None:
    """Serve the memory over HTTP, until it is told to end; every caller needs a token.

    Example: afterword serve
    """
    settings = Call(ctx).settings
    if not loopback(settings):
        typer.echo(
            "afterword: other machines can reach this address, and HTTP is not encrypted: put it "
            "behind a reverse proxy",
            err=True,
        )
    serve_until_ended(settings, lambda at: typer.echo(f"afterword: serving {at}"))


def loopback(settings: Settings) -> bool:
    """Return whether the server listens for this machine alone.

    Raises:
        InvalidInputError: its address is none.
    """
    try:
        return ip_address(settings.http_host).is_loopback
    except ValueError:
        accepted = "an address such as 127.0.0.1 or 0.0.0.0"
        raise InvalidInputError(
            "AFTERWORD_HTTP_HOST", f"{settings.http_host!a:.60} is no address", accepted
        ) from None


def serve_until_ended(
    settings: Settings, began: Callable[[str], None], *, needs_token: bool = True
) -> None:
    """Serve programs, models and browsers until the process is told to end.

    Args:
        began: is told the address once it listens.
        needs_token: whether it refuses to start while nobody has a token.

    Raises:
        UnavailableError: a package is missing, or the address is taken.
    """
    try:
        with loading():
            from afterword.pipeline.doors.http.serve import serve as serve_http
            from afterword.pipeline.doors.web.app import WebPages
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in _PACKAGES:
            raise
        raise UnavailableError(
            "the packages fastapi, jinja2 and uvicorn are needed; pip install 'afterword[serve]'"
        ) from None
    serve_http(settings, began, WebPages, needs_token=needs_token)
