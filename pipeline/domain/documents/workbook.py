"""Workbooks of Excel: the one sheet that holds something, as rows of text.

Read by the package `python-calamine`, which is installed with the extra `files`.
"""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile, ZipFile

from afterword.pipeline.core.files.packed import FREE_BYTES, MOST_TIMES, check_regular
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import mask, shown
from afterword.pipeline.rules.tabular.sheet import MOST_COLUMNS, Row

_ZIP: Final = b"PK\x03\x04"
_BOOK: Final = "xl/workbook.xml"
_MOST_SHEETS: Final = 8
"""Sheets that are named in a refusal."""


def is_workbook(path: Path) -> bool:
    """Tell a workbook by what is in it; a file that cannot be read is none."""
    try:
        check_regular(path)
        with path.open("rb") as file:
            if file.read(4) != _ZIP:
                return False
        with ZipFile(path) as archive:
            return _BOOK in archive.namelist()
    except (OSError, BadZipFile, RuntimeError, NotImplementedError):
        return False


def workbook_rows(path: Path, name: str, most_bytes: int) -> list[Row]:
    """Return the rows of the sheet that is not empty; dates and numbers as text.

    Args:
        name: what messages call the file.
        most_bytes: unpacked.

    Raises:
        InvalidInputError: it cannot be read, is too large, or has several sheets with rows.
    """
    _check_size(path, name, most_bytes)
    try:
        from python_calamine import CalamineWorkbook
    except ImportError:
        accepted = "pip install 'afterword[files]', or the sheet saved as CSV"
        raise InvalidInputError(name, "is a workbook of Excel", accepted) from None
    try:
        book = CalamineWorkbook.from_path(str(path))
        sheets = [(title, list(_rows(book, title))) for title in book.sheet_names]
    except Exception as error:  # it raises what its own parser meets
        problem = f"is a workbook that cannot be read: {mask(str(error))[:120]}"
        raise InvalidInputError(name, problem, "the sheet saved as CSV") from None
    filled = [(title, rows) for title, rows in sheets if len(rows) > 1]
    if len(filled) != 1:
        titles = ", ".join(shown(mask(title)) for title, _ in filled[:_MOST_SHEETS])
        problem = f"has {len(filled)} sheets with rows" + (f": {titles}" if titles else "")
        raise InvalidInputError(name, problem, "a workbook of one, or the sheet saved as CSV")
    rows = filled[0][1]
    if (width := max(len(row.cells) for row in rows)) > MOST_COLUMNS:
        accepted = f"a table of {MOST_COLUMNS:,} columns at most"
        raise InvalidInputError(name, f"has {width:,} columns", accepted)
    return rows


def _rows(book: Any, title: str) -> Iterator[Row]:
    """Yield the rows that hold something, by their lines, without the empty cells at their ends."""
    sheet = book.get_sheet_by_name(title)
    if sheet.start is None:
        return
    table = sheet.to_python()  # from the first row that is not empty
    timed: set[int] | None = None
    for line, values in enumerate(table, start=sheet.start[0] + 1):
        cells = [(value.strip() if type(value) is str else _text(value)) for value in values]
        if date in map(type, values):
            timed = _timed(table) if timed is None else timed
            for at in timed:
                if type(values[at]) is date:
                    cells[at] += " 00:00:00"
        while cells and not cells[-1]:
            cells.pop()
        if cells:
            yield Row(line, cells)


def _timed(table: Sequence[Sequence[Any]]) -> set[int]:
    """Return the columns of times, in which midnight is read as a date: it is one of them."""
    return {at for values in table for at, value in enumerate(values) if type(value) is datetime}


def _text(value: Any) -> str:
    """Return a value as an export in text writes it: all digits, dates from the year on."""
    if isinstance(value, float):
        return _digits(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat(" ", "auto" if value.microsecond else "seconds")
    if isinstance(value, date | time):
        return value.isoformat()
    return "" if value is None else str(value)


def _digits(value: float) -> str:
    written = repr(value)
    if "e" in written:
        written = f"{Decimal(written):f}"
    whole = written.removesuffix(".0")
    return "0" if whole == "-0" else whole


def _check_size(path: Path, name: str, most_bytes: int) -> None:
    with ZipFile(path) as archive:
        unpacked = sum(member.file_size for member in archive.infolist())
    most = min(most_bytes, max(MOST_TIMES * path.stat().st_size, FREE_BYTES))
    if unpacked > most:
        raise InvalidInputError(name, f"unfolds to {unpacked:,} bytes", f"{most:,} at most")
