"""Print sentences as a person reads them: on lines that fit, a number beside its unit."""

import re
import shutil
import textwrap
from collections.abc import Iterable
from typing import Final

import typer

from afterword.pipeline.doors.cli.words import printable

WIDTH: Final = 100
"""Characters of a line at most."""

_LASTING: Final = "\u00a0"
"""The blank at which no line ends: textwrap breaks at plain blanks only."""

_UNIT: Final = re.compile(r"(?<=\d) (?=[%σ])")


def print_sentences(lines: Iterable[str], indent: str = "  ") -> None:
    """Print sentences, each on lines of its own; stored text cannot control the terminal.

    Args:
        indent: before each line; with one, what goes on is set in by two more.
    """
    width = min(WIDTH, shutil.get_terminal_size((WIDTH, 24)).columns)
    for line in lines:
        words = _UNIT.sub(_LASTING, printable(" ".join(line.split())))
        for part in textwrap.wrap(
            words,
            max(40, width),
            initial_indent=indent,
            subsequent_indent=indent + "  " * bool(indent),
            break_on_hyphens=False,
            break_long_words=False,
        ):
            typer.echo(part.replace(_LASTING, " "))
