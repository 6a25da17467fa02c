"""`afterword open`: the pages in a browser; it serves them itself where nobody does."""

import http.client
import socket
import webbrowser
from contextlib import closing
from typing import Annotated, Final

import typer

from afterword.pipeline.core.store import Stores, options_of
from afterword.pipeline.doors.cli.call import Call, Roots
from afterword.pipeline.doors.commands.browsers import page_sessions
from afterword.pipeline.doors.commands.serving import address_of, serve_until_ended
from afterword.pipeline.gateway.access.model import PageRole
from afterword.pipeline.gateway.access.pages import HOME_HEADER, home_digest
from afterword.pipeline.settings import Settings

_ANSWER_S: Final = 2.0
"""How long a server may take to say whose it is; seconds."""


def open_pages(
    ctx: typer.Context,
    observer: Annotated[
        bool, typer.Option("--observer", help="Look only, change nothing.")
    ] = False,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the link, and open nothing.")
    ] = False,
) -> None:
    """Open the pages in a browser; serve them until Ctrl-C where no server of this home runs.

    Example: afterword open --observer
    """
    call = Call(ctx)
    role: PageRole = "observer" if observer else "owner"
    show_pages(call.settings, call.roots, role, opens=not no_browser)


def show_pages(settings: Settings, roots: Roots, role: PageRole, *, opens: bool) -> None:
    """Let a browser in at the server of an installation, which is started where none runs.

    Args:
        opens: whether to start a browser; the link is printed in any case.
    """
    stores = Stores(settings.home, options_of(settings), roots.clock, roots.ids)
    with closing(stores):
        running = _running(settings, home_digest(stores.instance_id))
        secret = page_sessions(stores, settings, roots).make_link(role)

    def let_in(address: str) -> None:
        link = f"{address}/login?link={secret}"
        typer.echo(f"afterword: open {link}")
        typer.echo("afterword: it lets one browser in, once, within two minutes", err=True)
        if opens:
            webbrowser.open(link)

    if running is not None:
        let_in(running)
        return
    if not address_of(settings).is_loopback:
        settings = settings.model_copy(update={"http_host": "127.0.0.1"})
    if settings.http_port and _is_taken(settings):  # somebody else's server: a free port
        settings = settings.model_copy(update={"http_port": 0})
    serve_until_ended(settings, let_in, needs_token=False)


def _running(settings: Settings, home: str) -> str | None:
    """Return the address of a server that serves an installation; None if none does."""
    host = _host(settings)
    connection = http.client.HTTPConnection(host, settings.http_port, timeout=_ANSWER_S)
    try:
        connection.request("GET", "/login")
        answer = connection.getresponse()
        is_own = answer.getheader(HOME_HEADER) == home
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{settings.http_port}" if is_own else None


def _is_taken(settings: Settings) -> bool:
    try:
        socket.create_connection((_host(settings), settings.http_port), _ANSWER_S).close()
    except OSError:
        return False
    return True


def _host(settings: Settings) -> str:
    """Return the address at which this machine reaches its server."""
    address = address_of(settings)
    if not address.is_unspecified:
        return settings.http_host
    return "127.0.0.1" if address.version == 4 else "::1"
