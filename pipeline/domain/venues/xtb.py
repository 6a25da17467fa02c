"""Cash operations of XTB."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Final

from afterword.pipeline.domain.documents.cells import Cells, cells_of, header_of
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.dates import oldest_first
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin

_COLUMNS: Final = ("ID", "Type", "Time", "Symbol", "Comment", "Amount")
_WIDEST: Final = len(_COLUMNS) + 1
_TRADE: Final = re.compile(r"(OPEN|CLOSE) (BUY|SELL) ([0-9.]+)(?:/[0-9.]+)? @ ([0-9.]+)")
_CURRENCIES: Final[Mapping[str, str]] = {
    "US": "USD",
    **dict.fromkeys(("DE", "FR", "ES", "IT", "NL", "BE", "PT", "FI"), "EUR"),
    "PL": "PLN",
    "CZ": "CZK",
    "CH": "CHF",
    "DK": "DKK",
    "NO": "NOK",
    "SE": "SEK",
}
"""Currencies of exchanges by the end of a symbol; London trades in three and is not here."""

_CENT: Final = Decimal("0.005")


def _recognises(document: Document) -> bool:
    """Tell XTB's sheet: its words are common, so that a wider sheet is another program's."""
    header = header_of(document, _COLUMNS) if document.form == "sheet" else None
    return header is not None and len([cell for cell in header[0].cells if cell]) <= _WIDEST


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield trades, which stand in the comment; the words of the type are in the user's language.

    The price is in the currency of the market, the amount in that of the account; neither is
    named. An exchange has one currency as a rule; where it has several, a price that gives the
    amount is in the account's, which the other rows tell.
    """
    return oldest_first(_operations(document, origin))


def _operations(document: Document, origin: Origin) -> Iterator[Item]:
    own = _own_currency(document)
    seen: set[tuple[str, str]] = set()
    for row in cells_of(document, *_COLUMNS):
        operation = _TRADE.fullmatch(row.text("Comment"))
        if operation is None:
            yield LeftOut(row.line, row.text("Type").lower())
            continue
        quote = _CURRENCIES.get(row.text("Symbol").rpartition(".")[2])
        if quote is None and _is_worth(row, operation):
            quote = own
        # An id may be given to a purchase and its sale, or come twice with the same operation.
        key = (row.text("ID"), operation[0])
        if key in seen:
            yield LeftOut(row.line, "repeated operation")
        elif quote is None:
            yield LeftOut(row.line, "currency that is not known")
        else:
            seen.add(key)
            yield _fill(row, origin, operation, quote)


def _fill(row: Cells, origin: Origin, operation: re.Match[str], quote: str) -> Fill:
    opens = operation[1] == "OPEN"
    size = row.number_in_text("Comment", operation[3])
    if size <= 0:
        raise row.refusal("Comment", "a quantity above 0")
    return Fill(
        venue="xtb",
        account=origin.account,
        symbol=row.text("Symbol"),
        kind="stock",
        side="B" if opens == (operation[2] == "BUY") else "A",
        px=row.number_in_text("Comment", operation[4]),
        sz=size,
        quote=quote,
        time_ms=row.millis("Time", origin.zone_or_refuse(), "%d.%m.%Y %H:%M:%S"),
        tid=f"{row.text('ID')} {operation[1]}",
        effect="open" if opens else "close",
        raw=row.raw(),
        line=row.line,
    )


def _own_currency(document: Document) -> str | None:
    """Return the account's currency: that of an exchange whose prices give the amounts."""
    for row in cells_of(document, *_COLUMNS):
        quote = _CURRENCIES.get(row.text("Symbol").rpartition(".")[2])
        operation = _TRADE.fullmatch(row.text("Comment"))
        if quote and operation and _is_worth(row, operation):
            return quote
    return None


def _is_worth(row: Cells, operation: re.Match[str]) -> bool:
    worth = row.number_in_text("Comment", operation[3]) * row.number_in_text(
        "Comment", operation[4]
    )
    return abs(worth - abs(row.number("Amount"))) <= _CENT


LAYOUTS: Final = (Layout("xtb-cash", "xtb", "XTB, cash operations", _COLUMNS, _recognises, _read),)
