"""The asset class and group of a market."""

import re
from functools import lru_cache
from typing import Final

from afterword.pipeline.rules.market.symbols import is_forex_pair, normalise_symbol
from afterword.pipeline.rules.market.taxonomy import CLASS_OF, GROUP_OF, AssetClass, AssetGroup

_OUTCOME_TOKEN: Final = re.compile(r"#[0-9]+")  # Hyperliquid HIP-4, priced 0..1


def asset_class(symbol: str) -> AssetClass:
    """Return the class of a market, given in any form; `unknown` rather than a guess."""
    key = normalise_symbol(symbol)
    if key in CLASS_OF:
        return CLASS_OF[key]
    if is_forex_pair(key):
        return "forex"
    return "crypto_other" if _OUTCOME_TOKEN.fullmatch(key) else "unknown"


@lru_cache(maxsize=1_024)  # measuring one decision asks for the same market four times
def asset_group(symbol: str) -> AssetGroup | None:
    """Return the group of a market, one of five; None if it is unknown."""
    return GROUP_OF.get(asset_class(symbol))
