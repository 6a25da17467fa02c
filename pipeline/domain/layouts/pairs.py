"""Markets of coins: the two coins of a pair, and the pair of two coins."""

import re
from collections.abc import Sequence
from datetime import tzinfo
from decimal import Context, Decimal
from functools import lru_cache
from typing import Final

from afterword.pipeline.rules.tabular.moments import read_zone

FIAT: Final = ("USD", "EUR", "GBP", "CHF", "JPY", "CAD", "AUD", "TRY", "BRL", "KRW", "PLN", "SGD")
STABLE: Final = ("USDT", "USDC", "FDUSD", "BUSD", "TUSD", "USDP", "USD1", "DAI")
QUOTE_COINS: Final = ("BTC", "XBT", "ETH", "BNB")

RANK: Final = (*FIAT, *STABLE, *QUOTE_COINS)
"""Coins that others are priced in, the first of two in a trade is its quote."""

_SEPARATOR: Final = re.compile(r"[-_/]")
_LONGEST_FIRST: Final = tuple(sorted((*RANK, "ARS", "MXN", "ZAR", "IDR"), key=len, reverse=True))
_ZONE: Final = re.compile(
    r"\(?\b((?:UTC|GMT)(?:(?:\+|--?)[0-9]{1,2}(?::?[0-9]{2})?)?)(?:\)|$)", re.IGNORECASE
)
_DIGITS: Final = Context(prec=28)
_ROOM: Final = Context(prec=300)  # for a quotient of any two numbers that a cell may hold
_ONE: Final = Decimal(1)
_PLACES: Final = Decimal("1e-20")


@lru_cache(maxsize=4096)
def split_pair(symbol: str) -> tuple[str, str] | None:
    """Return base and quote of a pair such as `BTC-USDT`, `KAS_USDT`, `BTCUSDT`; None if unknown.

    A pair without a separator is cut before the longest known quote at its end.
    """
    parts = _SEPARATOR.split(symbol)
    if len(parts) >= 2:
        return (parts[0], parts[1]) if parts[0] and parts[1] else None
    for quote in _LONGEST_FIRST:
        if symbol.endswith(quote) and len(symbol) > len(quote):
            return symbol[: -len(quote)], quote
    return None


def is_quote(coin: str, other: str, rank: Sequence[str] = RANK) -> bool:
    """Tell whether a coin is the quote of the pair it makes with another; neither known: no."""
    mine = rank.index(coin) if coin in rank else len(rank)
    return mine < (rank.index(other) if other in rank else len(rank))


def ratio(amount: Decimal, units: Decimal) -> Decimal:
    """Return the price that an amount for some units means, to 20 decimal places at most."""
    quotient = _DIGITS.divide(amount, units)
    exponent = quotient.as_tuple().exponent
    if isinstance(exponent, int) and exponent > 0:
        return quotient.quantize(_ONE, context=_ROOM)
    if isinstance(exponent, int) and exponent < -20:
        return quotient.quantize(_PLACES, context=_ROOM)
    return quotient


@lru_cache(maxsize=256)
def zone_in(text: str) -> tzinfo | None:
    """Return the zone that a file name or a heading ends with: `Time(UTC+02:00)`; None if none."""
    match = _ZONE.search(text)
    return None if match is None else read_zone(match[1].upper())
