"""Print sentences as a person reads them: on lines that fit, a number beside its unit."""

import re
import shutil
import textwrap
from collections.abc import Iterable, Mapping
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
    for line in lines:
        _print_wrapped(line, indent, indent + "  " * bool(indent))


def print_named_sentences(sentences: Mapping[str, str], indent: str = "  ") -> None:
    """Print names and what is said of each, so that all of it begins below each other."""
    width = max(map(len, sentences), default=0)
    for name, line in sentences.items():
        _print_wrapped(line, f"{indent}{name:<{width}}  ", indent + " " * (width + 2))


def _print_wrapped(line: str, begin: str, goes_on: str) -> None:
    width = min(WIDTH, shutil.get_terminal_size((WIDTH, 24)).columns)
    for part in textwrap.wrap(
        _UNIT.sub(_LASTING, printable(" ".join(line.split()))),
        max(40, width),
        initial_indent=begin,
        subsequent_indent=goes_on,
        break_on_hyphens=False,
        break_long_words=False,
    ):
        typer.echo(part.replace(_LASTING, " "))
