"""Print sentences as a person reads them: on lines that fit, a number beside its unit."""

from collections.abc import Iterable

import typer

from afterword.pipeline.doors.render.lines import wrapped
from afterword.pipeline.doors.render.screen import this_screen


def print_sentences(lines: Iterable[str], indent: str = "  ") -> None:
    """Print sentences, each on lines of its own; stored text cannot control the terminal.

    Args:
        indent: before each line; with one, what goes on is set in by two more.
    """
    for line in lines:
        for part in wrapped(line, this_screen().prose, indent, indent + "  " * bool(indent)):
            typer.echo(part)
