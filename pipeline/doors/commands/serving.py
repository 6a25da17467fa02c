"""Serve the network door, for the commands that do so; its address, for those that use it."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TYPE_CHECKING, Final

from afterword.pipeline.doors.cli.loading import loading
from afterword.pipeline.errors import InvalidInputError, UnavailableError
from afterword.pipeline.settings import Settings

if TYPE_CHECKING:  # the door loads packages that other commands need not have
    from afterword.pipeline.doors.http.serve import Watch

_PACKAGES: Final = ("fastapi", "jinja2", "markupsafe", "starlette", "uvicorn")


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


def serve_until_ended(
    settings: Settings,
    began: Callable[[str], None],
    observing: "Callable[[], AbstractContextManager[Watch]] | None" = None,
    *,
    needs_token: bool = True,
) -> None:
    """Serve programs, models and browsers until the process is told to end.

    Args:
        began: is told the address once clients can connect.
        observing: logs and counts in a process, for as long as its block runs; None logs alone.
        needs_token: whether it refuses to start while nobody has a token.

    Raises:
        UnavailableError: a package is missing, or the address is taken.
    """
    try:
        with loading():
            from afterword.pipeline.doors.http.serve import logged, serve
            from afterword.pipeline.doors.web.app import WebPages
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in _PACKAGES:
            raise
        raise UnavailableError(
            "the packages fastapi, jinja2 and uvicorn are needed; pip install 'afterword[serve]'"
        ) from None
    serve(
        settings, began, observing or partial(logged, settings), WebPages, needs_token=needs_token
    )
