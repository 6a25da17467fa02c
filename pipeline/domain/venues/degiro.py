"""Account statements of DEGIRO, in any language."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final, Literal, NamedTuple

from afterword.pipeline.domain.documents.cells import Cells, cells_under, mark_in
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.amounts import in_pounds
from afterword.pipeline.domain.layouts.dates import oldest_first
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin
from afterword.pipeline.rules.tabular.numbers import MARKS, read_number
from afterword.pipeline.rules.tabular.sheet import Row

_HEADER: Final = (
    *("Datum", "Tijd", "Valutadatum", "Product", "ISIN", "Omschrijving", "FX", "Mutatie", ""),
    *("Saldo", "", "Order Id"),
)
_WIDTH: Final = len(_HEADER)
_BUYS: Final = "Koop|Compra|Achat|Buy|Kauf|Acquisto|Kup|Køb|Köp"
_SELLS: Final = "Verkoop|Venta|Venda|Vente|Sell|Verkauf|Vendita"
_TRADE: Final = re.compile(
    rf"(?:({_BUYS})|(?:{_SELLS})) ([\d.,' \u00a0]*\d)(?: .*?)? ?@ ?"
    r"([\d.,]+) ([A-Za-z]{3})(?: \(.*\))?"
)
_PRICED: Final = re.compile(r"@ ?[\d.,]+ [A-Z]{3}")
_LONGEST: Final = 300


class _Columns(NamedTuple):
    """Places of the columns; their names are in the user's language, two have none."""

    day: int = 0
    time: int = 1
    isin: int = 4
    text: int = 5
    currency: int = 7
    amount: int = 8
    order: int = 11


_AT: Final = _Columns()


def _recognises(document: Document) -> bool:
    return document.form == "sheet" and any(_is_header(row) for row in document.head)


def _is_header(row: Row) -> bool:
    cells = row.cells
    return len(cells) == _WIDTH and [cells[4], cells[6], cells[8], cells[10]] == [
        "ISIN",
        "FX",
        "",
        "",
    ]


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield trades: of the rows with one order id, one is the trade and one may be its fee.

    Conversions of currency are legs of the same order and left out, as are changes of products,
    which describe a trade behind a word of their own.
    """
    return oldest_first(_statement(document, origin))


def _statement(document: Document, origin: Origin) -> Iterator[Item]:
    held: list[Cells] = []
    for row in _whole_rows(document):
        if held and (not _order(row) or _order(row) != _order(held[0])):
            yield from _order_items(held, origin)
            held = []
        held.append(row)
    yield from _order_items(held, origin)


def _whole_rows(document: Document) -> Iterator[Cells]:
    """Yield rows; an order id that was broken goes on alone in the next row."""
    header = next(row for row in document.head if _is_header(row))
    waiting: Row | None = None
    mark = mark_in(document)
    for row in document.rows():
        if row.line <= header.line:
            continue
        cells = row.cells + [""] * (_WIDTH - len(row.cells))
        if waiting and not any(cells[: _AT.order]):
            whole = [*waiting.cells[: _AT.order], waiting.cells[_AT.order] + cells[_AT.order]]
            waiting = Row(waiting.line, whole)
            continue
        if waiting:
            yield cells_under(document, header, waiting, mark)
        waiting = Row(row.line, cells)
    if waiting:
        yield cells_under(document, header, waiting, mark)


def _order(row: Cells) -> str:
    return row.cells[_AT.order]


def _order_items(rows: list[Cells], origin: Origin) -> Iterator[Item]:
    trades = [row for row in rows if _trade_in(row)]
    fees = [row for row in rows if row not in trades and "DEGIRO" in row.cells[_AT.text]]
    for row in trades:
        item = _fill(row, fees, origin)
        yield item
        if isinstance(item, Fill):
            fees_taken, fees = fees, []
            rows = [one for one in rows if one not in fees_taken]
    yield from (LeftOut(row.line, _reason(row)) for row in rows if row not in trades)


def _trade_in(row: Cells) -> re.Match[str] | None:
    # A longer cell is no description, and would be slow to search.
    return _TRADE.fullmatch(row.cells[_AT.text][:_LONGEST])


def _reason(row: Cells) -> str:
    described = row.cells[_AT.text][:_LONGEST]
    if row.cells[_AT.isin] and _PRICED.search(described):
        return "change of a product"
    return "leg of an order" if _order(row) else "cash movement"


def _fill(row: Cells, fees: list[Cells], origin: Origin) -> Item:
    description = _trade_in(row)
    assert description is not None  # the caller looked
    side: Literal["B", "A"] = "B" if description[1] else "A"
    read = _quantity_and_price(
        description[2], description[3], description[4], row.cells[_AT.amount]
    )
    if read is None:
        return LeftOut(row.line, "amount and price disagree")
    size, price, quote = read
    paid = [_amount(one) for one in fees]
    when = f"{row.cells[_AT.day]} {row.cells[_AT.time]}"
    return Fill(
        venue="degiro",
        account=origin.account,
        symbol=row.cells[_AT.isin],
        kind="stock",
        side=side,
        px=price,
        sz=size,
        quote=quote,
        time_ms=row.millis(
            row.header[_AT.time], origin.zone_or_refuse(), "%d-%m-%Y %H:%M", part=when
        ),
        fee=-sum(paid, Decimal(0)),
        fee_token=fees[0].cells[_AT.currency] if fees else None,
        oid=_order(row) or None,
        raw=row.raw(),
        line=row.line,
    )


def _amount(row: Cells) -> Decimal:
    readings = _readings(row.cells[_AT.amount])
    if len(readings) != 1:
        raise row.refusal(row.header[_AT.currency], "an amount such as -1,00")
    return readings.pop()


def _quantity_and_price(
    quantity: str, price: str, currency: str, amount: str
) -> tuple[Decimal, Decimal, str] | None:
    """Return what a description says; of two ways to read a number, that which gives the amount.

    Statements mix decimal commas and points: `1.000` may be one or a thousand.
    """
    for paid in _readings(amount):
        for size in _readings(quantity):
            for reading in _readings(price):
                pounds, quote = in_pounds(reading, currency)
                if size and abs(size * pounds - abs(paid)) <= max(abs(paid) / 200, Decimal("0.01")):
                    return size, pounds, quote
    return None


def _readings(text: str) -> list[Decimal]:
    numbers = {read_number(text, mark) for mark in MARKS}
    return sorted(number for number in numbers if number is not None)


LAYOUTS: Final = (
    Layout("degiro-account", "degiro", "DEGIRO, account statement", _HEADER, _recognises, _read),
)
