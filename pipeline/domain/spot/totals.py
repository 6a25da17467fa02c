"""What activities come to: how many have dollars, on which basis, and why the others have none."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal, localcontext

from afterword.pipeline.domain.fills.model import EXACT
from afterword.pipeline.domain.spot.model import StoredActivity, ValueBasis
from afterword.pipeline.domain.spot.value import WhyNoDollars, priced_as, why_no_dollars


@dataclass(slots=True)
class SpotTotals:
    """What activities come to; counts, and dollars.

    Args:
        swaps, transfers: what took effect, each leg once, however many own wallets share it.
        failed: what took no effect; in no other number.
        shared: legs that two own wallets have, beyond the first.
        with_dollars, usd: swaps with dollars and their sum, by basis.
        without_dollars: swaps without, by why.
        unpriced: known assets of which no price was stored, in how many swaps.
    """

    swaps: int = 0
    transfers: int = 0
    failed: int = 0
    shared: int = 0
    with_dollars: Counter[ValueBasis] = field(default_factory=Counter)
    usd: dict[ValueBasis, Decimal] = field(default_factory=dict)
    without_dollars: Counter[WhyNoDollars] = field(default_factory=Counter)
    unpriced: Counter[str] = field(default_factory=Counter)


def spot_totals(activities: Iterable[StoredActivity]) -> SpotTotals:
    """Add activities up."""
    totals = SpotTotals()
    holders: dict[tuple[object, ...], str] = {}
    with localcontext(EXACT):
        for stored in activities:
            activity = stored.activity
            leg = (activity.chain, activity.tx_hash, *activity.content)
            if activity.status == "failed":
                totals.failed += 1
            elif holders.setdefault(leg, activity.account) != activity.account:
                totals.shared += 1
            elif activity.type == "transfer":
                totals.transfers += 1
            else:
                _add_swap(totals, stored)
    return totals


def _add_swap(totals: SpotTotals, stored: StoredActivity) -> None:
    totals.swaps += 1
    if stored.value is not None:
        basis = stored.value.basis
        totals.with_dollars[basis] += 1
        totals.usd[basis] = totals.usd.get(basis, Decimal(0)) + stored.value.usd
        return
    why = why_no_dollars(stored.activity)
    totals.without_dollars[why] += 1
    if why == "no price known":
        names = [priced_as(token, stored.activity.chain) for token, _ in stored.activity.sides]
        totals.unpriced.update(name for name in dict.fromkeys(names) if name is not None)
