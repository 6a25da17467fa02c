"""Units of a share across a split: what is held changes with it, what was paid for it does not."""

from collections.abc import Iterable
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import Final

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.fills.model import EXACT, Fill
from afterword.pipeline.rules.market.splits import Split

NO_CHANGE: Final = Fraction(1)
"""Ratio of units that are the same before and after."""

_FINE: Final = Decimal("1E-12")
"""Where a split leaves thirds of a unit, units are kept to this."""

_ROUNDING: Final = Context(prec=EXACT.prec, rounding=ROUND_HALF_EVEN)


def in_units(units: Decimal, ratio: Fraction) -> Decimal:
    """Return an amount of old units in new ones, exact where the ratio is whole.

    Args:
        ratio: new units for one old one.
    """
    if ratio == NO_CHANGE:
        return units
    product = EXACT.multiply(units, Decimal(ratio.numerator))
    if ratio.denominator == 1:
        return product
    return _ROUNDING.quantize(_ROUNDING.divide(product, Decimal(ratio.denominator)), _FINE)


def ratio_between(splits: Iterable[Split], earlier: Fill, later: Fill | None = None) -> Fraction:
    """Return how many units one unit that was held at a fill became up to another one.

    A fill at the very moment of a split is in new units.

    Args:
        later: None counts every split after `earlier`.
    """
    ratio = NO_CHANGE
    for split in splits:
        at = to_micros(split.effective_at)
        if 1000 * earlier.time_ms < at and (later is None or at <= 1000 * later.time_ms):
            ratio *= split.ratio
    return ratio
