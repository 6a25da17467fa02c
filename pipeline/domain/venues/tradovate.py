"""Exports of Tradovate: pairs of a purchase and a sale."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from afterword.pipeline.domain.documents.cells import Cells, cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import ClosedTrade
from afterword.pipeline.domain.layouts.amounts import whole_multiplier
from afterword.pipeline.domain.layouts.layout import Item, Layout, Origin, account_names

_TIMES: Final = ("%m/%d/%Y %H:%M:%S",)
_HISTORY: Final = (
    *("Contract", "Pair ID", "Buy Fill ID", "Sell Fill ID", "Paired Qty", "Buy Price"),
    *("Sell Price", "P/L", "Bought Timestamp", "Sold Timestamp"),
)
_PERFORMANCE: Final = (
    *("symbol", "buyFillId", "sellFillId", "qty", "buyPrice", "sellPrice", "pnl"),
    *("boughtTimestamp", "soldTimestamp"),
)
_AS_HISTORY: Final = {
    "Contract": ("symbol",),
    "Buy Fill ID": ("buyFillId",),
    "Sell Fill ID": ("sellFillId",),
    "Paired Qty": ("qty",),
    "Buy Price": ("buyPrice",),
    "Sell Price": ("sellPrice",),
    "P/L": ("pnl",),
    "Bought Timestamp": ("boughtTimestamp",),
    "Sold Timestamp": ("soldTimestamp",),
}
_SHARED: Final = tuple(_AS_HISTORY)


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield pairs; what was sold first is a short. The profit is before fees, which are not told.

    How many dollars a point is follows from the profits of the contract.
    """
    moves: dict[str, set[tuple[Decimal, Decimal]]] = {}
    ids: set[str] = set()
    for row in _rows(document):
        points = (row.number("Sell Price") - row.number("Buy Price")) * row.positive("Paired Qty")
        moves.setdefault(row.text("Contract"), set()).add((row.number("P/L"), points))
        ids.add(row.text("Account"))
    sizes = {symbol: whole_multiplier(known) for symbol, known in moves.items()}
    name_of = account_names(ids, origin)
    for row in _rows(document):
        yield _trade(row, sizes[row.text("Contract")], name_of(row.text("Account")), origin)


def _rows(document: Document) -> Iterator[Cells]:
    return cells_of(document, *_SHARED, variants=_AS_HISTORY)


def _trade(row: Cells, multiplier: Decimal, account: str, origin: Origin) -> ClosedTrade:
    zone = origin.zone_or_refuse()
    bought = row.moment("Bought Timestamp", zone, *_TIMES)
    sold = row.moment("Sold Timestamp", zone, *_TIMES)
    buy, sell = row.text("Buy Fill ID"), row.text("Sell Fill ID")
    # Ids of fills rise: they order the two sides of one second.
    is_long = (bought, len(buy), buy) <= (sold, len(sell), sell)
    profit = row.number("P/L")
    prices = (row.number("Buy Price"), row.number("Sell Price"))
    return ClosedTrade(
        venue="tradovate",
        account=account,
        symbol=row.text("Contract"),
        kind="future",
        direction="long" if is_long else "short",
        size=row.positive("Paired Qty"),
        multiplier=multiplier,
        quote=row.text("Currency") or "USD",
        opened_at=min(bought, sold),
        closed_at=max(bought, sold),
        entry_px=prices[0 if is_long else 1],
        exit_px=prices[1 if is_long else 0],
        gross=profit,
        net=profit,
        net_is_after="nothing",
        trade_id=row.text("Pair ID") or f"{buy}-{sell}",
        raw=row.raw(),
        line=row.line,
    )


LAYOUTS: Final = (
    Layout(
        "tradovate-positions",
        "tradovate",
        "Tradovate, Position History",
        _HISTORY,
        has_columns(*_HISTORY),
        _read,
    ),
    Layout(
        "tradovate-performance",
        "tradovate",
        "Tradovate, Performance",
        _PERFORMANCE,
        has_columns(*_PERFORMANCE),
        _read,
    ),
)
