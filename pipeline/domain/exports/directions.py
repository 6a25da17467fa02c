"""The direction of a closed trade whose file does not name it, by its prices and its profit."""

from decimal import Decimal
from typing import Final

from afterword.pipeline.rules.setup import Direction

_COST: Final = Decimal("0.01")
"""Share of what was put in up to which fees and funding may lie between prices and profit; most
venues take a tenth of it."""


def direction_by_profit(
    entry: Decimal | None, exit_: Decimal | None, size: Decimal, profit: Decimal | None
) -> Direction | None:
    """Return the direction whose profit by prices is that of the file; None if that is unclear.

    Args:
        size: units, positive.
        profit: before or after costs, in the currency of the prices.
    """
    if entry is None or exit_ is None or profit is None or entry == exit_:
        return None
    of_long = (exit_ - entry) * size
    room = _COST * max(entry, exit_) * size
    fits_long, fits_short = abs(profit - of_long) <= room, abs(profit + of_long) <= room
    if fits_long == fits_short:
        return None
    return "long" if fits_long else "short"
