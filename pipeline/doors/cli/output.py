"""Print an answer: a table for people, one JSON document for programs."""

import dataclasses
import json
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeVar

import typer

from afterword.pipeline.clock import iso
from afterword.pipeline.doors.cli.words import one_line

LONGEST_NAME: Final = 20
"""Width limit of a column of names, numbers or moments; wider columns are text and may fold."""

Cell = str | int
"""Whole numbers are right-aligned with thousands separators; everything else is text."""

_PIECES: Final = 10_000
"""Pieces of a JSON document that are printed at once; count."""

_One = TypeVar("_One")


def print_json(value: Any) -> None:
    """Print one JSON document in ASCII, which every terminal, pipe and locale can show.

    It is printed piece by piece: the text of 100,000 trades is larger than the trades.
    """
    pieces = json.JSONEncoder(indent=2, default=_parts).iterencode(value)
    while text := "".join(islice(pieces, _PIECES)):
        typer.echo(text, nl=False)
    typer.echo()


def plain(value: Any) -> Any:
    """Return a value as JSON types: fields by name, moments and paths as text.

    Raises:
        TypeError: an unknown type; its repr would not be a stable answer.
    """
    match value:
        case None | bool() | int() | float() | str():
            return value
        case dict():
            return {str(key): plain(inner) for key, inner in value.items()}
        case list() | tuple():
            return [plain(inner) for inner in value]
    return plain(_parts(value))


def _parts(value: Any) -> Any:
    """Return a value that JSON does not know as one that it knows; its parts stay as they are."""
    match value:
        case datetime():
            return iso(value)
        case Path() | Decimal():
            return str(value)
        case Mapping():
            return dict(value)
        case set() | frozenset():
            return list(value)
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    raise TypeError(f"{type(value).__name__} has no JSON form")


def print_line(text: str) -> None:
    """Print one line of text."""
    typer.echo(one_line(text))


def print_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    empty: str = "nothing to show",
    spare: Sequence[str] = (),
) -> None:
    """Print rows under their columns: fitted to a terminal, aligned and complete in a pipe.

    Args:
        empty: text for an empty table.
        spare: columns that a narrow terminal leaves out, the first one first.
    """
    if not rows:
        print_line(empty)
    elif _is_terminal():
        _print_fitted(columns, rows, spare)
    else:
        _print_whole(columns, rows)


def print_fields(fields: Mapping[str, Cell]) -> None:
    """Print names and values, one a line."""
    width = max(map(len, fields), default=0)
    lines = (f"{name:<{width}}  {_text(value)}".rstrip() for name, value in fields.items())
    typer.echo("\n".join(lines))


def _print_whole(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
    lines = [list(columns), *([_text(cell) for cell in row] for row in rows)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(columns))]
    numbers = _number_columns(columns, rows)
    for line in lines:
        for place, width in enumerate(widths):
            align = str.rjust if place in numbers else str.ljust
            line[place] = align(line[place], width)
    typer.echo("\n".join("  ".join(line).rstrip() for line in lines))


def _is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def _print_fitted(
    columns: Sequence[str], rows: Sequence[Sequence[Cell]], spare: Sequence[str]
) -> None:
    from rich.console import Console  # 50 ms that a pipe and --json do not need
    from rich.table import Table
    from rich.text import Text

    console = Console()
    left_out: list[str] = []
    # Names stay whole if that leaves room for text; otherwise all columns fold. Nothing is cut.
    while not (is_wide := _width(columns, rows) <= console.width) and len(left_out) < len(spare):
        left_out.append(spare[len(left_out)])
        place = columns.index(left_out[-1])
        columns, rows = _without(columns, place), [_without(row, place) for row in rows]
    table = Table(box=None, header_style="bold", pad_edge=False)
    numbers = _number_columns(columns, rows)
    longest = _longest(columns, rows)
    for place, column in enumerate(columns):
        table.add_column(
            column,
            justify="right" if place in numbers else "left",
            overflow="fold",
            no_wrap=is_wide and longest[place] <= LONGEST_NAME,
        )
    for row in rows:
        table.add_row(
            *(Text(_text(cell)) for cell in row)
        )  # Text: brackets must not be read as markup
    console.print(table)
    if left_out:
        print_line(f"too narrow for: {', '.join(left_out)}")


def _width(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> int:
    """Return the characters that a table needs if only its columns of text fold."""
    longest = _longest(columns, rows)
    heads = (min(len(column), LONGEST_NAME) for column in columns)
    wide = (max(head, min(width, LONGEST_NAME)) for head, width in zip(heads, longest, strict=True))
    return sum(wide) + 2 * (len(columns) - 1)


def _longest(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> list[int]:
    return [max(len(_text(row[place])) for row in rows) for place in range(len(columns))]


def _without(cells: Sequence[_One], place: int) -> list[_One]:
    return [*cells[:place], *cells[place + 1 :]]


def _number_columns(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> set[int]:
    return {
        place
        for place in range(len(columns))
        if rows and all(isinstance(row[place], int) for row in rows)
    }


def _text(cell: Cell) -> str:
    return f"{cell:,}" if isinstance(cell, int) else one_line(cell)
