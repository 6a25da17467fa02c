"""Whether the profits of a table of closed trades are before or after what trading cost."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final, NamedTuple

_CENT: Final = Decimal("0.01")
_FEWEST: Final = 3
"""Trades that must agree: two always do."""


class ClosedRow(NamedTuple):
    """A closed trade of a table.

    Args:
        move: of the price in favour of the position, times the quantity.
        size: quantity, positive.
        profit: as the file states it.
        fee: as the file states it, positive; None if it does not.
    """

    move: Decimal
    size: Decimal
    profit: Decimal
    fee: Decimal | None


def cost_in_profit(rows: Sequence[ClosedRow]) -> Decimal | None:
    """Return what each unit of these trades cost, where their profits are after costs.

    Two trades of other moves give the units of one contract; what is missing from the profit that
    the prices give must then be the same for every unit of every trade, to the cent.

    Returns:
        None where the profits are before costs, or the rows do not say.
    """
    if len(rows) < _FEWEST:
        return None
    low = min(rows, key=lambda row: row.move / row.size)
    high = max(rows, key=lambda row: row.move / row.size)
    apart = high.move / high.size - low.move / low.size
    if not apart:
        return None
    units = (high.profit / high.size - low.profit / low.size) / apart
    cost = units * low.move / low.size - low.profit / low.size
    if units <= 0 or cost <= _CENT:
        return None
    fits = all(
        abs(units * row.move - cost * row.size - row.profit) <= _CENT * max(row.size, Decimal(1))
        for row in rows
    )
    return cost if fits else None
