"""A trade that a statement shows as legs: what was given, what was received, what it cost."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Literal, NamedTuple

from afterword.pipeline.domain.layouts.pairs import RANK, is_quote, ratio

BROKEN = "legs of no clear trade"
"""Reason for leaving out legs that do not make one exchange of two coins."""

LEG = "leg of a trade"
"""Reason for leaving out the further rows of a trade that was read with its first."""

_ZERO = Decimal(0)


class Leg(NamedTuple):
    """One row of a statement.

    Args:
        amount: signed: received is positive.
        fee: taken beside the amount, in the coin of the leg; negative is a rebate.
        raw: the row as JSON text.
    """

    line: int
    coin: str
    amount: Decimal
    fee: Decimal
    raw: str


class Exchange(NamedTuple):
    """Two coins that changed hands, as a trade of one in the other.

    Args:
        sz: of the base; `px` is what one of it came to in the quote.
        fee_token: None if it cost nothing.
    """

    base: str
    quote: str
    side: Literal["B", "A"]
    sz: Decimal
    px: Decimal
    fee: Decimal
    fee_token: str | None


def exchange_of(legs: Iterable[Leg], rank: Sequence[str] = RANK) -> Exchange | None:
    """Return the trade that legs make; None unless one coin was given for one other.

    The legs of several executions of one moment are one trade at their average price.
    """
    amounts: dict[str, Decimal] = {}
    fees: dict[str, Decimal] = {}
    for leg in legs:
        if leg.amount:
            known = amounts.get(leg.coin, _ZERO)
            if known * leg.amount < 0:
                return None  # bought and sold at once: not to be netted
            amounts[leg.coin] = known + leg.amount
        if leg.fee:
            fees[leg.coin] = fees.get(leg.coin, _ZERO) + leg.fee
    fees = {coin: fee for coin, fee in fees.items() if fee}
    if len(amounts) != 2 or len(fees) > 1:
        return None
    (one, mine), (other, theirs) = amounts.items()
    if mine * theirs > 0:
        return None
    token, fee = next(iter(fees.items()), (None, _ZERO))
    # The second coin known as a quote, or else the one that was given, is the quote.
    flip = is_quote(one, other, rank) or (not is_quote(other, one, rank) and mine < 0)
    if flip:
        one, mine, other, theirs = other, theirs, one, mine
    side: Literal["B", "A"] = "B" if mine > 0 else "A"
    return Exchange(one, other, side, abs(mine), ratio(abs(theirs), abs(mine)), fee, token)


def netted(legs: Iterable[Leg]) -> list[Leg]:
    """Return one leg for each coin: of an order, what was given back is not traded."""
    by_coin: dict[str, Leg] = {}
    for leg in legs:
        known = by_coin.get(leg.coin)
        if known is not None:
            leg = known._replace(amount=known.amount + leg.amount, fee=known.fee + leg.fee)
        by_coin[leg.coin] = leg
    return list(by_coin.values())


def raw_of(legs: Iterable[Leg]) -> str:
    """Return the rows of a trade as JSON text."""
    return '{"legs":[%s]}' % ",".join(leg.raw for leg in legs)  # noqa: UP031 - braces
