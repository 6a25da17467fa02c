"""`afterword session`: begin, end and read the sessions of agents."""

from dataclasses import fields
from typing import Annotated, Final

import typer

from afterword.pipeline.domain.sessions.model import Limits, Session, Turn
from afterword.pipeline.domain.sessions.read import MAX_READ, read_sessions, show_session
from afterword.pipeline.domain.sessions.sessions import (
    begin_session,
    check_label,
    end_session,
    in_session,
)
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.output import Cell, print_fields, print_line, print_table
from afterword.pipeline.views.words import duration, moment, shorten

app = section("Begin, end and see the sessions of agents.")

MAX_SHOWN: Final = 120
"""Characters of a message in a table; `--json` has all of it."""

COUNTS: Final = tuple(limit.name for limit in fields(Limits))
"""What a session counts."""

Which = Annotated[str, typer.Argument(metavar="SESSION", help="Its handle, or its uid.")]


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
    call.answer(begun, lambda: print_line(begun.handle))


@app.command()
def end(ctx: typer.Context, session: Which) -> None:
    """End a session: nothing more is written in it.

    Example: afterword session end sess-0123456789abcdef
    """
    call = Call(ctx)
    ended = end_session(in_session(call.owner(), session))
    call.answer(ended, lambda: print_line(f"session {ended.uid} has ended"))


@app.command("ls")
def list_(
    ctx: typer.Context,
    limit: Annotated[int, typer.Option(help=f"Most sessions shown, up to {MAX_READ}.")] = 20,
) -> None:
    """List the sessions begun last.

    Example: afterword session ls
    """
    call = Call(ctx)
    found = read_sessions(call.store(), limit)
    columns = ("session", "origin", "label", "began", "ended", *COUNTS)
    call.answer(found, lambda: print_table(columns, [_row(one) for one in found], "no sessions"))


@app.command()
def show(ctx: typer.Context, session: Which) -> None:
    """Show one session and its last turns.

    Example: afterword session show sess-0123456789abcdef
    """
    call = Call(ctx)
    found, now = show_session(call.store(), session), call.now()

    def text() -> None:
        one = found.session
        print_fields(
            {
                "session": one.uid,
                "origin": one.origin,
                "label": one.label or "",
                "began": moment(one.started_at),
                "ended": moment(one.ended_at) if one.ended_at else "",
                **_counts(one),
            }
        )
        columns = ("turn", "began", "took", "how", "tools", "message")
        rows: list[list[Cell]] = [
            [
                turn.uid,
                moment(turn.started_at),
                _took(turn),
                turn.state(now),
                len(turn.tool_calls),
                shorten(turn.message, MAX_SHOWN),
            ]
            for turn in found.turns
        ]
        print_table(columns, rows, "no turns")

    call.answer(found, text)


def _row(one: Session) -> list[Cell]:
    ended = moment(one.ended_at) if one.ended_at else ""
    label = shorten(one.label or "", MAX_SHOWN)
    counts = _counts(one).values()
    return [one.uid, one.origin, label, moment(one.started_at), ended, *counts]


def _counts(one: Session) -> dict[str, Cell]:
    return {name: getattr(one, name) for name in COUNTS}


def _took(turn: Turn) -> str:
    if turn.finished_at is None:
        return ""
    return duration((turn.finished_at - turn.started_at).total_seconds())
