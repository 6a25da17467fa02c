"""Ask the owner, who sits at a terminal: no pipe, no agent's shell and no service answers."""

import sys

import typer

from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.errors import InvalidInputError


def ask_owner(call: Call, question: str, field: str) -> None:
    """Ask for a yes; the command ends without one.

    Args:
        question: what a yes would do.
        field: what is refused where nobody can be asked.

    Raises:
        InvalidInputError: there is no terminal, or `AFTERWORD_NON_INTERACTIVE` says that nobody
            sits at it.
        typer.Abort: the answer is no.
    """
    if call.settings.non_interactive:
        problem = "needs its owner at a terminal, and AFTERWORD_NON_INTERACTIVE is set"
        raise InvalidInputError(field, problem, "a terminal without that setting")
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise InvalidInputError(field, "needs its owner at a terminal", "a terminal, and a yes")
    typer.confirm(question, abort=True, err=True)
