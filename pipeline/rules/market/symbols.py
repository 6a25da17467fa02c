"""One key for all written forms of a market.

A form is read by rules, in this order: a mark before it (`$`, `#`, `^`, `/`), a prefix with a colon
(a builder dex, a venue, or the pair of ccxt), the kind of contract (`-PERP`, `_UMCBL`, `-241227`),
then a word or a pair. What no rule reads stays as it is written.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.market.taxonomy import (
    BUILDER_KEYS,
    BUILDER_MARKETS,
    CFD_KEYS,
    CLASS_OF,
    CURRENCIES,
    DOLLAR_TOKENS,
    EXCHANGES,
    FUTURES,
    GROUP_OF,
    INDEX_KEYS,
    KRAKEN_KEYS,
    ONE_KEY,
    OTHER_FUTURES,
    PER_THOUSAND,
    QUOTED_IN_DOLLARS,
    SPOT_PAIRS,
    VENUES,
)

_COINS: Final = frozenset({"BTC", "ETH", "BNB", "SOL"})

_QUOTES: Final = CURRENCIES | DOLLAR_TOKENS | _COINS
"""The quotes that a pair may end with."""

_QUOTE_KEYS: Final = {"XBT": "BTC"}

_LONGEST: Final = 40  # HYPERLIQUID:FARTCOINUSDC.P has 26
_LONGEST_WORD: Final = 24  # addresses (32 and more) stay as they are

_USUAL_QUOTES: Final = ("USDT", "USDC")
_COIN_QUOTES: Final = ("TUSD", "DAI", "BNB", "XBT", *sorted(CURRENCIES - {"USD"}))
"""Quotes that only coins are closed up with: AAPLEUR is not written, BTCEUR is."""

_CLOSED_UP_QUOTES: Final = (*_USUAL_QUOTES, "USD", "FDUSD", "BUSD", "BTC", "ETH", *_COIN_QUOTES)
_DELIVERED_IN: Final = ("USD", *_USUAL_QUOTES)

_I: Final = re.ASCII | re.IGNORECASE
_PERP: Final = expression(
    r"(?:[-_]?(?:PERPETUAL|PERP|SWAP)(?:-INTX)?|\.P|_S?[UDC]MCBL|_SPBL)+\Z", _I
)
_KIND: Final = expression(
    r"\A(?:(?:PERP|SPOT)_(?=[A-Z0-9]+_)|(?:P[FIV]|F[FI])_(?=[A-Z0-9]{3,}USD))", _I
)
"""The kind of contract before the pair: `PERP_BTC_USDT`, `PF_XBTUSD`."""

_MONTHS: Final = "JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC"
_DAY: Final = (
    rf"(?:(?:20)?[0-9]{{2}}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"
    rf"|(?:0?[1-9]|[12][0-9]|3[01])(?:{_MONTHS})[0-9]{{2}})"
)
_EXPIRY: Final = expression(rf"[-_]{_DAY}\Z", _I)
"""The last day of a future: `-241227`, `_20241227`, `-27JUN25`."""

_DELIVERY: Final = expression(r"([A-Z0-9]*[A-Z])[FGHJKMNQUVXZ](?:(?:20)?[1-3][0-9]|[0-9])", _I)
"""A future closed up with the letter of its month and its year: `ESZ5`, `XBTM24`, `BTCUSDH25`."""

_SETTLED: Final = expression(rf"([A-Z0-9-]+/[A-Z0-9]+):([A-Z0-9]+)(?:-{_DAY})?", _I)
"""A contract as ccxt writes it: `BTC/USDT:USDT`, `BTC/USD:BTC-241227`."""

_BITFINEX: Final = expression(r"t([A-Z0-9]{2,10}?)(?:F0)?:?([A-Z]{3})(?:F0)?", re.ASCII)
_KRAKEN: Final = expression(r"(X[A-Z]{3})(?:Z([A-Z]{3})|X(ETH|XBT))")
_SHARE_CLASS: Final = expression(r"([A-Z]{2,4})([./ -])([A-D])", _I)
_US_STOCK: Final = expression(r"([A-Z]{1,5}(?:[./-][A-D])?)(?:\.US| US(?: Equity)?)", _I)
_BROKER: Final = expression(r"([A-Z0-9]{4,9})(?:\.[A-Za-z]{1,5}|[cmz+#])", re.ASCII)
"""A market with the mark of a broker's kind of account: `EURUSD.r`, `BTCUSDm`, `US30.cash`."""

_PHEMEX: Final = expression(r"s([A-Z0-9]{2,})(USDT|USDC)", re.ASCII)
"""A spot market of Phemex: `sBTCUSDT`; only Phemex closes up a small letter with a pair."""

_HUOBI: Final = expression(r"([A-Z0-9]{2,})(?:_|-(USDT)-)[CN][WQ]", _I)
"""A future of Huobi to this or the next week's or quarter's end: `BTC_CQ`, `BTC-USDT-NW`."""

_CONTINUOUS: Final = expression(r"([A-Z0-9]{1,4})(?:=F|[1-9]!)", _I)
_METAL_PAIRS: Final = ("XAUUSD", "XAGUSD")
_METALS: Final = ("XAU", "XAG", "XPT", "XPD")
_YAHOO_RATE: Final = expression(r"([A-Z]{3})?([A-Z]{3})=X", _I)
_THOUSANDS: Final = expression(r"(1000|10000|1000000|1M)([A-Z]{2,})")
_WORD: Final = expression(r"[A-Z0-9]+", _I)
_PAIR: Final = expression(r"([A-Z0-9]+)[/_-]([A-Z0-9]+)", _I)


@dataclass(frozen=True, slots=True)
class Symbol:
    """A market with the key under which everything about it is stored.

    Args:
        key: the asset (`BTC`, `TSLA`, `BRK.B`), the forex pair (`EURUSD`) or, for an unknown
            symbol, the written text. A future has the key of what it delivers. An option keeps its
            own text: who buys a put does not buy the coin.
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
        written: `BTC`, `$BTC`, `BTC-USD`, `BTC/USDT:USDT`, `BTCUSDT.P`, `XBTUSD`, `tBTCUSD`,
            `BINANCE:BTCUSDT`, `BTC-27JUN25`, `BRK.B`, `EUR/USD`, `EURUSD=X`, `kPEPE`, `xyz:TSLA`,
            `@107`, `#10`; letters in any case.

    Returns:
        The market. Its key, read again, gives the same key.
    """
    text = written.strip()
    if text in SPOT_PAIRS:
        return parse_symbol(SPOT_PAIRS[text])
    if len(text) > _LONGEST:
        return Symbol(text)
    return _read(text) or Symbol(text)


def normalise_symbol(written: str) -> str:
    """Return the key of a market: `EUR/USD` is `EURUSD`, `UBTC/USDC` is `BTC`."""
    return parse_symbol(written).key


@lru_cache(maxsize=1_024)
def is_listed_future(written: str) -> bool:
    """Return whether a symbol names a future of an exchange: `ESH6`, `/NQ`, `CME_MINI:ES1!`, `CL`.

    Some roots are tickers of shares too: CL is crude oil and Colgate. So this is a question to ask,
    not what the market is.
    """
    name = written.strip().upper().rpartition(":")[2].removeprefix("/").removeprefix("@")
    if name in FUTURES and not _is_coin(name):
        return True
    match = _CONTINUOUS.fullmatch(name) or _DELIVERY.fullmatch(name)
    return match is not None and (match[1] in FUTURES or match[1] in OTHER_FUTURES)


def is_forex_pair(key: str) -> bool:
    """Return whether a key is two different currencies, as in `EURUSD`."""
    return len(key) == 6 and _is_forex(key[:3], key[3:])


def _read(text: str) -> Symbol | None:
    mark, rest = text[:1], text[1:]
    if mark in ("$", "#") and (rest[:1].isalpha() or rest.upper() in CLASS_OF):
        return _read(rest)  # a cashtag; #10 is an outcome token, $10 an amount
    if mark == "^":
        return _keyed(INDEX_KEYS, rest)
    if mark == "/":
        return _keyed(FUTURES, rest) or _delivery(rest)
    return _small_letter(text) or (_prefixed(text) if ":" in text else _market(text))


def _small_letter(text: str) -> Symbol | None:
    """Read the forms of Bitfinex and Phemex with a small letter before a known coin."""
    bitfinex, phemex = _BITFINEX.fullmatch(text), _PHEMEX.fullmatch(text)
    if bitfinex:
        symbol = _pair(bitfinex[1], bitfinex[2].replace("UST", "USDT"))
        return symbol if symbol and symbol.key in CLASS_OF else None
    if phemex is None or phemex[1] in DOLLAR_TOKENS:  # sDAI and sUSDE are coins of their own
        return None
    symbol = _pair(phemex[1], phemex[2])
    return symbol if symbol and _is_coin(symbol.key) else None


def _prefixed(text: str) -> Symbol | None:
    settled = _SETTLED.fullmatch(text)
    if settled:
        return _settled(settled[1].upper(), settled[2].upper())
    prefix, _, name = text.partition(":")
    if prefix.lower() in BUILDER_MARKETS:
        return _builder_market(prefix.lower(), name.upper())
    if prefix.upper() in VENUES:
        symbol = None if ":" in name else _read(name)
        return symbol if symbol and _is_market(symbol) else None
    if prefix.upper() in EXCHANGES:
        return _on_exchange(prefix.upper(), name.upper())
    return None


def _settled(pair: str, settle: str) -> Symbol | None:
    """Read the pair of a contract that is settled in its quote or in its own asset."""
    base, quote = pair.split("/")
    if settle not in _QUOTES and settle != base:
        return None
    dex, _, name = base.partition("-")
    if not name:
        return _pair(base, quote)
    if dex.lower() not in BUILDER_MARKETS or quote not in _QUOTES:
        return None
    return replace(_builder_market(dex.lower(), name), quote=quote)


def _builder_market(dex: str, name: str) -> Symbol:
    market = f"{dex}:{name}"
    # A stock that was listed since is the stock; other symbols may mean something else on this dex.
    if name not in BUILDER_MARKETS[dex] and CLASS_OF.get(name) != "stock":
        return Symbol(market, dex=dex)
    return replace(_word(BUILDER_KEYS.get(market, name)), dex=dex)


def _on_exchange(exchange: str, name: str) -> Symbol | None:
    """Read a symbol of an exchange for stocks or futures: not a coin of that name."""
    symbol = _keyed(INDEX_KEYS, name) or _market(name)
    if symbol is None or _CONTINUOUS.fullmatch(name) or _DELIVERY.fullmatch(name):
        return symbol
    return Symbol(f"{exchange}:{name}") if _is_coin(symbol.key) else symbol


def _market(text: str) -> Symbol | None:
    text = _PERP.sub("", text) or text
    text = _KIND.sub("", text) or text
    if _WORD.fullmatch(text):
        return _word(text) if len(text) <= _LONGEST_WORD else None
    return _dated(text) or _until_quarter(text) or _traded_pair(text) or _listed(text)


def _dated(text: str) -> Symbol | None:
    """Read a future with its last day as what it delivers."""
    undated = _EXPIRY.sub("", text)
    symbol = _market(undated) if undated != text else None
    return symbol if symbol and _is_market(symbol) else None


def _until_quarter(text: str) -> Symbol | None:
    """Read a future of Huobi as the coin that it delivers."""
    match = _HUOBI.fullmatch(text)
    asset = _word(match[1]) if match else None
    if match is None or asset is None or not _is_coin(asset.key):
        return None
    return replace(asset, quote=match[2].upper()) if match[2] else asset


def _traded_pair(text: str) -> Symbol | None:
    pair = _PAIR.fullmatch(text)
    return _pair(pair[1], pair[2].upper()) if pair else None


def _listed(text: str) -> Symbol | None:
    """Read the forms of data vendors and brokers for stocks, rates and futures."""
    symbol = _share_class(text)
    if symbol:
        return symbol
    us_stock = _US_STOCK.fullmatch(text)
    if us_stock:
        symbol = _market(us_stock[1])
        return symbol if symbol and _is_us_stock(symbol.key) else None
    if broker := _broker_market(text):
        return broker
    rate = _YAHOO_RATE.fullmatch(text)
    if rate and _is_forex(base := (rate[1] or "USD").upper(), quote := rate[2].upper()):
        return Symbol(base + quote, quote=quote)
    continuous = _CONTINUOUS.fullmatch(text)
    return _keyed(FUTURES, continuous[1]) if continuous else None


def _share_class(text: str) -> Symbol | None:
    """Read a share of one class; no currency has one letter, so it is not a pair."""
    match = _SHARE_CLASS.fullmatch(text)
    if match is None:
        return None
    base, key = match[1].upper(), f"{match[1]}.{match[3]}".upper()
    is_stock = CLASS_OF.get(base, "stock") == "stock" and base not in CURRENCIES
    return Symbol(key) if is_stock and (match[2] != " " or key in CLASS_OF) else None


def _is_us_stock(key: str) -> bool:
    return CLASS_OF.get(key) in ("stock", "etf") or "." in key


def _is_market(symbol: Symbol) -> bool:
    """Return whether a market is known: by its asset, or by what it is priced in."""
    return symbol.quote is not None or symbol.key in CLASS_OF


def _pair(base: str, quote: str) -> Symbol | None:
    quote = _QUOTE_KEYS.get(quote, quote)
    if quote not in _QUOTES:
        return None
    if _is_forex(base.upper(), quote):
        return Symbol(base.upper() + quote, quote=quote)
    if quote in _COINS and base.upper() in CURRENCIES:  # Upbit writes the currency first: KRW-BTC
        return Symbol(quote, quote=base.upper())
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
    if upper in CFD_KEYS:
        return Symbol(CFD_KEYS[upper])
    if upper in CURRENCIES and upper != "USD":
        return Symbol(upper + "USD" if upper in QUOTED_IN_DOLLARS else "USD" + upper)
    return (
        _closed_up_pair(upper)
        or _kraken(upper)
        or _delivery(upper)
        or _by_thousands(upper)
        or _broker_market(text)
        or Symbol(upper)
    )


def _closed_up_pair(upper: str) -> Symbol | None:
    if is_forex_pair(upper):
        return Symbol(upper, quote=upper[3:])
    if not upper.endswith(_CLOSED_UP_QUOTES):  # most words of a text
        return None
    for quote in _CLOSED_UP_QUOTES:
        base = upper.removesuffix(quote)
        asset = _market(base) if base not in ("", upper) else None
        if asset and _is_base(base, asset.key, quote):
            return replace(asset, quote=_QUOTE_KEYS.get(quote, quote))
    return None


def _is_base(base: str, key: str, quote: str) -> bool:
    is_known = key in CLASS_OF
    if quote in _USUAL_QUOTES:
        return is_known or (len(base) > 1 and not base.isdigit())
    if quote in _COIN_QUOTES and base not in _METALS and not _is_coin(key):
        return False
    return is_known and len(base) > 1  # SUSD and SETH are coins, not pairs of S


def _is_coin(key: str) -> bool:
    return GROUP_OF.get(CLASS_OF.get(key, "unknown")) == "crypto"


def _kraken(upper: str) -> Symbol | None:
    """Read the names of Kraken with a letter before each part: `XXBT`, `XXBTZUSD`, `XETHXXBT`."""
    if upper in KRAKEN_KEYS:
        return Symbol(KRAKEN_KEYS[upper])
    match = _KRAKEN.fullmatch(upper)
    if match is None or match[1] not in KRAKEN_KEYS:
        return None
    return _pair(KRAKEN_KEYS[match[1]], match[2] or match[3])


def _delivery(text: str) -> Symbol | None:
    """Read a future with the month of its delivery, or the `M` KuCoin writes behind every pair."""
    match = _DELIVERY.fullmatch(text)
    if match and (listed := _keyed(FUTURES, match[1])):
        return listed
    pair = _closed_up_pair(match[1] if match else text[:-1]) if match or text[-1:] == "M" else None
    return pair if pair and pair.quote in _DELIVERED_IN else None


def _by_thousands(upper: str) -> Symbol | None:
    """Read a contract on many coins: `1000SATS`, `1MBABYDOGE`, `SHIB1000`."""
    if upper.endswith("1000") and CLASS_OF.get(upper[:-4]) == "meme_coin":
        return Symbol(upper[:-4], multiplier=1000)
    match = _THOUSANDS.fullmatch(upper)
    if match is None:
        return None
    asset = _word(match[2])
    is_coin = _is_coin(asset.key) or asset.key not in CLASS_OF
    if asset != Symbol(match[2]) or not is_coin or match[2] in _QUOTES:
        return None  # 1000USDT and 1000EUR are amounts
    return replace(asset, multiplier=int(match[1].replace("M", "000000")))


def _broker_market(text: str) -> Symbol | None:
    """Read a known pair, metal or index that a broker marked; a marked stock stays as it is."""
    match = _BROKER.fullmatch(text)
    name = match[1] if match else ""
    if name in CFD_KEYS or name in _METAL_PAIRS:
        return _word(name)
    pair = _closed_up_pair(name)
    return pair if pair and (pair.key in CLASS_OF or is_forex_pair(pair.key)) else None


def _keyed(table: Mapping[str, str], name: str) -> Symbol | None:
    key = table.get(name.upper())
    return _word(key) if key else None


def _is_forex(base: str, quote: str) -> bool:
    return base in CURRENCIES and quote in CURRENCIES and base != quote
