"""Exports of KuCoin: spot orders, with or without their executions."""

from collections.abc import Iterator
from typing import Final

from afterword.pipeline.domain.documents.cells import cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin
from afterword.pipeline.domain.layouts.pairs import split_pair, zone_in

_SPOT: Final = (
    "Order ID",
    "Symbol",
    "Side",
    "Avg. Filled Price",
    "Filled Amount",
    "Filled Volume",
    "Filled Time(*",
    "Fee",
    "Fee Currency",
)
_VARIANTS: Final = {"Avg. Filled Price": ("Filled Price", "Average Filled Price")}


def _spot(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield fills; `Amount` is the base here and `Volume` the quote, the zone is in the heading."""
    for row in cells_of(document, *_SPOT, variants=_VARIANTS):
        if not row.number_or_zero("Filled Amount"):
            yield LeftOut(row.line, "cancelled order")
            continue
        symbol, token = row.text("Symbol"), row.text("Fee Currency")
        pair = split_pair(symbol)
        if pair is None:
            raise row.refusal("Symbol", "a pair such as BTC-USDT")
        zone = zone_in(row.heading("Filled Time(*")) or origin.zone_or_refuse()
        yield Fill(
            venue="kucoin",
            account=origin.account,
            symbol=symbol,
            kind="spot",
            base=pair[0],
            quote=pair[1],
            side=row.side("Side", ("buy",), ("sell",)),
            px=row.positive("Avg. Filled Price"),
            sz=row.positive("Filled Amount"),
            time_ms=row.millis("Filled Time(*", zone, "%Y-%m-%d %H:%M:%S"),
            fee=row.number_or_zero("Fee"),
            fee_token=token or None,
            oid=row.text("Order ID") or None,
            raw=row.raw(),
            line=row.line,
        )


LAYOUTS: Final = (
    Layout(
        "kucoin-spot",
        "kucoin",
        "KuCoin spot, filled orders (also with order splitting)",
        tuple("Filled Time(UTC+02:00)" if name.endswith("*") else name for name in _SPOT),
        has_columns(*_SPOT, variants=_VARIANTS),
        _spot,
    ),
)
