"""`afterword serve`: the memory over HTTP."""

from ipaddress import IPv4Address, IPv6Address, ip_address

import typer

from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.loading import loading
from afterword.pipeline.errors import InvalidInputError, UnavailableError
from afterword.pipeline.settings import Settings


def serve(ctx: typer.Context) -> None:
    """Serve the memory over HTTP, until it is told to end; every caller needs a token.

    Example: afterword serve
    """
    call = Call(ctx)
    settings = call.settings
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
