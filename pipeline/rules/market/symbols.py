"""One key for all written forms of a market."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from afterword.pipeline.rules.market.taxonomy import (
    BUILDER_KEYS,
    BUILDER_MARKETS,
    CLASS_OF,
    CURRENCIES,
    DOLLAR_TOKENS,
    ONE_KEY,
    PER_THOUSAND,
    QUOTED_IN_DOLLARS,
    SPOT_PAIRS,
)

_QUOTES: Final = CURRENCIES | DOLLAR_TOKENS | {"BTC", "ETH", "BNB", "SOL"}
"""The quotes that a pair may end with."""

_LONGEST: Final = 24  # NIKKEI225-USDC-PERP has 19; addresses (32 and more) stay as they are

_USUAL_QUOTES: Final = ("USDT", "USDC")
_CLOSED_UP_QUOTES: Final = (*_USUAL_QUOTES, "USD", "FDUSD", "BUSD", "BTC", "ETH")
_PERP: Final = re.compile(r"(?:[-_]?(?:PERP|SWAP)|\.P)+\Z", re.ASCII | re.IGNORECASE)
_WORD: Final = re.compile(r"[A-Z0-9]+", re.ASCII | re.IGNORECASE)
_PAIR: Final = re.compile(r"([A-Z0-9]+)[/_-]([A-Z0-9]+)", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Symbol:
    """A market with the key under which everything about it is stored.

    Args:
        key: the asset (`BTC`, `TSLA`), the forex pair (`EURUSD`) or, for an unknown symbol, the
            written text.
        multiplier: how many of the asset one unit is; 1000 for `kPEPE`. Divide its price by it
            before comparing venues.
        quote: the currency of the price, if written.
        dex: the Hyperliquid builder dex, if written.
    """

    key: str
    multiplier: int = 1
    quote: str | None = None
    dex: str | None = None


@lru_cache(maxsize=1_024)  # one decision names the same market several times
def parse_symbol(written: str) -> Symbol:
    """Read a market in any of its written forms; an unknown one stays as written.

    Args:
        written: `BTC`, `BTC-USD`, `BTC/USDT`, `BTCUSDT`, `BTC-PERP`, `EUR/USD`, `kPEPE`,
            `xyz:TSLA`, `@107`, `#10`; letters in any case.

    Returns:
        The market. Its key, read again, gives the same key.
    """
    text = written.strip()
    if text in SPOT_PAIRS:
        return parse_symbol(SPOT_PAIRS[text])
    if len(text) > _LONGEST:
        return Symbol(text)
    if ":" in text:
        return _builder_market(text)
    return _market(text) or Symbol(text)


def normalise_symbol(written: str) -> str:
    """Return the key of a market: `EUR/USD` is `EURUSD`, `UBTC/USDC` is `BTC`."""
    return parse_symbol(written).key


def is_forex_pair(key: str) -> bool:
    """Return whether a key is two different currencies, as in `EURUSD`."""
    return len(key) == 6 and _is_forex(key[:3], key[3:])


def _builder_market(text: str) -> Symbol:
    dex, _, name = text.partition(":")
    dex, name = dex.lower(), name.upper()
    if dex not in BUILDER_MARKETS:
        return Symbol(text)
    market = f"{dex}:{name}"
    # A stock that was listed since is the stock; other symbols may mean something else on this dex.
    if name not in BUILDER_MARKETS[dex] and CLASS_OF.get(name) != "stock":
        return Symbol(market, dex=dex)
    return replace(_word(BUILDER_KEYS.get(market, name)), dex=dex)


def _market(text: str) -> Symbol | None:
    text = _PERP.sub("", text) or text
    if _WORD.fullmatch(text):
        return _word(text)
    pair = _PAIR.fullmatch(text)
    return _pair(pair[1], pair[2].upper()) if pair else None


def _pair(base: str, quote: str) -> Symbol | None:
    if quote not in _QUOTES:
        return None
    if _is_forex(base.upper(), quote):
        return Symbol(base.upper() + quote, quote=quote)
    asset = _market(base)
    return replace(asset, quote=quote) if asset else None


def _word(text: str) -> Symbol:
    """Read a symbol without separator: an asset, a currency, a pair, or unknown."""
    if text in CLASS_OF:
        return Symbol(text)  # before upper-casing: crvUSD is a coin, CRVUSD the pair CRV/USD
    upper = text.upper()
    if upper in PER_THOUSAND:
        return Symbol(PER_THOUSAND[upper], multiplier=1000)
    if upper in ONE_KEY or upper in CLASS_OF:
        return Symbol(ONE_KEY.get(upper, upper))
    if upper in CURRENCIES and upper != "USD":
        return Symbol(upper + "USD" if upper in QUOTED_IN_DOLLARS else "USD" + upper)
    return _closed_up_pair(upper) or Symbol(upper)


def _closed_up_pair(upper: str) -> Symbol | None:
    if is_forex_pair(upper):
        return Symbol(upper, quote=upper[3:])
    for quote in _CLOSED_UP_QUOTES:
        base = upper.removesuffix(quote)
        asset = _market(base) if base not in ("", upper) else None
        if asset and _is_base(base, asset.key in CLASS_OF, quote):
            return replace(asset, quote=quote)
    return None


def _is_base(base: str, is_known: bool, quote: str) -> bool:
    if quote in _USUAL_QUOTES:
        return is_known or (len(base) > 1 and not base.isdigit())
    return is_known and len(base) > 1  # SUSD and SETH are coins, not pairs of S


def _is_forex(base: str, quote: str) -> bool:
    return base in CURRENCIES and quote in CURRENCIES and base != quote
