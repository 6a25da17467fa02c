"""Order log of Investimental: a row for each change of an order, with what of it is left."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from afterword.pipeline.domain.documents.cells import Cells, cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin

_COLUMNS: Final = (
    *("Order ID", "Order Number", "Side", "Exchange", "Symbol", "Price", "Volume", "Value", "Fee"),
    *("Account ID", "Account Name", "Last Trade Ticket", "Status", "Update Type", "Update Time"),
)
_TIME: Final = "%Y-%m-%d %H:%M:%S"
_FILLED: Final = "fil"


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield executions: the units by which what is left of an order became fewer.

    The row that ends an order still shows the units of its last execution. What an execution cost
    is what the fee of the rest became less by.
    """
    left: dict[str, Cells] = {}
    for row in cells_of(document, *_COLUMNS):
        order = row.text("Order ID")
        before, left[order] = left.get(order), row
        if row.text("Update Type").casefold() != _FILLED:
            yield LeftOut(row.line, "order without an execution")
        elif before is None:
            raise row.refusal("Update Type", "a log that has the beginning of the order, too")
        else:
            yield _fill(row, before, origin)


def _fill(row: Cells, before: Cells, origin: Origin) -> Fill:
    is_last = row.text("Status").casefold() == "inactive"
    rest = Decimal(0) if is_last else row.positive("Volume")
    units = before.positive("Volume") - rest
    if units <= 0:
        raise row.refusal("Volume", "fewer units than before the execution")
    return Fill(
        venue="investimental",
        account=origin.account,
        symbol=row.text("Symbol"),
        kind="stock",
        side=row.side("Side", ("buy",), ("sell",)),
        px=row.positive("Price"),
        sz=units,
        quote=_currency(row),
        time_ms=row.millis("Update Time", origin.zone_or_refuse(), _TIME),
        fee=before.number_or_zero("Fee") - row.number_or_zero("Fee"),
        oid=row.text("Order ID"),
        tid=row.text("Last Trade Ticket") or None,
        raw=row.raw(),
        line=row.line,
    )


def _currency(row: Cells) -> str:
    """Return the currency in the name of the account: `JOHN DOE [RON]`."""
    currency = row.text("Account Name").rpartition("[")[2].removesuffix("]")
    if len(currency) != 3 or not currency.isupper():
        raise row.refusal("Account Name", "a name with its currency behind it: [RON]")
    return currency


LAYOUTS: Final = (
    Layout(
        "investimental-orders",
        "investimental",
        "Investimental, order log",
        _COLUMNS,
        has_columns(*_COLUMNS),
        _read,
    ),
)
