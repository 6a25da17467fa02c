"""Trades of the package backtesting.py, as `stats._trades.to_csv()` writes them."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from afterword.pipeline.domain.documents.cells import Cells, cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import ClosedTrade
from afterword.pipeline.domain.layouts.layout import Item, Layout, Origin
from afterword.pipeline.domain.layouts.markets import kind_of, quote_of

_COLUMNS: Final = (
    *("Size", "EntryBar", "ExitBar", "EntryPrice", "ExitPrice", "PnL", "ReturnPct"),
    *("EntryTime", "ExitTime"),
)


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield closed trades; the profit is after the commission, where that is a column."""
    symbol = origin.symbol_or_refuse(needs_zone=True)
    for row in cells_of(document, *_COLUMNS):
        size, net = row.number("Size"), row.number("PnL")
        fees = row.number("Commission") if row.text("Commission") else None
        yield ClosedTrade(
            venue="backtesting.py",
            account=origin.account,
            symbol=symbol,
            kind=kind_of(symbol),
            direction="long" if size > 0 else "short",
            size=row.size("Size"),
            quote=quote_of(symbol),
            opened_at=_moment(row, "EntryTime", origin),
            closed_at=_moment(row, "ExitTime", origin),
            entry_px=row.price("EntryPrice"),
            exit_px=row.price("ExitPrice"),
            gross=None if fees is None else net + fees,
            fees=fees,
            net=net,
            net_is_after="fees",
            label=row.text("Tag"),
            raw=row.raw(),
            line=row.line,
        )


def _moment(row: Cells, column: str, origin: Origin) -> datetime:
    if row.text(column).replace(".", "").isdigit():
        accepted = "a time: the data of the back-test needs a DatetimeIndex, these are bar numbers"
        raise row.refusal(column, accepted)
    return row.moment(column, origin.zone_or_refuse(), "iso")


LAYOUTS: Final = (
    Layout(
        "backtesting-py-trades",
        "backtesting.py",
        "backtesting.py, trades",
        _COLUMNS,
        has_columns(*_COLUMNS),
        _read,
    ),
)
