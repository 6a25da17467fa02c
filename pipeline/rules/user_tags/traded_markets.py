"""Which of the six markets of a tag a symbol is traded in."""

from collections.abc import Iterable
from typing import Final

from afterword.pipeline.rules.market.classes import NOTHING_STATED, StatedClasses
from afterword.pipeline.rules.market.symbols import normalise_symbol
from afterword.pipeline.rules.market.taxonomy import AssetClass

_MARKET_OF: Final[dict[AssetClass, str]] = {
    "layer_1": "crypto_alts",
    "layer_2": "crypto_alts",
    "defi_blue_chip": "crypto_alts",
    "crypto_other": "crypto_alts",
    "major_crypto": "crypto_majors",
    "meme_coin": "memes",
    "stock": "stocks",
    "etf": "stocks",
    "index": "stocks",
    "pre_ipo": "pre_ipo",
    "commodity": "commodities",
}
"""Currencies, stablecoins and what nobody knows are in no market: R3 has none for them."""

_OF_COMMODITIES: Final = frozenset({"GLD", "SLV", "USO"})
"""ETFs that hold metal or oil, and move with it."""

_NOT_A_STOCK: Final = frozenset({"VIX"})
"""An index of volatility, which is no market of stocks."""


def traded_market(symbol: str, classes: StatedClasses = NOTHING_STATED) -> str | None:
    """Return the market of a symbol in any written form; None where R3 has none, or it is unknown.

    Args:
        classes: what somebody states of markets; it counts before what the program knows.
    """
    key = normalise_symbol(symbol)
    if key in _NOT_A_STOCK:
        return None
    if key in _OF_COMMODITIES and classes.of(symbol) == "etf":
        return "commodities"
    return _MARKET_OF.get(classes.of(symbol))


def traded_markets(
    symbols: Iterable[str], classes: StatedClasses = NOTHING_STATED
) -> frozenset[str]:
    """Return the markets of symbols, as far as they are known."""
    markets = (traded_market(symbol, classes) for symbol in symbols)
    return frozenset(market for market in markets if market is not None)
