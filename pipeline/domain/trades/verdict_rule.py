"""Which level a look at trades is judged at, and whether it is judged anew: one place decides."""

from math import ceil
from typing import NamedTuple

from afterword.pipeline.domain.trades.model import TradeVerdict
from afterword.pipeline.rules.evidence.habits import (
    FEWEST_TRIPS,
    FILE_LEVEL,
    RENEWAL_GROWTH,
    RENEWAL_LEVEL,
    is_renewal_due,
)


class VerdictRule(NamedTuple):
    """How one look at trades is judged.

    Args:
        level: chance that a look at chance alone names anything.
        is_due: whether the trades are judged now; else the last verdict stands, if there is one.
        next_at: stretches at which a kept account is judged next; None for one look.
    """

    level: float
    is_due: bool
    next_at: int | None


def rule_for(is_kept: bool, stretches: int, last: TradeVerdict | None) -> VerdictRule:
    """Return how the trades of an account are judged.

    Args:
        is_kept: whether the account lies in a store that goes on, and is looked at again; a file
            that is read into a fresh store is looked at once.
        stretches: now; count.
    """
    if not is_kept:
        return VerdictRule(FILE_LEVEL, True, None)
    before = 0 if last is None else last.stretches
    is_due = is_renewal_due(stretches, before)
    counted = stretches if is_due else before
    return VerdictRule(RENEWAL_LEVEL, is_due, max(2 * FEWEST_TRIPS, ceil(RENEWAL_GROWTH * counted)))
