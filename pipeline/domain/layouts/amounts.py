"""Prices and multipliers that follow from the amounts of a file."""

from collections.abc import Iterable
from decimal import Context, Decimal
from typing import Final, Literal

from afterword.pipeline.domain.layouts.pairs import ratio

_CENT: Final = Decimal("0.01")
_HALF_A_CENT: Final = _CENT / 2
_PLACES: Final = Decimal("1e-10")
_ONE: Final = Decimal(1)
_MANY: Final = Decimal(10) ** 9
_ROOM: Final = Context(prec=300)
_PENCE: Final = frozenset({"GBX", "GBp", "GBPX"})


def settled_price(paid: Decimal, units: Decimal, stated: Decimal) -> Decimal | None:
    """Return the price of a unit at which a trade costs what was paid for it.

    Brokers round the price they print; the amount is what moved. So sums add up to the cent.

    Args:
        paid: without fees; positive.
        units: quantity times multiplier.
        stated: price as printed; it is returned where it gives the amount exactly.

    Returns:
        None if the two differ by more than rounding: the row contradicts itself.
    """
    gap = abs(stated * units - paid)
    if not gap:
        return stated
    if units == 0 or gap > max(paid / 100, _CENT):
        return None
    return _price(paid, units)


def settled(
    amount: Decimal, side: Literal["B", "A"], units: Decimal, stated: Decimal
) -> tuple[Decimal, Decimal]:
    """Return price and fee of a trade whose fee is only what its amount is short of its worth.

    Args:
        amount: that moved, with its sign: negative for what was paid.
        units: quantity times multiplier.
    """
    worth = stated * units
    fee = (worth if side == "A" else -worth) - amount
    # A broker pays nothing for a trade: a fee below 0 is a price that was rounded.
    return (stated, fee) if fee >= 0 else (_price(abs(amount), units), Decimal(0))


def _price(paid: Decimal, units: Decimal) -> Decimal:
    """Return a price whose amount is right to the cent for any size that people trade."""
    price = ratio(paid, units)
    rounded = price.quantize(_PLACES, context=_ROOM)
    return price if price == rounded else rounded


def nearest_whole(amount: Decimal, one: Decimal) -> Decimal:
    """Return how many times an amount holds one, to the nearest whole number; 1 if it cannot be."""
    count = amount / one if one else _ONE
    return count.quantize(_ONE) if _ONE <= count < _MANY else _ONE


def whole_multiplier(trades: Iterable[tuple[Decimal, Decimal]]) -> Decimal:
    """Return how many units of price one of size is, where the profits of a market say it.

    Args:
        trades: profit before fees, and that of a multiplier of 1, of each trade of one market.

    Returns:
        A whole number that gives the profit of every trade to the cent, else 1: a file that does
        not state its contract size is not guessed at.
    """
    known = list(trades)
    profit, single = max(known, key=lambda pair: abs(pair[0]), default=(_ONE, _ONE))
    multiplier = nearest_whole(profit, single)
    fits = all(abs(profit - single * multiplier) <= _HALF_A_CENT for profit, single in known)
    return multiplier if fits and multiplier > 0 else _ONE


def in_pounds(price: Decimal, currency: str) -> tuple[Decimal, str]:
    """Return a price and its currency, pence as pounds: amounts beside them are in pounds."""
    return (price / 100, "GBP") if currency in _PENCE else (price, currency)
