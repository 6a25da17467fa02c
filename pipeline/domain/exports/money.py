"""In which currency a cell of money is, as far as the cell or the name of its column says it."""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.market.taxonomy import CLASS_OF, CURRENCIES, DOLLAR_TOKENS

_SIGNS: Final = {
    "$": "$",
    "\u20ac": "EUR",
    "\u00a3": "GBP",
    "\u00a5": "\u00a5",
    "\u20b9": "INR",
    "\u20a9": "KRW",
    "\u20ba": "TRY",
    "\u20bd": "RUB",
}
_DOLLARS: Final = {
    "US$": "USD",
    "C$": "CAD",
    "CA$": "CAD",
    "A$": "AUD",
    "AU$": "AUD",
    "HK$": "HKD",
    "S$": "SGD",
    "NZ$": "NZD",
    "NT$": "TWD",
    "R$": "BRL",
    "MX$": "MXN",
}
_SEVERAL: Final = {
    "$": frozenset({"USD", "CAD", "AUD", "HKD", "SGD", "NZD", "TWD", "MXN"}) | DOLLAR_TOKENS,
    "\u00a5": frozenset({"JPY", "CNY", "CNH"}),
    "kr": frozenset({"SEK", "NOK", "DKK", "ISK"}),
    "USD": DOLLAR_TOKENS,
}
"""Currencies that one sign or word may mean."""

_CODES: Final = CURRENCIES | DOLLAR_TOKENS | {"CZK", "HUF", "RON", "RUB", "ILS", "ISK", "IDR"}
_MAGNITUDES: Final = frozenset({"k", "m", "b", "t", "bn", "mm", "mio", "mln", "mrd", "lakh", "cr"})
_BARE: Final = expression(r"[^A-Za-z$\u0080-\U0010ffff]*")
_BEFORE: Final = expression(r"([-+(\u2212]?)\s*([A-Z]{1,2}\$|[A-Z]{3,5})\s*([-+\u2212]?[0-9.].*)")
_BEHIND: Final = expression(
    r"(.*[0-9.)])(?!(?<=[0-9.])[eE][0-9]+\Z)\s*([A-Za-z][A-Za-z0-9]{0,11})\.?"
)
_IN_NAME: Final = re.compile(r"(?<![A-Za-z])([A-Z]{3,5}|[$\u20ac\u00a3\u00a5\u20b9])(?![A-Za-z])")


_COIN_IN_NAME: Final = re.compile(r"[(\[]\s*([A-Z]{3,5})\s*[)\]]")
"""A coin is one only in brackets: `BTC Price` is the price of it."""


class Amount(NamedTuple):
    """A cell taken apart.

    Args:
        number: its number as written, signs of currencies included.
        unit: a code, or one of `$`, `¥` and `kr`, that may be several; empty if it says none.
        is_scaled: its unit is a magnitude: `60k`.
    """

    number: str
    unit: str
    is_scaled: bool = False


@lru_cache(maxsize=4_096)  # fills of one order repeat their numbers
def amount_of(text: str) -> Amount:
    """Return a cell's number and its currency or unit: `€1.50`, `900 SEK`, `USD 5`, `0.1BNB`."""
    if _BARE.fullmatch(text):
        return Amount(text, "")
    if before := _BEFORE.fullmatch(text):
        sign, unit, number = before.groups()
        return Amount(f"{sign}{number}", _DOLLARS.get(unit, unit.rstrip("$") or "$"))
    for sign, unit in _SIGNS.items():
        if sign in text:
            return Amount(text, unit)
    if behind := _BEHIND.fullmatch(text):
        number, unit = behind.groups()
        if unit.lower() in _MAGNITUDES:
            return Amount(text, unit, is_scaled=True)
        return Amount(number, "kr" if unit.lower() == "kr" else unit)
    return Amount(text, "")


def currency_in_name(name: str) -> str:
    """Return the currency that the name of a column says: `Price (SEK)`; empty if it says none."""
    for word in _IN_NAME.findall(name):
        if word in _CODES:
            return str(word)
        if word in _SIGNS:
            return _SIGNS[word]
    coin = _COIN_IN_NAME.search(name)
    return coin[1] if coin and coin[1] in CLASS_OF else ""


def is_currency(unit: str) -> bool:
    """Tell a unit that is money and not a thing counted: a code, or a sign of currencies."""
    return unit in _CODES or unit in _SEVERAL


def is_priced_in(unit: str, currency: str) -> bool:
    """Tell whether a unit may mean a currency: `$` may be USDT, `SEK` may not."""
    return unit == currency or currency in _SEVERAL.get(unit, ())


def only_meaning(unit: str) -> str | None:
    """Return the currency that a unit means by itself; None if it may be several."""
    if unit == "$":
        return "USD"  # dollars of other countries are written with their letter
    return None if unit in _SEVERAL and unit != "USD" else unit
