"""The currency that the name of a market says, where no column does."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from afterword.pipeline.rules.market.symbols import parse_symbol
from afterword.pipeline.rules.market.taxonomy import CLASS_OF, GROUP_OF

_PAIR: Final = re.compile(r"([A-Z0-9]+)([/_-])([A-Z]{3,6})")
_CLOSED_UP: Final = re.compile(r"([A-Z0-9]{3,}?)[A-Z]{3,4}")
_LISTED: Final = re.compile(r"[A-Z0-9]+\.[A-Z]{1,3}")
_ABROAD: Final = re.compile(
    r"[^\x00-\x7f]|\b(kurs|preis|koers|precio|prezzo|prix|cours|pris|cena)\b", re.IGNORECASE
)
_NO_CURRENCY: Final = frozenset({"CFD", "FUT", "FUTURE", "INDEX", "MARGIN", "OPT", "SPOT"})


@lru_cache(maxsize=1_024)
def currency_of(symbol: str) -> str | None:
    """Return the currency of a market's price: as its name says it, else USD.

    Returns:
        None where the name says that there is a currency, but not which: `BTCIDR`, `SAP.DE`;
        likewise for a number, as exchanges of Asia name shares: `7203`.
    """
    if symbol.isdigit():
        return None
    market = parse_symbol(symbol)
    if market.quote:
        return market.quote
    written = symbol.upper()
    if market.key.upper() != written:  # a name that is known: a future, a share, a perpetual
        return "USD"
    if pair := _PAIR.fullmatch(written):
        base, sign, quote = pair.groups()
        if quote in _NO_CURRENCY:
            return "USD"
        return quote if sign == "/" or _is_coin(base) else None
    ends = (len(written) - length for length in (3, 4))
    is_closed_up = _CLOSED_UP.fullmatch(written) and any(_is_coin(written[:end]) for end in ends)
    is_known = written in CLASS_OF
    return None if not is_known and (is_closed_up or _LISTED.fullmatch(written)) else "USD"


@lru_cache(maxsize=1_024)
def names_currency(symbol: str) -> bool:
    """Tell a market whose name says its currency; the others count as priced in USD."""
    if parse_symbol(symbol).quote:
        return True
    pair = _PAIR.fullmatch(symbol.upper())
    return pair is not None and currency_of(symbol) == pair[3] and pair[3] not in _NO_CURRENCY


def is_of_abroad(header: Iterable[str]) -> bool:
    """Tell a table in another language than English: its prices are hardly in USD."""
    return any(_ABROAD.search(name.replace("€", "")) for name in header)


def _is_coin(name: str) -> bool:
    return name in CLASS_OF and GROUP_OF.get(CLASS_OF[name]) == "crypto"
