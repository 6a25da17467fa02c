"""Reports of Morgan Stanley at Work: shares that were released, and their sales."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Final, Literal

from afterword.pipeline.domain.documents.cells import Cells, cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.dates import new_york_unless_told
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin
from afterword.pipeline.domain.layouts.options import day_of
from afterword.pipeline.rules.tabular.numbers import MARKS, read_number

_ENDS: Final = ("Price", "Quantity", "Net Share Proceeds", "Tax Payment Method")
_RELEASES: Final = ("Vest Date", "Order Number", "Plan", "Type", "Status", *_ENDS)
_SALES: Final = ("Execution Date", "Order Number", "Plan", "Type", "Order Status", *_ENDS)
_TIME: Final = "%d-%b-%Y"
_NOTE: Final = re.compile(r"([A-Z][a-z]{2,8} [0-9]{1,2},? [0-9]{4}) stock split .{0,40}pre-split")


def _releases(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield releases as purchases of what came, at the price of their day: taxes took the rest."""
    for row in _rows(document, _RELEASES):
        if not row.text("Price"):
            yield LeftOut(row.line, "note")
        elif row.text("Status").casefold() != "complete":
            yield LeftOut(row.line, "release that is not complete")
        elif row.text("Type").casefold() != "release":
            raise row.refusal("Type", "Release")
        else:
            yield _fill(row, "Vest Date", "B", "Net Share Proceeds", origin)


def _sales(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield sales. Shares of before a split, of which a note tells, are not those of today."""
    split = _split_in(document)
    for row in _rows(document, _SALES):
        if row.text("Plan") == "Cash":
            yield LeftOut(row.line, "cash")
        elif _is_note(row):
            yield LeftOut(row.line, "note")
        elif row.text("Order Status").casefold() != "complete":
            yield LeftOut(row.line, "order that is not complete")
        elif row.text("Type").casefold() != "sale":
            raise row.refusal("Type", "Sale")
        elif split and (day := day_of(row.text("Execution Date"), _TIME)) and day <= split:
            told = f"shares as after the split of {split}, of which the note below tells; "
            raise row.refusal("Quantity", f"{told}or the file without this row")
        else:
            yield _fill(row, "Execution Date", "A", "Quantity", origin)


def _is_note(row: Cells) -> bool:
    """Tell a sentence below the table, which its commas cut into cells."""
    is_dated = day_of(row.text("Execution Date"), _TIME) is not None
    numbers = [read_number(row.text(one), mark) for one in ("Price", "Quantity") for mark in MARKS]
    return not is_dated and numbers == [None] * len(numbers)


def _rows(document: Document, columns: tuple[str, ...]) -> Iterator[Cells]:
    return cells_of(document, *columns)


def _split_in(document: Document) -> date | None:
    """Return the day of the split before which the file counts other shares; None without one."""
    for row in document.rows():
        if note := _NOTE.search(", ".join(row.cells)):
            return day_of(note[1], "%B %d, %Y", "%B %d %Y")
    return None


def _fill(row: Cells, at: str, side: Literal["B", "A"], units: str, origin: Origin) -> Fill:
    return Fill(
        venue="morgan-stanley",
        account=origin.account,
        symbol=row.text("Plan"),
        kind="stock",
        side=side,
        px=row.positive("Price"),
        sz=row.size(units),
        quote="USD",
        time_ms=row.millis(at, new_york_unless_told(origin), _TIME),
        is_day=True,
        fee_is_known=side == "B",
        raw=row.raw(),
        line=row.line,
    )


LAYOUTS: Final = (
    Layout(
        "morgan-stanley-releases",
        "morgan-stanley",
        "Morgan Stanley at Work, Releases Report",
        _RELEASES,
        has_columns(*_RELEASES),
        _releases,
    ),
    Layout(
        "morgan-stanley-withdrawals",
        "morgan-stanley",
        "Morgan Stanley at Work, Withdrawals Report",
        _SALES,
        has_columns(*_SALES),
        _sales,
    ),
)
