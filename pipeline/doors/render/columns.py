"""Rows below each other: fitted to a terminal, aligned and complete in a pipe."""

from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import Final, TypeVar

from afterword.pipeline.doors.render.screen import Screen
from afterword.pipeline.views.cells import Bet, Cell, Interval, Links, Place, Ref, SignedInterval
from afterword.pipeline.views.numbers import interval, signed_interval, times_words
from afterword.pipeline.views.words import one_line

_LONGEST_NAME: Final = 20
"""Width limit of a column of names, numbers or moments; wider columns are text and may fold."""

_Item = TypeVar("_Item")


def table_lines(
    columns: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    screen: Screen,
    spare: Sequence[str] = (),
) -> Iterator[str]:
    """Yield the lines of a table that has rows.

    Args:
        spare: columns that a narrow terminal leaves out, the first one first.
    """
    return _fitted(columns, rows, screen, spare) if screen.is_terminal else _whole(columns, rows)


def field_lines(values: Mapping[str, str | int | Ref], indent: str = "") -> Iterator[str]:
    """Yield names and values, one a line."""
    width = max(map(len, values), default=0)
    for name, value in values.items():
        yield f"{indent}{name:<{width}}  {cell_text(value)}".rstrip()


def cell_text(cell: Cell) -> str:
    """Return a cell on one line."""
    match cell:
        case int():
            return f"{cell:,}"
        case Interval():
            return interval(cell.low, cell.high)
        case Bet():
            return times_words(cell.value)
        case SignedInterval():
            return signed_interval(cell.low, cell.high)
        case Place() | Ref():
            return one_line(cell.words)
        case Links():
            return f"{cell.number:,}"
    return one_line(cell)


def _whole(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> Iterator[str]:
    lines = [list(columns), *([cell_text(cell) for cell in row] for row in rows)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(columns))]
    numbers = _number_columns(columns, rows)
    for line in lines:
        for place, width in enumerate(widths):
            align = str.rjust if place in numbers else str.ljust
            line[place] = align(line[place], width)
        yield "  ".join(line).rstrip()


def _fitted(
    columns: Sequence[str], rows: Sequence[Sequence[Cell]], screen: Screen, spare: Sequence[str]
) -> Iterator[str]:
    from rich.console import Console  # 50 ms that a pipe and --json do not need
    from rich.table import Table
    from rich.text import Text

    console = Console(file=StringIO(), force_terminal=True, width=screen.columns)
    left_out: list[str] = []
    # Names stay whole if that leaves room for text; otherwise all columns fold. Nothing is cut.
    while not (is_wide := _width(columns, rows) <= screen.columns) and len(left_out) < len(spare):
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
            no_wrap=is_wide and longest[place] <= _LONGEST_NAME,
        )
    for row in rows:
        # Text: brackets must not be read as markup
        table.add_row(*(Text(cell_text(cell)) for cell in row))
    with console.capture() as captured:
        console.print(table)
    yield captured.get().removesuffix("\n")
    if left_out:
        yield f"too narrow for: {', '.join(left_out)}"


def _width(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> int:
    """Return the characters that a table needs if only its columns of text fold."""
    longest = _longest(columns, rows)
    heads = (min(len(column), _LONGEST_NAME) for column in columns)
    wide = (
        max(head, min(width, _LONGEST_NAME)) for head, width in zip(heads, longest, strict=True)
    )
    return sum(wide) + 2 * (len(columns) - 1)


def _longest(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> list[int]:
    return [max(len(cell_text(row[place])) for row in rows) for place in range(len(columns))]


def _without(cells: Sequence[_Item], place: int) -> list[_Item]:
    return [*cells[:place], *cells[place + 1 :]]


def _number_columns(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> set[int]:
    return {
        place
        for place in range(len(columns))
        if rows and all(isinstance(row[place], int) for row in rows)
    }
