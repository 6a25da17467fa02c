"""Tables: rows under columns, or one block for each row on a narrow screen."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.doors.report.markup import Html, element
from afterword.pipeline.doors.report.numbers import NONE

ReportCell = str | int
"""Whole numbers are right-aligned with thousands separators; HTML stays as it is."""

_SHORT: Final = 16
"""Characters up to which the texts of a column stay on one line."""


def table(columns: Sequence[str], rows: Sequence[Sequence[ReportCell]], empty: str = "") -> Html:
    """Return a table, without columns in which nothing is known.

    Args:
        empty: text in place of a table without rows.
    """
    if not rows:
        return element("p", empty, class_="quiet") if empty else Html("")
    filled = [
        place for place in range(len(columns)) if any(row[place] not in ("", NONE) for row in rows)
    ]
    columns = [columns[place] for place in filled]
    rows = [[row[place] for place in filled] for row in rows]
    kinds = [_kind([row[place] for row in rows]) for place in range(len(columns))]
    head = [
        element("th", name, scope="col", role="columnheader", class_=kind)
        for name, kind in zip(columns, kinds, strict=True)
    ]
    body = [element("tr", *_cells(columns, row, kinds), role="row") for row in rows]
    # A narrow screen shows rows as blocks, which takes the roles of a table away.
    return element(
        "table",
        element("thead", element("tr", *head, role="row"), role="rowgroup"),
        element("tbody", *body, role="rowgroup"),
        role="table",
    )


def _cells(
    columns: Sequence[str], row: Sequence[ReportCell], kinds: Sequence[str | None]
) -> list[Html]:
    return [
        element("td", _text(cell), role="cell", class_=kind, data_name=name)
        for name, cell, kind in zip(columns, row, kinds, strict=True)
    ]


def _kind(cells: Sequence[ReportCell]) -> str | None:
    """Return how the cells of a column are set; None for HTML."""
    if all(isinstance(cell, int) for cell in cells):
        return "number"
    texts = [cell for cell in cells if isinstance(cell, str)]
    is_short = all(len(cell) <= _SHORT for cell in texts)
    if any(isinstance(cell, Html) for cell in texts):
        return None
    return "short" if is_short else "words"


def _text(cell: ReportCell) -> str:
    return f"{cell:,}" if isinstance(cell, int) else cell
