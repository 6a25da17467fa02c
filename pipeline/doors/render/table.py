"""Tables: rows under columns; on a narrow screen one block for each row, or rows that scroll."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from afterword.pipeline.doors.render.markup import Html, element
from afterword.pipeline.views.numbers import NONE

ReportCell = str | int
"""Whole numbers get thousands separators; HTML stays as it is."""

_SHORT: Final = 16
"""Characters up to which the texts of a column stay on one line."""

_SHORT_LINK: Final = 24
"""Characters up to which the links of a column stay on one line; a name is not broken in two."""

_TAG: Final = re.compile(r"<[^<>]*>")
_NUMBER: Final = r"[+−]?\$?\d[\d,.]*(–\d[\d,.]*)?( %| σ| [A-Z][A-Z\d]{1,9})?"
_NUMBERS: Final = re.compile(rf"{_NUMBER}( (to|±) {_NUMBER})?( \({_NUMBER}\))?")
"""Numbers as words: `+2.1 %`, `−$1,240`, `12.50 USDC`, `24–56 %`, `12 (39 %)`."""


_SIGNS: Final = {"+": "gain", "−": "loss"}
"""How a number with a sign is called in the style sheet."""


class RowGroup(NamedTuple):
    """Rows of a table below a heading of their own; no heading where it is empty."""

    heading: str
    rows: Sequence[Sequence[ReportCell]]


def table(columns: Sequence[str], rows: Sequence[Sequence[ReportCell]], empty: str = "") -> Html:
    """Return a table, without columns in which nothing is known.

    Args:
        empty: text in place of a table without rows.
    """
    if not rows:
        return element("p", empty, class_="quiet") if empty else Html("")
    return _blocks(columns, [RowGroup("", rows)])


def grouped_table(label: str, columns: Sequence[str], groups: Sequence[RowGroup]) -> Html:
    """Return one table of several groups of rows, so that their numbers stand below each other.

    Args:
        label: what the table holds, for readers that cannot see it.
    """
    return _scrolled(label, _blocks(columns, groups), "scroll cells")


def scrolled_table(
    label: str, columns: Sequence[str], rows: Sequence[Sequence[ReportCell]]
) -> Html:
    """Return a table whose rows stay rows on a narrow screen, where it scrolls to the side.

    Args:
        label: what the table holds, for readers that cannot see it.
    """
    if not rows:
        return Html("")
    shown = _Columns(columns, rows)
    body = [element("tr", *shown.cells(row)) for row in shown.rows]
    whole = element(
        "table",
        element("thead", element("tr", *shown.head())),
        element("tbody", *body),
        class_="rows",
    )
    return _scrolled(label, whole, "scroll")


def _blocks(columns: Sequence[str], groups: Sequence[RowGroup]) -> Html:
    """Return a table that a narrow screen shows as one block for each row."""
    shown = _Columns(columns, [row for group in groups for row in group.rows])
    # A narrow screen shows rows as blocks, which takes the roles of a table away.
    head = element("tr", *shown.head(role="columnheader"), role="row")
    bodies = []
    for group in groups:
        rows = [element("tr", *shown.cells(row, is_block=True), role="row") for row in group.rows]
        if group.heading:
            name = element(
                "th", group.heading, scope="rowgroup", colspan=len(shown.names), role="rowheader"
            )
            rows.insert(0, element("tr", name, class_="group", role="row"))
        bodies.append(element("tbody", *rows, role="rowgroup"))
    return element("table", element("thead", head, role="rowgroup"), *bodies, role="table")


def _scrolled(label: str, whole: Html, kind: str) -> Html:
    # Only what can be reached by a key can be scrolled by one.
    return element("div", whole, class_=kind, role="region", aria_label=label, tabindex=0)


class _Columns:
    """The columns of a table in which something is known, and how each is set."""

    def __init__(self, columns: Sequence[str], rows: Sequence[Sequence[ReportCell]]) -> None:
        self._filled = [
            place
            for place in range(len(columns))
            if any(row[place] not in ("", NONE) for row in rows)
        ]
        self.names = [columns[place] for place in self._filled]
        self.rows = rows
        self._kinds = [
            _kind([row[place] for row in rows], is_name=place == 0) for place in self._filled
        ]

    def head(self, role: str | None = None) -> list[Html]:
        return [
            element("th", name, scope="col", role=role, class_=kind)
            for name, kind in zip(self.names, self._kinds, strict=True)
        ]

    def cells(self, row: Sequence[ReportCell], *, is_block: bool = False) -> list[Html]:
        """Return the cells of a row, the first of which is its heading.

        Args:
            is_block: whether a narrow screen shows the row as a block. That takes the roles of
                cells away, and needs the name of the column beside each.
        """
        return [
            _table_cell(row[place], kind, name if is_block else None, is_first=place == 0)
            for place, name, kind in zip(self._filled, self.names, self._kinds, strict=True)
        ]


def _kind(cells: Sequence[ReportCell], *, is_name: bool) -> str | None:
    """Return how the cells of a column are set: numbers on the right; None for HTML.

    Args:
        is_name: whether they say what a row is about, as the year 2026 does.
    """
    if all(isinstance(cell, int) for cell in cells):
        return "number"
    texts = [cell for cell in cells if isinstance(cell, str) and cell not in ("", NONE)]
    if any(isinstance(cell, Html) for cell in texts):
        is_short = all(len(_TAG.sub("", text)) <= _SHORT_LINK for text in texts)
        return "short" if is_short and not any("<svg" in text for text in texts) else None
    if not is_name and all(_NUMBERS.fullmatch(text) for text in texts):
        return "number"
    return "short" if all(len(text) <= _SHORT for text in texts) else "words"


def _table_cell(cell: ReportCell, kind: str | None, name: str | None, *, is_first: bool) -> Html:
    """Return a cell; the first one of a row is its heading, unless it is empty.

    Args:
        name: of its column, where each row is a block on a narrow page.
    """
    words = _text(cell)
    if kind == "number" and words[:1] in _SIGNS:
        kind = f"{kind} {_SIGNS[words[:1]]}"
    is_heading = is_first and words != ""
    role = None if name is None else "rowheader" if is_heading else "cell"
    return element(
        *("th" if is_heading else "td", words),
        scope="row" if is_heading else None,
        role=role,
        class_=kind,
        data_name=name,
    )


def _text(cell: ReportCell) -> str:
    return f"{cell:,}" if isinstance(cell, int) else cell
