"""Exports of Bitget: the history of futures orders."""

from collections.abc import Iterator
from typing import Final, Literal

from afterword.pipeline.domain.documents.cells import cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill, position_side_of
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin
from afterword.pipeline.domain.layouts.pairs import split_pair

_ORDERS: Final = (
    "Date",
    "Order ID",
    "Direction",
    "Coin",
    "Futures",
    "Average Price",
    "Executed",
    "Realized P/L",
    "NetProfits",
    "Status",
)
_DIRECTIONS: Final[dict[str, tuple[Literal["B", "A"], Literal["open", "close"] | None]]] = {
    "open long": ("B", "open"),
    "close long": ("A", "close"),
    "open short": ("A", "open"),
    "close short": ("B", "close"),
    "buy": ("B", None),
    "sell": ("A", None),
}


def _orders(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield the executed part of each order as one fill; its fee is what profit lost to net."""
    for row in cells_of(document, *_ORDERS):
        if not row.number_or_zero("Executed"):
            yield LeftOut(row.line, "cancelled order")
            continue
        direction = _DIRECTIONS.get(row.text("Direction").casefold())
        if direction is None:
            raise row.refusal("Direction", ", ".join(_DIRECTIONS))
        side, effect = direction
        symbol, coin = row.text("Futures"), row.text("Coin")
        pair = split_pair(symbol.partition("_")[0])
        if pair is not None and pair[0] == coin:
            yield LeftOut(row.line, "coin-margined contract")
            continue
        profit = row.number_or_zero("Realized P/L")
        yield Fill(
            venue="bitget",
            account=origin.account,
            symbol=symbol,
            kind="perp",
            base=None if pair is None else pair[0],
            quote=coin,
            side=side,
            px=row.positive("Average Price"),
            sz=row.positive("Executed"),
            time_ms=row.millis("Date", origin.zone_or_refuse(), "%Y-%m-%d %H:%M:%S"),
            fee=profit - row.number("NetProfits"),
            fee_token=coin,
            oid=row.text("Order ID") or None,
            effect=effect,
            position_side=position_side_of(side, effect) if effect else "",
            closed_pnl=profit,
            dir=row.text("Direction"),
            raw=row.raw(),
            line=row.line,
        )


LAYOUTS: Final = (
    Layout(
        "bitget-futures-orders",
        "bitget",
        "Bitget USDT futures, order history",
        _ORDERS,
        has_columns(*_ORDERS),
        _orders,
    ),
)
