"""The global options: every command accepts them, before or after its name."""

from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from typer.main import get_command

_KEEP: Final = "afterword.pipeline.doors.cli."


def given(ctx: Any, name: str) -> Any:
    """Return the value of a shared option anywhere on the line; None if it is absent."""
    return ctx.meta.get(_KEEP + name)


def share(command: Any) -> None:
    """Add the shared options to a command and to its subcommands."""
    known = {param.name for param in command.params}
    command.params.extend(param for param in shared() if param.name not in known)
    for below in getattr(command, "commands", {}).values():
        share(below)


@cache  # every command of a group needs them, and typer takes 1.5 ms to make them
def shared() -> tuple[Any, ...]:
    """Return the shared options for typer; they are not passed to the command's function."""
    app = typer.Typer(add_completion=False)
    app.command()(_declared)
    return tuple(get_command(app).params)


def _keep(ctx: typer.Context, param: typer.CallbackParam, value: Any) -> None:
    # Typer parses them before and after the command's name; only given values are kept.
    if value is not None and value is not False:
        ctx.meta[f"{_KEEP}{param.name}"] = value


def _declared(
    home: Annotated[
        Path | None,
        typer.Option(
            help="Folder of all files, instead of AFTERWORD_HOME.",
            callback=_keep,
            expose_value=False,
            show_default=False,
        ),
    ] = None,
    group: Annotated[
        str | None,
        typer.Option(
            help="Group, instead of AFTERWORD_GROUP.",
            callback=_keep,
            expose_value=False,
            show_default=False,
        ),
    ] = None,
    json: Annotated[
        bool,
        typer.Option(
            "--json", help="Answer with one JSON document.", callback=_keep, expose_value=False
        ),
    ] = False,
    debug: Annotated[
        bool,
        typer.Option(
            "--debug", help="Show the traceback of an error.", callback=_keep, expose_value=False
        ),
    ] = False,
) -> None: ...
