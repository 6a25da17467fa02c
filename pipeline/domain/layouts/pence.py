"""Prices of London in pence."""

from decimal import Decimal
from typing import Final

_PENCE: Final = frozenset({"GBX", "GBp", "GBPX"})


def in_pounds(price: Decimal, currency: str) -> tuple[Decimal, str]:
    """Return a price and its currency, pence as pounds: amounts beside them are in pounds."""
    return (price / 100, "GBP") if currency in _PENCE else (price, currency)
