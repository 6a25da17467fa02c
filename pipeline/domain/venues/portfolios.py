"""Exports of portfolio programs, which show a trade as what was received and what was sent."""

import re
from collections.abc import Iterator
from datetime import UTC
from decimal import Decimal
from typing import Final

from afterword.pipeline.domain.documents.cells import Cells, cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin
from afterword.pipeline.domain.layouts.legs import Leg, exchange_of
from afterword.pipeline.domain.layouts.pairs import ratio

_PIONEX: Final = (
    "Date",
    "Received Quantity",
    "Received Currency",
    "Sent Quantity",
    "Sent Currency",
    "Fee Amount",
    "Fee Currency",
    "Tag",
)
_DELTA: Final = (
    "Date",
    "Way",
    "Base amount",
    "Base currency (name)",
    "Base type",
    "Quote amount",
    "Quote currency",
    "Exchange",
    "Fee amount",
    "Fee currency (name)",
)
_WITH_NAME: Final = re.compile(r"(\S+)\s+\(.*\)")
_ZERO: Final = Decimal(0)


def _pionex(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield the trades of two legs; month before day, a minute is all that the times say."""
    for row in cells_of(document, *_PIONEX):
        received, sent = (
            row.number_or_zero("Received Quantity"),
            row.number_or_zero("Sent Quantity"),
        )
        if not received or not sent:
            yield LeftOut(row.line, "deposit" if received else "withdrawal")
            continue
        legs = (
            Leg(row.line, row.text("Received Currency"), received, _ZERO, ""),
            Leg(row.line, row.text("Sent Currency"), -sent, _ZERO, ""),
            Leg(row.line, row.text("Fee Currency"), _ZERO, row.number_or_zero("Fee Amount"), ""),
        )
        exchange = exchange_of(legs)
        if exchange is None:
            raise row.refusal("Received Currency", "two coins, and amounts above 0")
        yield Fill(
            venue="pionex",
            account=origin.account,
            symbol=f"{exchange.base}_{exchange.quote}",
            kind="spot",
            **exchange._asdict(),
            time_ms=row.millis(
                "Date", origin.zone_or_refuse(), "%m/%d/%Y %H:%M", "%m/%d/%Y %H:%M:%S"
            ),
            raw=row.raw(),
            line=row.line,
        )


def _delta(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield purchases and sales of any venue; times bear their offset, names follow in brackets."""
    for row in cells_of(document, *_DELTA):
        way = row.text("Way").casefold()
        if way not in ("buy", "sell"):
            known = {"withdraw": "withdrawal", "deposit": "deposit", "dividend": "dividend"}
            yield LeftOut(
                row.line, known.get(way, "transfer" if way == "transfer" else "other row")
            )
            continue
        if not row.number_or_zero("Quote amount"):
            yield LeftOut(row.line, "trade without price")
            continue
        base, quote = _coin(row, "Base currency (name)"), _coin(row, "Quote currency")
        is_stock = row.text("Base type").casefold() in ("stock", "fund", "etf")
        sz = row.positive("Base amount")
        yield Fill(
            venue="delta",
            account=origin.account,
            symbol=base if is_stock else f"{base}/{quote}",
            kind="stock" if is_stock else "spot",
            base=base,
            quote=quote,
            side=row.side("Way", ("buy",), ("sell",)),
            px=ratio(row.positive("Quote amount"), sz),
            sz=sz,
            time_ms=row.millis("Date", UTC, "iso"),
            fee=row.number_or_zero("Fee amount"),
            fee_token=_coin(row, "Fee currency (name)") or None,
            raw=row.raw(),
            line=row.line,
        )


def _coin(row: Cells, column: str) -> str:
    """Return the sign of a coin, without the name behind it: `SOL (Solana)`."""
    text = row.text(column)
    coin = _WITH_NAME.fullmatch(text)
    return coin[1] if coin else text


LAYOUTS: Final = (
    Layout(
        "pionex-trades",
        "pionex",
        "Pionex, trading tax export (also that of CoinTracker)",
        _PIONEX,
        has_columns(*_PIONEX),
        _pionex,
    ),
    Layout("delta", "delta", "Delta app, transactions", _DELTA, has_columns(*_DELTA), _delta),
)
