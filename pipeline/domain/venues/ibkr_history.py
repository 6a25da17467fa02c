"""The Transaction History of Interactive Brokers: what moved money in an account, by day."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from afterword.pipeline.domain.documents.cells import Cells, cells_under, mark_in
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.dates import new_york_unless_told, oldest_first
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin, account_names
from afterword.pipeline.domain.layouts.options import PER_CONTRACT, contract_of
from afterword.pipeline.errors import InvalidInputError

_SECTION: Final = "Transaction History"
_COLUMNS: Final = (
    *("Date", "Account", "Transaction Type", "Symbol", "Quantity", "Price", "Commission"),
)
_CENT: Final = Decimal("0.01")
_NOTHING: Final = ("", "-")


def _recognises(document: Document) -> bool:
    """Tell a Transaction History; an activity statement begins alike, with fewer columns."""
    return document.form == "sheet" and any(
        row.cells[:2] == [_SECTION, "Header"] and set(_COLUMNS) <= set(row.cells)
        for row in document.head
    )


def _rows(document: Document) -> Iterator[Cells]:
    header, mark = None, mark_in(document)
    for row in document.rows():
        if row.cells[:2] == [_SECTION, "Header"]:
            header = row
        elif row.cells[:2] == [_SECTION, "Data"] and header is not None:
            yield cells_under(document, header, row, mark)


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield purchases and sales; dividends, interest, taxes and transfers only move money."""
    base = _base_currency(document)
    name_of = account_names((row.text("Account") for row in _rows(document)), origin)
    return oldest_first(
        _item(row, base, origin, name_of(row.text("Account"))) for row in _rows(document)
    )


def _base_currency(document: Document) -> str:
    for row in document.rows():
        if row.cells[:3] == ["Summary", "Data", "Base Currency"] and len(row.cells) > 3:
            return row.cells[3]
    problem = "does not say the base currency of its amounts"
    raise InvalidInputError(document.name, problem, "a file with its section Summary")


def _item(row: Cells, base: str, origin: Origin, account: str) -> Item:
    sort = row.text("Transaction Type")
    if sort in ("Buy", "Sell"):
        return _fill(row, base, origin, account)
    if sort != "Forex Trade Component" and row.text("Quantity") not in _NOTHING:
        accepted = "Buy or Sell: a Flex query tells what else changes a position"
        raise row.refusal("Transaction Type", accepted)
    return LeftOut(row.line, sort.lower() or "note")


def _fill(row: Cells, base: str, origin: Origin, account: str) -> Fill:
    """Return a trade. The file has amounts in the base currency, and does not say that of the
    price: they are one if price and quantity give the amount."""
    symbol = row.text("Symbol")
    contract = contract_of(symbol)
    multiplier = PER_CONTRACT if contract else Decimal(1)
    price, size = row.price("Price"), row.size("Quantity")
    gross = next(name for name in row.places if name.strip() == "Gross Amount")
    if abs(price * size * multiplier - abs(row.number(gross))) > _CENT:
        accepted = f"a price in {base}, as the amounts are; a Flex query names other currencies"
        raise row.refusal("Price", accepted)
    return Fill(
        venue="ibkr",
        account=account,
        symbol=contract[0] if contract else symbol,
        base=contract[1] if contract else None,
        kind="option" if contract else "stock",
        side=row.side("Transaction Type", ("buy",), ("sell",)),
        px=price,
        sz=size,
        multiplier=multiplier,
        quote=base,
        time_ms=row.millis("Date", new_york_unless_told(origin), "%Y-%m-%d"),
        is_day=True,
        fee=Decimal(0) if row.text("Commission") in _NOTHING else -row.number("Commission"),
        raw=row.raw(),
        line=row.line,
    )


LAYOUTS: Final = (
    Layout(
        "ibkr-transaction-history",
        "ibkr",
        "IBKR, Transaction History",
        (_SECTION, "Header", *_COLUMNS),
        _recognises,
        _read,
    ),
)
