"""Check amounts of money and counts of tokens, as whole numbers within bounds."""

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from afterword.pipeline.errors import InvalidInputError

MOST_MICRO_USD = 10**12
"""A million US dollars: the limit of a cap, a price and a call."""

MOST_TOKENS = 2**31 - 1
"""More than any model reads in one request; a larger count means a broken reply."""


def micro_usd(usd: float | Decimal, field: str, *, up: bool = False) -> int:
    """Return dollars as whole micro-dollars.

    Args:
        usd: 0 to a million; USD.
        field: the setting or argument, for the error message.
        up: round up, for costs and prices; otherwise down, for caps.

    Raises:
        InvalidInputError: negative, infinite, not a number, or above a million.
    """
    amount = Decimal(str(usd))
    if not amount.is_finite() or not 0 <= amount <= 1_000_000:
        raise InvalidInputError(field, f"{usd} is not an amount", "0 to 1000000 USD")
    rounding = ROUND_CEILING if up else ROUND_FLOOR
    return int(amount.scaleb(6).to_integral_value(rounding))


def checked_count(value: object, field: str, most: int) -> int:
    """Return the value if it is a whole number from 0 to `most`.

    Raises:
        InvalidInputError: another type (also a bool or a float), negative or too large.
    """
    if type(value) is not int or not 0 <= value <= most:
        problem = f"{value!r:.40} is not a count"
        raise InvalidInputError(field, problem, f"a whole number, 0 to {most}")
    return value


def usd(amount_micro_usd: int) -> str:
    """Return an amount in US dollars for people: `1.25` for 1250000 micro-dollars."""
    return f"{Decimal(amount_micro_usd).scaleb(-6).normalize():f}"
