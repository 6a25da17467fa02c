"""Amounts of money and counts of tokens: whole numbers within bounds, or a named refusal."""

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from afterword.pipeline.errors import InvalidInputError

MOST_MICRO_USD = 10**12
"""A million US dollars: no cap, price or call of an honest installation is dearer."""

MOST_TOKENS = 2**31 - 1
"""More than any model reads in one request; a larger count is a broken reply."""


def micro_usd(usd: float | Decimal, field: str, *, up: bool = False) -> int:
    """Return dollars as whole micro-dollars.

    Args:
        usd: 0 to a million; USD.
        field: the setting or argument it came from, for the refusal.
        up: round up, as costs and prices do; otherwise down, as caps do.

    Raises:
        InvalidInputError: negative, infinite, no number, or beyond a million.
    """
    amount = Decimal(str(usd))
    if not amount.is_finite() or not 0 <= amount <= 1_000_000:
        raise InvalidInputError(field, f"{usd} is not an amount", "0 to 1000000 USD")
    rounding = ROUND_CEILING if up else ROUND_FLOOR
    return int(amount.scaleb(6).to_integral_value(rounding))


def checked_count(value: object, field: str, most: int) -> int:
    """Return the value if it is a whole number from 0 to `most`.

    Raises:
        InvalidInputError: another type (a bool or a float is no count), negative or too large.
    """
    if type(value) is not int or not 0 <= value <= most:
        raise InvalidInputError(field, f"{value!r:.40} is no count", f"a whole number, 0 to {most}")
    return value


def usd(amount_micro_usd: int) -> str:
    """Return an amount as people read it: `1.25` for 1250000 micro-dollars."""
    return f"{Decimal(amount_micro_usd).scaleb(-6).normalize():f}"
