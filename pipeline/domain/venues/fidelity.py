"""Account history of Fidelity."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final, Literal

from afterword.pipeline.domain.documents.cells import Cells, cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.amounts import settled_price
from afterword.pipeline.domain.layouts.dates import new_york_unless_told, oldest_first
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin
from afterword.pipeline.domain.layouts.options import PER_CONTRACT, day_of, occ_symbol

_COLUMNS: Final = (
    *("Run Date", "Action", "Symbol", "Description", "Type", "Quantity", "Price ($)"),
    *("Commission ($)", "Fees ($)", "Amount ($)"),
)
_CONTRACT: Final = re.compile(r"-([A-Z]+)([0-9]{6})([CP])([0-9.]+)")
_TRADES: Final = ("YOU BOUGHT", "YOU SOLD", "REINVESTMENT")
_ENDS: Final = ("EXPIRED", "ASSIGNED", "EXERCISED")


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield trades, and what closes an option at 0; the quantity has the sign of the change.

    The action is free text; the file has days only, the newest first, and ends with notes.
    """
    return oldest_first(_history(document, origin))


def _history(document: Document, origin: Origin) -> Iterator[Item]:
    for row in cells_of(document, *_COLUMNS):
        action = row.text("Action").upper()
        if day_of(row.text("Run Date"), "%m/%d/%Y") is None and not row.text("Symbol"):
            yield LeftOut(row.line, "note")
        elif action.startswith(_TRADES) or (_is_option(row) and action.startswith(_ENDS)):
            yield _fill(row, origin, action)
        else:
            yield LeftOut(row.line, " ".join(action.split()[:2]).lower())


def _is_option(row: Cells) -> bool:
    return row.text("Symbol").startswith("-")


def _fill(row: Cells, origin: Origin, action: str) -> Item:
    contract = _CONTRACT.fullmatch(row.text("Symbol"))
    expiry = day_of(contract[2], "%y%m%d") if contract else None
    symbol, base = row.text("Symbol"), None
    if contract and expiry:
        symbol, base = (
            occ_symbol(contract[1], expiry, contract[3], Decimal(contract[4])),
            contract[1],
        )
    multiplier = PER_CONTRACT if base else Decimal(1)
    sold = action.startswith("YOU SOLD") or row.number("Quantity") < 0
    side: Literal["B", "A"] = "A" if sold else "B"
    size = row.size("Quantity")
    fee = row.number_or_zero("Commission ($)") + row.number_or_zero("Fees ($)")
    price: Decimal | None = row.number_or_zero("Price ($)")
    if price is not None and row.text("Amount ($)"):
        paid = abs(row.number("Amount ($)")) + (fee if sold else -fee)
        price = settled_price(paid, size * multiplier, price)
    if price is None:
        return LeftOut(row.line, "amount and price disagree")
    opens, closes = "OPENING" in action, "CLOSING" in action or action.startswith(_ENDS)
    return Fill(
        venue="fidelity",
        account=origin.account,
        symbol=symbol,
        base=base,
        kind="option" if base else "stock",
        side=side,
        px=price,
        sz=size,
        multiplier=multiplier,
        quote="USD",
        time_ms=row.millis("Run Date", new_york_unless_told(origin), "%m/%d/%Y"),
        is_day=True,
        fee=fee,
        effect="open" if opens else "close" if closes else None,
        raw=row.raw(),
        line=row.line,
    )


LAYOUTS: Final = (
    Layout(
        "fidelity-history",
        "fidelity",
        "Fidelity, account history",
        _COLUMNS,
        has_columns(*_COLUMNS),
        _read,
    ),
)
