"""Exports of Bybit: trades of the unified account, closed profit and loss."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from afterword.pipeline.domain.documents.cells import Cells, cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import ClosedTrade, Fill, Liquidation, MarketKind
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin
from afterword.pipeline.domain.layouts.pairs import STABLE, split_pair, zone_in
from afterword.pipeline.rules.setup import Direction

_TRADES: Final = (
    "Market",
    "Filled Type",
    "Filled Quantity",
    "Filled Price",
    "Trading Fee",
    "feeCoin",
    "Direction",
    "Trasaction ID",
    "Order No.",
    "Transaction Time(*",
)
_TRADES_VARIANTS: Final = {
    "Market": ("Contracts",),
    "Trasaction ID": ("Transaction ID",),  # the venue may mend its spelling
    "Transaction Time(*": ("Transaction Time",),
}
_CLOSED: Final = (
    "Contracts",
    "Closing Direction",
    "Qty",
    "Entry Price",
    "Exit Price",
    "Closed P&L",
    "Trade Time(*",
)
_CLOSED_VARIANTS: Final = {"Contracts": ("Market",), "Trade Time(*": ("Trade Time",)}
_TIMES: Final = ("%H:%M %Y-%m-%d", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M")

BYBIT_FORCED: Final = {"liquidation": "liquidation", "busttrade": "liquidation", "adltrade": "adl"}
_EXPIRY: Final = re.compile(r"(?:USDT)?-?[0-9]{1,2}[A-Z]{3}[0-9]{2}")
_OPTION: Final = re.compile(r"-[0-9.]+-[CP](?:-|$)")


def _trades(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield fills; `Direction` is the side of the order, not that of the position."""
    for row in cells_of(document, *_TRADES, variants=_TRADES_VARIANTS):
        sort = row.text("Filled Type").casefold().replace(" ", "")
        if sort not in ("trade", *BYBIT_FORCED):
            yield LeftOut(row.line, "funding" if sort == "funding" else "no execution")
            continue
        symbol = row.text("Market")
        base, quote, kind = market_of(symbol)
        if quote == "USD":
            yield LeftOut(row.line, "coin-margined contract")
            continue
        heading = row.heading("Transaction Time(*")
        zone = zone_in(heading) or origin.zone_or_refuse()
        forced = BYBIT_FORCED.get(sort)
        yield Fill(
            venue="bybit",
            account=origin.account,
            symbol=symbol,
            kind=kind,
            base=base,
            quote=quote,
            side=row.side("Direction", ("long", "buy"), ("short", "sell")),
            px=row.positive("Filled Price"),
            sz=row.positive("Filled Quantity"),
            time_ms=row.millis("Transaction Time(*", zone, *_TIMES),
            fee=row.number_or_zero("Trading Fee"),
            fee_token=row.text("feeCoin") or None,
            oid=row.text("Order No.") or None,
            tid=row.text("Trasaction ID") or None,
            liquidation=Liquidation(None, forced) if forced else None,
            raw=row.raw(),
            line=row.line,
        )


@lru_cache(maxsize=1024)
def market_of(symbol: str) -> tuple[str | None, str, MarketKind]:
    """Return base, quote and kind; `ETHPERP` is paid in USDC, `BTCUSD` in coins."""
    if _OPTION.search(symbol):
        return symbol.partition("-")[0], "USDT" if symbol.endswith("-USDT") else "USDC", "option"
    if symbol.endswith("PERP"):
        return symbol.removesuffix("PERP"), "USDC", "perp"
    if _EXPIRY.search(symbol):
        base = symbol.partition("-")[0]
        is_usdt = base.endswith("USDT")
        return base.removesuffix("USDT"), "USDT" if is_usdt else "USDC", "future"
    if re.fullmatch(r"[A-Z0-9]+USD(?:[FHJKMNQUVXZ][0-9]{2})?", symbol) and not symbol.endswith(
        STABLE
    ):
        return symbol.partition("USD")[0], "USD", "perp"
    pair = split_pair(symbol)
    return (*pair, "perp") if pair else (None, "USDT", "perp")


def _closed(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield closed positions; their profit is after fees, and when they opened is not said."""
    for row in cells_of(document, *_CLOSED, variants=_CLOSED_VARIANTS):
        symbol = row.text("Contracts")
        _, quote, kind = market_of(symbol)
        if quote == "USD":
            yield LeftOut(row.line, "coin-margined contract")
            continue
        zone = zone_in(row.heading("Trade Time(*")) or origin.zone_or_refuse()
        yield ClosedTrade(
            venue="bybit",
            account=origin.account,
            symbol=symbol,
            kind=kind,
            direction=_direction(row),
            size=row.positive("Qty"),
            quote=quote,
            entry_px=row.positive("Entry Price"),
            exit_px=row.positive("Exit Price"),
            closed_at=row.moment("Trade Time(*", zone, *_TIMES),
            net=row.number("Closed P&L"),
            net_is_after="fees",
            trade_id=row.text("Order No.") or None,
            raw=row.raw(),
            line=row.line,
        )


def _direction(row: Cells) -> Direction:
    """Return what the position was: it is the closing order that the column names."""
    closes = row.side("Closing Direction", ("close short", "buy"), ("close long", "sell"))
    return "short" if closes == "B" else "long"


LAYOUTS: Final = (
    Layout(
        "bybit-uta-trades",
        "bybit",
        "Bybit derivatives, Trade History of the unified account",
        (*_TRADES[:-1], "Transaction Time(UTC+0)"),
        has_columns(*_TRADES, variants=_TRADES_VARIANTS),
        _trades,
    ),
    Layout(
        "bybit-closed-pnl",
        "bybit",
        "Bybit derivatives, Closed P&L",
        (*_CLOSED[:-1], "Trade Time(UTC+0)"),
        has_columns(*_CLOSED, variants=_CLOSED_VARIANTS),
        _closed,
    ),
)
