"""History of Trading 212."""

from collections.abc import Iterator
from datetime import UTC
from decimal import Decimal
from fractions import Fraction
from typing import Final

from afterword.pipeline.domain.documents.cells import Cells, cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.amounts import in_pounds
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin, ShareSplit

_COLUMNS: Final = (
    *("Action", "Time", "ISIN", "Ticker", "No. of shares", "Price / share"),
    *("Currency (Price / share)", "Exchange rate"),
)
_FEES: Final = (
    *("Transaction fee", "Finra fee", "Stamp duty", "Stamp duty reserve tax"),
    *("Currency conversion fee", "French transaction tax"),
)


_OPENS: Final = "stock split open"
_SPLITS: Final = (_OPENS, "stock split close")


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield trades at the price of the market, in its currency; total and result are converted.

    A fee in the currency of the account is turned into that of the price by the row's own rate.
    """
    halves: dict[str, tuple[str, Decimal]] = {}
    for row in cells_of(document, *_COLUMNS):
        action = row.text("Action").lower()
        if action in _SPLITS:
            yield LeftOut(row.line, "share split", _split(row, origin, action, halves))
        elif action.endswith((" buy", " sell")):
            yield _fill(row, origin)
        else:
            yield LeftOut(row.line, action or "note")


def _split(
    row: Cells, origin: Origin, action: str, halves: dict[str, tuple[str, Decimal]]
) -> ShareSplit:
    """Return what a row of a split tells: one row closes the old units, one opens the new ones.

    Args:
        halves: the row of a share whose other row is still to come: its action and its units.
    """
    symbol, units = _symbol(row), row.size("No. of shares")
    other, before = halves.pop(symbol, (action, units))
    ratio = None
    if other == action:
        halves[symbol] = (action, units)
    else:
        old, new = (before, units) if action == _OPENS else (units, before)
        ratio = Fraction(new) / Fraction(old)
    return ShareSplit(origin.account, symbol, row.millis("Time", UTC, "iso"), ratio)


def _symbol(row: Cells) -> str:
    return row.text("Ticker") or row.text("ISIN")


def _fill(row: Cells, origin: Origin) -> Fill:
    price, quote = in_pounds(row.price("Price / share"), row.text("Currency (Price / share)"))
    return Fill(
        venue="trading212",
        account=origin.account,
        symbol=_symbol(row),
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
