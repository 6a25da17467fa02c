"""Prices as exact decimals: read strictly, written in one form, divided with one precision."""

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

from afterword.pipeline.expression import expression

NUMBER: Final = r"[0-9]{1,20}+(?:\.[0-9]{1,20}+)?+(?:[eE][+-]?[0-9]{1,2}+)?+"
"""An unsigned number as text, with an optional exponent, such as 1.3e-06; no NaN, no infinity.

Possessive (`+`): where the longest match fails, no shorter one could succeed.
"""

RATES: Final = Context(
    prec=28, rounding=ROUND_HALF_EVEN, traps=[InvalidOperation, DivisionByZero, Overflow]
)
"""Division and roots with 28 digits, equal on every machine."""

_NUMBER: Final = expression(NUMBER, re.ASCII)


def read_price(text: object) -> Decimal | None:
    """Return the price in a text; None if it is not a number above 0."""
    number = read_amount(text)
    return number if number else None


def read_amount(text: object) -> Decimal | None:
    """Return the amount in a text, 0 or more; None for anything else, also a float."""
    if not isinstance(text, str) or not _NUMBER.fullmatch(text):
        return None
    return Decimal(text)


def plain(number: Decimal) -> str:
    """Return a finite number in its one exact form: no exponent, no trailing zeros, no negative
    zero."""
    if not number:
        return "0"
    text = str(number)
    if "E" in text:
        text = format(number, "f")
    if text[-1] == "0" and "." in text:
        text = text.rstrip("0").rstrip(".")
    return text
