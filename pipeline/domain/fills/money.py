"""What a quote currency is worth, and amounts as their columns hold them."""

from decimal import Decimal
from typing import Final

from afterword.pipeline.domain.fills.model import EXACT
from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.rules.market.taxonomy import CURRENCIES, DOLLAR_TOKENS

_DOLLARS: Final = DOLLAR_TOKENS | {"USD"}


def is_dollar(quote: str) -> bool:
    """Tell a quote currency that is a dollar or a token worth one."""
    return quote in _DOLLARS


def is_money(quote: str) -> bool:
    """Tell a quote currency whose smallest amount is about a cent: money, or a dollar token."""
    return is_dollar(quote) or quote in CURRENCIES


def to_micro_usd(amount: Decimal) -> int:
    """Convert an exact dollar amount for a column: nearest micro-USD, a tie to the even one.

    Ties to even lean neither way, so sums over many trips do not drift.
    """
    return round(EXACT.scaleb(amount, 6))


def exact_usd(micro_usd: int) -> str:
    """Return micro-USD as exact text in dollars, for programs: `-0.25`."""
    return plain(Decimal(micro_usd).scaleb(-6))
