"""What a market is by its name, where a file says nothing else about it."""

from typing import Final

from afterword.pipeline.domain.fills.model import MarketKind
from afterword.pipeline.domain.layouts.pairs import FIAT, RANK, split_pair

_DOLLAR: Final = "USD"


def kind_of(symbol: str) -> MarketKind:
    """Return the kind of a market: `BTCUSDT.P`, `ES1!`, `EURUSD`, `BTC/USDT`, `AAPL`."""
    if symbol.endswith(".P") or ":" in symbol:
        return "perp"
    if "!" in symbol:
        return "future"
    if symbol[:3] in FIAT and symbol[3:] in FIAT:
        return "forex"
    pair = split_pair(symbol)
    return "spot" if pair and pair[1] in RANK and len(pair[0]) >= 3 else "stock"


def quote_of(symbol: str) -> str:
    """Return the currency of a market's prices; dollars where its name has none."""
    if ":" in symbol:
        return symbol.rpartition(":")[2]
    pair = split_pair(symbol.removesuffix(".P"))
    return pair[1] if pair and kind_of(symbol) in ("spot", "perp", "forex") else _DOLLAR
