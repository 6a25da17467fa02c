"""Splits, which make raw prices of different days comparable."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Final, NamedTuple

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.rules.market.decimals import RATES, read_price
from afterword.pipeline.rules.market.taxonomy import AssetGroup

SIMPLE: Final = 100
"""Splits are ratios of whole numbers up to this; factor files round them."""

ROUNDED: Final = Fraction(1, 10_000)
"""The rounding error of a factor file's ratio (0.25 / 0.0357143 is 6.99999, and means 7)."""

LARGEST_JUMP: Final = Decimal("1.8")
"""The greatest ratio between two bars (and 1 / 1.8 the smallest) that is believed for a market that
may split."""

_ONE: Final = Decimal(1)


class Split(NamedTuple):
    """From a moment on, one old unit equals `ratio` new ones: 7 for 7:1, 1/8 for a reverse split.

    Args:
        effective_at: bars that open at or after it are in new units; aware UTC.
    """

    effective_at: datetime
    ratio: Fraction


def read_factor_rows(rows: Sequence[Sequence[str]], field: str) -> tuple[Split, ...]:
    """Return the splits of a factor file.

    Its factors look back from its end, so a single one would reveal later splits; only the quotient
    of neighbours is used. Dividends (the second column) do not change a price here.

    Args:
        rows: date (YYYYMMDD), price factor, split factor, reference price; ascending. A row applies
            up to the end of its date.
        field: name of the file in messages.

    Raises:
        InvalidInputError: a row has another form.

    Source: QuantConnect LEAN, "Factor Files" (Data/equity/usa/factor_files).
    """
    factors = [_factor(row, f"{field}: line {line}") for line, row in enumerate(rows, start=1)]
    if any(later[0] <= earlier[0] for earlier, later in pairwise(factors)):
        raise InvalidInputError(field, "has dates out of order", "one row a date, ascending")
    return tuple(
        Split(until + timedelta(days=1), _simple(Fraction(later) / Fraction(earlier)))
        for (until, earlier), (_, later) in pairwise(factors)
        if earlier != later
    )


def may_split(group: AssetGroup | None) -> bool:
    """Return whether units of a market may be split; coins and currencies never are."""
    return group not in ("crypto", "forex")


def units(splits: Iterable[Split], earlier: Bar, later: Bar) -> Fraction:
    """Return how many of the later bar's units equal one unit of the earlier bar."""
    ratio = Fraction(1)
    for split in splits:
        if earlier.t_open < split.effective_at <= later.t_open:
            ratio *= split.ratio
    return ratio


def change(splits: Sequence[Split], earlier: Bar, later: Bar) -> Decimal:
    """Return the relative move of a holding between two closes, adjusted for splits: 0.05 is 5 %
    up."""
    worth, paid = later.close, earlier.close
    if splits:  # most markets have no splits, and one judgement calls this some 170 times
        ratio = units(splits, earlier, later)
        worth = RATES.multiply(worth, Decimal(ratio.numerator))
        paid = RATES.multiply(paid, Decimal(ratio.denominator))
    return RATES.subtract(RATES.divide(worth, paid), _ONE)


def _factor(row: Sequence[str], place: str) -> tuple[datetime, Decimal]:
    accepted = "date, price factor, split factor, reference price: 20140606,0.9,0.0357143,645.57"
    factor = read_price(row[2]) if len(row) == 4 else None
    if factor is None:
        raise InvalidInputError(place, "has no split factor", accepted)
    try:
        return datetime.strptime(row[0], "%Y%m%d").replace(tzinfo=UTC), factor
    except ValueError:
        raise InvalidInputError(place, f"the date is {row[0]!a:.20}", accepted) from None


def _simple(ratio: Fraction) -> Fraction:
    """Return the ratio of small whole numbers before rounding, or the ratio unchanged."""
    if ratio < 1:
        return 1 / _simple(1 / ratio)
    near = ratio.limit_denominator(SIMPLE)
    return near if abs(near / ratio - 1) <= ROUNDED else ratio
