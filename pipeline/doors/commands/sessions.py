"""`afterword session`: begin, end and read the sessions of agents."""

from typing import Annotated

import typer

from afterword.pipeline.domain.sessions.read import MAX_SESSIONS_READ, read_sessions, show_session
from afterword.pipeline.domain.sessions.sessions import (
    begin_session,
    check_label,
    end_session,
    in_session,
)
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.options import most_shown
from afterword.pipeline.views.memory.sessions import (
    session_begun,
    session_ended,
    session_list,
    session_story,
)

app = section("Begin, end and see the sessions of agents.")

_SessionName = Annotated[str, typer.Argument(metavar="SESSION", help="Its handle, or its uid.")]


@app.command()
def begin(
    ctx: typer.Context,
    label: Annotated[str | None, typer.Option(help="What to call it.")] = None,
) -> None:
    """Begin a session and print its handle: the key an agent writes with, shown only once.

    Example: afterword session begin --label monday
    """
    call = Call(ctx)
    check_label(label)  # before the store is opened: a refused session makes no group
    begun = begin_session(call.owner(create=True), label)
    call.answer(begun, lambda: session_begun(begun))


@app.command()
def end(ctx: typer.Context, session: _SessionName) -> None:
    """End a session: nothing more is written in it.

    Example: afterword session end sess-0123456789abcdef
    """
    call = Call(ctx)
    ended = end_session(in_session(call.owner(), session))
    call.answer(ended, lambda: session_ended(ended))


@app.command("ls")
def list_(
    ctx: typer.Context,
    limit: Annotated[int, most_shown("sessions", MAX_SESSIONS_READ)] = 20,
) -> None:
    """List the sessions begun last.

    Example: afterword session ls
    """
    call = Call(ctx)
    sessions = read_sessions(call.store(), limit)
    call.answer(sessions, lambda: session_list(sessions))


@app.command()
def show(ctx: typer.Context, session: _SessionName) -> None:
    """Show one session and its last turns.

    Example: afterword session show sess-0123456789abcdef
    """
    call = Call(ctx)
    story, now = show_session(call.store(), session), call.now()
    call.answer(story, lambda: session_story(story, now))
