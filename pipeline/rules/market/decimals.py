"""Prices as exact decimals: read strictly, written one way, divided in one precision."""

import re
from decimal import (
    ROUND_HALF_EVEN,
    Context,
    Decimal,
    DivisionByZero,
    InvalidOperation,
    Overflow,
)
from typing import Final

NUMBER: Final = r"[0-9]{1,20}+(?:\.[0-9]{1,20}+)?+(?:[eE][+-]?[0-9]{1,2}+)?+"
"""An unsigned number as text, exponent allowed: a real price is 1.3e-06. No NaN, no infinity.

Possessive (`+`): no shorter reading could fit where the longest does not, so none is tried."""

RATES: Final = Context(
    prec=28, rounding=ROUND_HALF_EVEN, traps=[InvalidOperation, DivisionByZero, Overflow]
)
"""Divides and takes roots: 28 digits, the same on every machine."""

_NUMBER: Final = re.compile(NUMBER, re.ASCII)


def read_price(text: object) -> Decimal | None:
    """Return the price a text says; None if it says none, or one that is not above 0."""
    number = read_amount(text)
    return number if number else None


def read_amount(text: object) -> Decimal | None:
    """Return the amount, 0 or more, a text says; None for anything else, a float included."""
    if not isinstance(text, str) or not _NUMBER.fullmatch(text):
        return None
    return Decimal(text)


def plain(number: Decimal) -> str:
    """Write a finite number one way, exactly: no exponent, no zeros behind, no negative zero."""
    if not number:
        return "0"
    text = str(number)
    if "E" in text:
        text = format(number, "f")
    if text[-1] == "0" and "." in text:
        text = text.rstrip("0").rstrip(".")
    return text
