"""Reports of MetaTrader 4 and 5, saved as HTML."""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Final, NamedTuple

from afterword.pipeline.domain.documents.cells import Cells, cells_under, mark_in
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.documents.markup import table_rows
from afterword.pipeline.domain.fills.model import ClosedTrade
from afterword.pipeline.domain.layouts.amounts import whole_multiplier
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin
from afterword.pipeline.domain.layouts.pairs import FIAT
from afterword.pipeline.domain.venues.metatrader_deals import DEAL_COLUMNS, TIMES, closed_by_deals
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.tabular.sheet import Row

_SIDES: Final = ("buy", "sell")
_CURRENCY_4: Final = re.compile(r"Currency: *([A-Z]{3,4})\b")
_CURRENCY_5: Final = re.compile(r"[0-9] *\(([A-Z]{3,4}),")
_ZERO: Final = Decimal(0)


class _Names(NamedTuple):
    """Columns of a closed position; of equal names the second is that of the exit."""

    id: str
    opened: str
    closed: str
    symbol: str
    size: str
    costs: tuple[str, ...]


_MT4: Final = _Names("Ticket", "Open Time", "Close Time", "Item", "Size", ("Commission", "Taxes"))
_MT5: Final = _Names("Position", "Time", "Time 2", "Symbol", "Volume", ("Commission",))


def _is_mt4(document: Document) -> bool:
    return document.form == "markup" and "Closed Transactions:" in document.content[:20_000]


def _is_mt5(document: Document) -> bool:
    return document.form == "markup" and "Trade History Report" in document.content[:20_000]


def _mt4(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield closed positions; those still open, balances and orders that did not fill are not."""
    header: Row | None = None
    section, quote, rows = "", "", []
    mark = mark_in(document, rows=table_rows(document.content, document.name))
    for row in table_rows(document.content, document.name):
        if currency := _CURRENCY_4.search(" ".join(row.cells)):
            quote = quote or currency[1]
        if len(row.cells) <= 2 and row.cells[0].endswith(":"):
            section = row.cells[0]
        elif row.cells[0] == "Ticket":
            header = row
        elif header is not None and row.cells[0].isdigit():
            kind = row.cells[2].lower() if len(row.cells) > 2 else ""
            if section != "Closed Transactions:":
                yield LeftOut(row.line, "open trade" if kind in _SIDES else "pending order")
            elif kind not in _SIDES:
                yield LeftOut(row.line, kind if kind in ("balance", "credit") else "unfilled order")
            else:
                rows.append(cells_under(document, header, row, mark))
    yield from _closed(rows, _MT4, quote, origin)


def _mt5(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield positions; the deals show the same trades again, and count where they stand alone.

    Raises:
        InvalidInputError: there are deals only, without the column that says what they do.
    """
    header: Row | None = None
    section, quote, rows = "", "", []
    mark = mark_in(document, rows=table_rows(document.content, document.name))
    deals: list[Cells] = []
    bare: list[Row] = []
    for row in table_rows(document.content, document.name):
        if currency := _CURRENCY_5.search(" ".join(row.cells)):
            quote = quote or currency[1]
        if len(row.cells) == 1:
            section, header = row.cells[0], None
        elif section == "Positions" and row.cells[:2] == ["Time", "Position"]:
            header = row
        elif section == "Positions" and header is not None and row.cells[1:2] != [""]:
            if len(row.cells) > 3 and row.cells[3].lower() in _SIDES:
                rows.append(cells_under(document, header, row, mark))
            else:
                yield LeftOut(row.line, "total")
        elif section == "Deals" and row.cells[:2] == ["Time", "Deal"]:
            header = row
        elif section == "Deals" and row.cells[0][:1].isdigit():
            bare.append(row)
            if header is not None and set(DEAL_COLUMNS) <= set(header.cells):
                deals.append(cells_under(document, header, row, mark))
        elif section in _MT5_REASONS and row.cells[0][:1].isdigit():
            yield LeftOut(row.line, _MT5_REASONS[section])
    if bare and not rows and not deals:
        problem = "has deals but no positions, and does not say which deals open and which close"
        accepted = "the report of the History tab with Positions shown"
        raise InvalidInputError(document.name, problem, accepted)
    if rows:
        yield from (LeftOut(row.line, "deal of a position") for row in bare)
        yield from _closed(rows, _MT5, quote, origin)
    else:
        yield from closed_by_deals(deals, quote, origin)


_MT5_REASONS: Final = {
    "Orders": "order",
    "Open Positions": "open trade",
    "Working Orders": "pending order",
}


def _closed(rows: Iterable[Cells], names: _Names, quote: str, origin: Origin) -> Iterator[Item]:
    """Yield closed trades: the profit is before costs, swap is what holding it brought.

    Sizes are lots. How many units a lot is follows from the profits of its market, if they all
    agree: a market that is not priced in the account's currency keeps 1.
    """
    known = [
        (row, row.text(names.symbol).upper() if names is _MT4 else row.text(names.symbol))
        for row in rows
    ]
    moves: dict[str, list[tuple[Decimal, Decimal]]] = {}
    for row, symbol in known:
        moves.setdefault(symbol, []).append((row.number("Profit"), _move(row, names)))
    lots = {symbol: whole_multiplier(found) for symbol, found in moves.items()}
    for row, symbol in known:
        gross, swap = row.number("Profit"), row.number_or_zero("Swap")
        fees = -sum((row.number_or_zero(name) for name in names.costs), _ZERO)
        yield ClosedTrade(
            venue="metatrader",
            account=origin.account,
            symbol=symbol,
            kind="forex" if symbol[:3] in FIAT and symbol[3:6] in FIAT else "cfd",
            direction="long" if row.side("Type", ("buy",), ("sell",)) == "B" else "short",
            size=row.positive(names.size),
            multiplier=lots[symbol],
            quote=quote or "USD",
            opened_at=row.moment(names.opened, origin.zone_or_refuse(), *TIMES),
            closed_at=row.moment(names.closed, origin.zone_or_refuse(), *TIMES),
            entry_px=row.price("Price"),
            exit_px=row.price("Price 2"),
            gross=gross,
            fees=fees,
            funding=swap,
            net=gross - fees + swap,
            net_is_after="fees",
            trade_id=row.text(names.id),
            raw=row.raw(),
            line=row.line,
        )


def _move(row: Cells, names: _Names) -> Decimal:
    """Return the profit of a position if a lot were one unit."""
    move = (row.price("Price 2") - row.price("Price")) * row.positive(names.size)
    return move if row.text("Type").lower() == "buy" else -move


LAYOUTS: Final = (
    Layout("metatrader4-statement", "metatrader", "MetaTrader 4, statement", (), _is_mt4, _mt4),
    Layout("metatrader5-history", "metatrader", "MetaTrader 5, history report", (), _is_mt5, _mt5),
)
