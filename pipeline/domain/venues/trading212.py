"""History of Trading 212."""

from collections.abc import Iterator
from datetime import UTC
from decimal import Decimal
from typing import Final

from afterword.pipeline.domain.documents.cells import Cells, cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.amounts import in_pounds
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin

_COLUMNS: Final = (
    *("Action", "Time", "ISIN", "Ticker", "No. of shares", "Price / share"),
    *("Currency (Price / share)", "Exchange rate"),
)
_FEES: Final = (
    *("Transaction fee", "Finra fee", "Stamp duty", "Stamp duty reserve tax"),
    *("Currency conversion fee", "French transaction tax"),
)


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield trades at the price of the market, in its currency; total and result are converted.

    A fee in the currency of the account is turned into that of the price by the row's own rate.
    """
    for row in cells_of(document, *_COLUMNS):
        action = row.text("Action").lower()
        if action.endswith((" buy", " sell")):
            yield _fill(row, origin)
        else:
            yield LeftOut(row.line, action or "note")


def _fill(row: Cells, origin: Origin) -> Fill:
    price, quote = in_pounds(row.price("Price / share"), row.text("Currency (Price / share)"))
    return Fill(
        venue="trading212",
        account=origin.account,
        symbol=row.text("Ticker") or row.text("ISIN"),
        kind="stock",
        side="B" if row.text("Action").lower().endswith(" buy") else "A",
        px=price,
        sz=row.positive("No. of shares"),
        quote=quote,
        time_ms=row.millis("Time", UTC, "iso"),
        fee=_fee(row, quote),
        tid=row.text("ID") or None,
        raw=row.raw(),
        line=row.line,
    )


def _fee(row: Cells, quote: str) -> Decimal:
    total = Decimal(0)
    for heading in row.header:
        name, _, currency = heading.partition(" (")
        if name not in _FEES or not (fee := row.number_or_zero(heading)):
            continue
        paid_in = currency.removesuffix(")") or row.text(f"Currency ({name})")
        fee, paid_in = in_pounds(fee, paid_in)
        total += fee if paid_in == quote else fee * row.positive("Exchange rate")
    return total


LAYOUTS: Final = (
    Layout(
        "trading212-history",
        "trading212",
        "Trading 212, history",
        _COLUMNS,
        has_columns(*_COLUMNS),
        _read,
    ),
)
