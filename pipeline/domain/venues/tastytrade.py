"""Exports of tastytrade."""

from collections.abc import Iterator
from datetime import UTC
from decimal import Decimal
from typing import Final, Literal

from afterword.pipeline.domain.documents.cells import Cells, cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.amounts import settled_price
from afterword.pipeline.domain.layouts.dates import oldest_first
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin
from afterword.pipeline.domain.layouts.options import OpenContracts, contract_of
from afterword.pipeline.errors import InvalidInputError

_COLUMNS: Final = (
    *("Date", "Type", "Sub Type", "Action", "Symbol", "Instrument Type", "Value", "Quantity"),
    *("Average Price", "Commissions", "Fees", "Multiplier", "Underlying Symbol", "Order #"),
)
_CHAINS: Final = (
    *("Symbol", "Status", "MarketOrFill", "Price", "TIF", "Time", "TimeStampAtType", "Order #"),
    "Description",
)
_KINDS: Final[dict[str, Literal["stock", "option", "spot"]]] = {
    "Equity": "stock",
    "Equity Option": "option",
    "Cryptocurrency": "spot",
}


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield trades, and what closes an option at 0; each moment has its offset.

    The average price is that of a contract in money, rounded: the value counts where they differ.
    """
    held = OpenContracts(lambda: _trades(document, origin, None))
    return oldest_first(_trades(document, origin, held))


def _trades(document: Document, origin: Origin, held: OpenContracts | None) -> Iterator[Item]:
    for row in cells_of(document, *_COLUMNS):
        action = row.text("Action").upper().replace(" ", "_")
        kind = _KINDS.get(row.text("Instrument Type"))
        if row.text("Type") not in ("Trade", "Receive Deliver"):
            yield LeftOut(row.line, (row.text("Sub Type") or row.text("Type")).lower())
        elif kind is None:
            yield LeftOut(row.line, "asset class that is not read")
        elif action.startswith(("BUY", "SELL")):
            yield _fill(row, origin, "B" if action.startswith("BUY") else "A", action)
        elif kind == "option" and (contract := contract_of(row.text("Symbol"))):
            side = held.closing_side(contract[0], row.size("Quantity")) if held else None
            if side is None:
                yield LeftOut(row.line, "option opened before the file")
            else:
                yield _fill(row, origin, side, "CLOSE")
        else:
            yield LeftOut(row.line, row.text("Sub Type").lower() or "row without an action")


def _fill(row: Cells, origin: Origin, side: Literal["B", "A"], action: str) -> Item:
    contract = contract_of(row.text("Symbol")) or (row.text("Symbol"), None)
    kind = _KINDS[row.text("Instrument Type")]
    size = row.size("Quantity")
    multiplier = row.positive("Multiplier") if row.text("Multiplier") else Decimal(1)
    paid, printed = abs(row.number("Value")), abs(row.number_or_zero("Average Price"))
    price = settled_price(paid, size * multiplier, printed / multiplier)
    if price is None:
        return LeftOut(row.line, "value and price disagree")
    return Fill(
        venue="tastytrade",
        account=origin.account,
        symbol=contract[0],
        base=contract[1] if kind == "option" else None,
        kind=kind,
        side=side,
        px=price,
        sz=size,
        multiplier=multiplier,
        quote="USD",
        time_ms=row.millis("Date", origin.zone or UTC, "iso"),
        fee=-row.number_or_zero("Commissions") - row.number_or_zero("Fees"),
        oid=row.text("Order #") or None,
        effect="open" if "OPEN" in action else "close" if "CLOSE" in action else None,
        raw=row.raw(),
        line=row.line,
    )


def _refuse_chains(document: Document, _: Origin) -> Iterator[Item]:
    """Refuse the list of order chains: no year, and one price for all legs of an order."""
    problem = "is a list of order chains: its times have no year, its prices are of all legs"
    accepted = "tastytrade: History, Transactions, Download as CSV"
    raise InvalidInputError(document.name, problem, accepted)


LAYOUTS: Final = (
    Layout(
        "tastytrade-history",
        "tastytrade",
        "tastytrade, transaction history",
        _COLUMNS,
        has_columns(*_COLUMNS),
        _read,
    ),
    Layout(
        "tastytrade-chains",
        "tastytrade",
        "tastytrade, order chains",
        _CHAINS,
        has_columns(*_CHAINS),
        _refuse_chains,
    ),
)
