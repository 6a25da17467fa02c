"""Rows of cells out of text; the delimiter is found, a quoted cell may hold line breaks."""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from afterword.pipeline.rules.tabular.decode import LineError

DELIMITERS: Final = ",;\t|"

MOST_COLUMNS: Final = 1_000
"""Cells of a row: each row is filled up to its header, so all would cost as much as a wide one."""

MOST_EMPTY_ROWS: Final = 1_048_576
"""Empty rows behind each other: as many as a sheet of Excel has, which are saved where it was
formatted to its end. Many more of them pack into nothing."""

_UNENDED: Final = "unexpected end of data"
_PROBLEMS: Final = {
    _UNENDED: "begins a quoted cell that never ends",
    f"field larger than field limit ({csv.field_size_limit()})": "has a cell that does not end; "
    "is a quote missing?",
}


class Row(NamedTuple):
    """One record of a file.

    Args:
        line: where it begins; the first line of the file is 1.
        cells: without blanks around them.
    """

    line: int
    cells: list[str]


def delimiter_of(lines: Iterable[str]) -> str:
    """Return the delimiter of a file by its first lines; a comma where none is used.

    The one that cuts most lines into equally many cells, and into more than one.
    """
    known = [line for line in lines if line.strip()]
    best, most = ",", (0, 0)
    for delimiter in DELIMITERS:
        widths: Counter[int] = Counter()
        try:
            for cells in csv.reader(known, delimiter=delimiter, strict=True):
                widths[len(cells)] += 1
        except csv.Error as error:
            if str(error) != _UNENDED:  # the head may be cut inside a quoted cell
                continue
        widths.pop(1, None)
        if widths:
            width, count = max(widths.items(), key=lambda item: (item[1], item[0]))
            if (count, width) > most:
                best, most = delimiter, (count, width)
    return best


def rows_of(lines: Iterable[str], delimiter: str) -> Iterator[Row]:
    """Yield the records of a file that hold anything, with the line each begins at.

    Raises:
        LineError: a quoted cell does not end, or goes on behind its quote; a row has more cells
            than a table has, or too many empty rows follow each other.
    """
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    line, empty = 1, 0
    try:
        for cells in reader:
            stripped = list(map(str.strip, cells))
            if any(stripped):
                if len(stripped) > MOST_COLUMNS:
                    problem = f"has {len(stripped):,} cells"
                    raise LineError(line, problem, f"a table of {MOST_COLUMNS:,} columns at most")
                yield Row(line, stripped)
                empty = 0
            elif (empty := empty + 1) > MOST_EMPTY_ROWS:
                problem = f"is the last of {empty:,} empty rows"
                raise LineError(line, problem, "a table without them")
            line = reader.line_num + 1
    except csv.Error as error:
        raise LineError(line, _PROBLEMS.get(str(error), str(error)), "a row of CSV") from None
