"""Sentences about costs: what fees and funding took, in money and in proportion."""

from decimal import Decimal
from typing import Final

from afterword.pipeline.domain.trades.sums_model import CostSums
from afterword.pipeline.views.numbers import count, money, percent

_SMALLEST: Final = Decimal("0.0001")
"""A share below it is told as less than that; 0.01 %."""


def costs_words(costs: CostSums) -> str:
    """Return what trading in one currency cost."""
    if not costs.trips:
        return "no file says the fees"
    words = f"{_fees(costs)}{_funding(costs)}{_of_gross(costs)}"
    if costs.unknown:
        words += f". No file says the fees of {count(costs.unknown, 'other trip')}"
    return words


def _fees(costs: CostSums) -> str:
    paid = (
        [money(costs.fees, costs.quote, is_signed=False)]
        if costs.fees or not costs.other_fees
        else []
    )
    paid += [money(amount, token, is_signed=False) for token, amount in costs.other_fees]
    fees = f"fees took {' and '.join(paid)} of {count(costs.trips, 'trip')}"
    if costs.fees <= 0:
        return fees
    each = money(costs.fees / costs.trips, costs.quote, is_signed=False, is_named=False)
    share = (
        "" if not costs.put_in else f"{_share(costs.fees / costs.put_in)} of what was put in and "
    )
    return f"{fees}, {share}{each} a trip"


def _funding(costs: CostSums) -> str:
    if costs.funding is None:
        return ""
    moved = money(abs(costs.funding), costs.quote, is_signed=False)
    return f"; funding {'took' if costs.funding < 0 else 'brought'} {moved}"


def _of_gross(costs: CostSums) -> str:
    """Return what the costs are of the profit before them; without one, the result before them."""
    paid = costs.fees - (costs.funding or 0)
    if costs.gross <= 0 or paid <= 0:
        return f"; the result before costs is {money(costs.gross, costs.quote)}"
    return f"; together {_share(paid / costs.gross)} of the gross profit of {_gross(costs)}"


def _gross(costs: CostSums) -> str:
    return money(costs.gross, costs.quote, is_signed=False)


def _share(share: Decimal) -> str:
    if share < _SMALLEST:
        return "less than 0.01 %"
    return percent(float(share), 0 if share >= Decimal("0.1") else 2)
