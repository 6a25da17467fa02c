"""Workbooks of Excel: the one sheet that holds something, as rows of text.

Read by the package `python-calamine`, which is installed with the extra `files`.
"""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
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
    """Yield the rows that hold something, without the empty cells at their ends."""
    table = book.get_sheet_by_name(title).to_python()
    # Midnight is read as a date; in a column of times it is one of them.
    timed = {at for values in table for at, value in enumerate(values) if _is_time(value)}
    for line, values in enumerate(table, start=1):
        cells = [_text(value, at in timed) for at, value in enumerate(values)]
        while cells and not cells[-1]:
            cells.pop()
        if cells:
            yield Row(line, cells)


def _is_time(value: Any) -> bool:
    return isinstance(value, datetime)


def _text(value: Any, is_of_times: bool) -> str:
    """Return a value as an export in text writes it: all digits, dates from the year on."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        exact = Decimal(repr(value))
        return f"{int(value)}" if value == int(value) else f"{exact:f}"
    if isinstance(value, datetime):
        shown_as = value.isoformat(" ")
        return shown_as if value.microsecond else f"{value:%Y-%m-%d %H:%M:%S}"
    if isinstance(value, date | time):
        is_midnight = is_of_times and isinstance(value, date)
        return f"{value.isoformat()} 00:00:00" if is_midnight else value.isoformat()
    if isinstance(value, timedelta):
        return str(value)
    return "" if value is None else str(value)


def _check_size(path: Path, name: str, most_bytes: int) -> None:
    with ZipFile(path) as archive:
        unpacked = sum(member.file_size for member in archive.infolist())
    most = min(most_bytes, max(MOST_TIMES * path.stat().st_size, FREE_BYTES))
    if unpacked > most:
        raise InvalidInputError(name, f"unfolds to {unpacked:,} bytes", f"{most:,} at most")
