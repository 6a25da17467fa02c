"""Lists of trades of TradingView's strategy tester."""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from afterword.pipeline.domain.documents.cells import Cells, cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import ClosedTrade
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin
from afterword.pipeline.domain.layouts.markets import kind_of

_TIMES: Final = ("%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d")
_NAMED: Final = re.compile(r"_([A-Z0-9]{2,12})_([A-Z0-9.!]{2,20})(?:[_,] ?|\.csv)")
_COLUMNS: Final = ("Trade #", "Type", "Signal", "Date*", "Price *", "Size*", "Net P&L *")
_SHOWN: Final = (
    *("Trade #", "Type", "Date and time", "Signal", "Price USDT", "Size (qty)"),
    *("Net P&L USD", "Net P&L %"),
)
_VARIANTS: Final = {
    "Date*": ("Date/Time", "Date and time"),
    "Size*": ("Size (qty)", "Position size (qty)", "Contracts", "Quantity"),
    "Net P&L *": ("Profit *", "P&L *"),
}


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield closed trades, each out of its two rows; the profit is net, the fee is not in the file.

    The times are those of the chart, in the zone it was set to. Their market is in the name of the
    file, if that was not changed. The number of a trade is not an id: another run has the same.
    """
    named = _NAMED.search(document.name)
    in_name = named[2] if named else None
    symbol = origin.symbol or in_name or origin.symbol_or_refuse(needs_zone=True)
    rows = cells_of(document, *_COLUMNS, variants=_VARIANTS)
    for _, trade_rows in groupby(rows, key=lambda row: row.text("Trade #")):
        pair = list(trade_rows)
        entry = next((row for row in pair if row.text("Type").startswith("Entry")), None)
        out = next((row for row in pair if row.text("Type").startswith("Exit")), None)
        if entry is None and out is None:
            yield LeftOut(pair[0].line, "row that is not a trade")
        elif entry is None or out is None or out.text("Signal") == "Open":
            yield from (LeftOut(row.line, "open trade") for row in pair)
        else:
            yield _trade(entry, out, symbol, origin)


def _trade(entry: Cells, out: Cells, symbol: str, origin: Origin) -> ClosedTrade:
    quote = out.heading("Net P&L *").rpartition(" ")[2]
    zone = origin.zone_or_refuse()
    return ClosedTrade(
        venue="tradingview",
        account=origin.account,
        symbol=symbol,
        kind=kind_of(symbol),
        direction="long"
        if entry.side("Type", ("entry long",), ("entry short",)) == "B"
        else "short",
        size=out.size("Size*"),
        quote=quote,
        opened_at=entry.moment("Date*", zone, *_TIMES),
        closed_at=out.moment("Date*", zone, *_TIMES),
        entry_px=entry.price("Price *"),
        exit_px=out.price("Price *"),
        net=out.number("Net P&L *"),
        net_is_after="fees",
        label=entry.text("Signal"),
        raw=out.raw(),
        line=out.line,
    )


LAYOUTS: Final = (
    Layout(
        "tradingview-trades",
        "tradingview",
        "TradingView, List of trades",
        _SHOWN,
        has_columns(*_COLUMNS, variants=_VARIANTS),
        _read,
    ),
)
