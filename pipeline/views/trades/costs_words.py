"""Sentences about costs: what fees and funding took, in money and in proportion."""

from decimal import Decimal
from typing import Final

from afterword.pipeline.domain.trades.model import CostSums
from afterword.pipeline.views.numbers import count, money, percent

_SMALLEST: Final = Decimal("0.0001")
"""A share below it is told as less than that; 0.01 %."""


def costs_words(one: CostSums) -> str:
    """Return what trading in one currency cost."""
    if not one.trips:
        return "no file says the fees"
    said = f"{_fees(one)}{_funding(one)}{_of_gross(one)}"
    if one.unknown:
        said += f". No file says the fees of {count(one.unknown, 'other trip')}"
    return said


def _fees(one: CostSums) -> str:
    paid = [money(one.fees, one.quote, is_signed=False)] if one.fees or not one.other_fees else []
    paid += [money(amount, token, is_signed=False) for token, amount in one.other_fees]
    fees = f"fees took {' and '.join(paid)} of {count(one.trips, 'trip')}"
    if one.fees <= 0:
        return fees
    each = money(one.fees / one.trips, one.quote, is_signed=False, is_named=False)
    share = "" if not one.put_in else f"{_share(one.fees / one.put_in)} of what was put in and "
    return f"{fees}, {share}{each} a trip"


def _funding(one: CostSums) -> str:
    if one.funding is None:
        return ""
    moved = money(abs(one.funding), one.quote, is_signed=False)
    return f"; funding {'took' if one.funding < 0 else 'brought'} {moved}"


def _of_gross(one: CostSums) -> str:
    """Return what the costs are of the profit before them; without one, the result before them."""
    costs = one.fees - (one.funding or 0)
    if one.gross <= 0 or costs <= 0:
        return f"; the result before costs is {money(one.gross, one.quote)}"
    return f"; together {_share(costs / one.gross)} of the gross profit of {_gross(one)}"


def _gross(one: CostSums) -> str:
    return money(one.gross, one.quote, is_signed=False)


def _share(share: Decimal) -> str:
    if share < _SMALLEST:
        return "less than 0.01 %"
    return percent(float(share), 0 if share >= Decimal("0.1") else 2)
