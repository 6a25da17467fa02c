"""What Hyperliquid calls the market of an asset."""

import re
from collections.abc import Iterator
from typing import Final

from afterword.pipeline.domain.prices.feed import asset_of
from afterword.pipeline.rules.market.classes import asset_class
from afterword.pipeline.rules.market.symbols import normalise_symbol
from afterword.pipeline.rules.market.taxonomy import BUILDER_MARKETS, PER_THOUSAND, SPOT_PAIRS

# An asset is whatever an agent wrote. Only what looks like a market leaves this machine.
_MARKET: Final = re.compile(r"(?:[a-z]{1,8}:)?[A-Za-z0-9]{1,20}|[@#][0-9]{1,6}", re.ASCII)


def market_of(asset: str) -> str | None:
    """Return the market of an asset; None for what cannot be one there.

    Coins trade under their own names, some by the thousand: `kPEPE`. What a builder lists trades
    under that name, of several builders the first: `xyz:TSLA`.

    Args:
        asset: in any written form: `SOLUSDT`, `pepe`, `EUR/USD`, `@107`.

    Source: Hyperliquid docs, "Asset IDs" and "Builder-deployed perpetuals".
    """
    key = asset_of(asset)
    name = _BY_THOUSAND.get(key) or _LISTED.get(key, key)
    return name if _MARKET.fullmatch(name) else None


def _listed() -> Iterator[tuple[str, str]]:
    """Yield assets and their markets, the preferred one of each last."""
    for index in SPOT_PAIRS:
        yield normalise_symbol(index), index
    for dex, names in reversed(BUILDER_MARKETS.items()):
        for name in sorted(names, reverse=True):
            yield normalise_symbol(f"{dex}:{name}"), f"{dex}:{name}"


_BY_THOUSAND: Final = {
    coin: f"k{coin}" for written, coin in PER_THOUSAND.items() if written.startswith("K")
}
# A coin of some weight has a market of its own; the others of it are thinner.
_LISTED: Final = {
    key: name for key, name in _listed() if asset_class(key) not in ("major_crypto", "layer_1")
}
