"""`afterword browsers`: who looks at the pages, and what was done there."""

from datetime import timedelta
from typing import Annotated

import typer

from afterword.pipeline.core.store import Stores
from afterword.pipeline.doors.cli.call import Call, Roots
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.options import most_shown
from afterword.pipeline.gateway.access.pages import PageSessions
from afterword.pipeline.settings import Settings
from afterword.pipeline.views.operator.browsers import action_list, browser_ended, browser_list

app = section("List and end the browsers that were let in, and see what they did.")


@app.command("ls")
def ls(ctx: typer.Context) -> None:
    """List every browser that was let in, and links that wait for one.

    Example: afterword browsers ls
    """
    call = Call(ctx)
    sessions = _sessions(call).all() if call.is_installed() else []
    call.answer(sessions, lambda: browser_list(sessions, call.now()))


@app.command()
def end(
    ctx: typer.Context,
    browser: Annotated[int, typer.Argument(metavar="ID", help="Its number in `browsers ls`.")],
) -> None:
    """Let a browser see nothing from now on.

    Example: afterword browsers end 1
    """
    call = Call(ctx)
    session = _sessions(call).end(browser)
    call.answer(session, lambda: browser_ended(session))


@app.command()
def actions(
    ctx: typer.Context,
    limit: Annotated[int, most_shown("actions", 100_000, is_checked=False)] = 100,
) -> None:
    """List what was done on pages and by whom, the newest first.

    Example: afterword browsers actions
    """
    call = Call(ctx)
    listed = _sessions(call).actions(limit) if call.is_installed() else []
    call.answer(listed, lambda: action_list(listed, call.now()))


def page_sessions(stores: Stores, settings: Settings, roots: Roots) -> PageSessions:
    """Return the browsers of an installation."""
    idle, life = (timedelta(seconds=s) for s in (settings.page_idle_s, settings.page_life_s))
    return PageSessions(stores.instance, roots.clock, roots.ids, idle, life)


def _sessions(call: Call) -> PageSessions:
    return page_sessions(call.stores(), call.settings, call.roots)
