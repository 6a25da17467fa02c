"""One payment of funding."""

from decimal import Decimal
from typing import NamedTuple


class FundingPayment(NamedTuple):
    """What an account paid or was paid for a position at one moment.

    Args:
        symbol: the venue's name of the market.
        time_ms: UTC milliseconds.
        amount: in the quote currency; negative was paid.
        position: units held then, signed where the venue gives a sign; None where it tells none.
        rate: of the position's value, by the venue; None where it tells none.
    """

    symbol: str
    time_ms: int
    amount: Decimal
    position: Decimal | None = None
    rate: Decimal | None = None
