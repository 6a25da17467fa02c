"""Sums of trips by quote, to the last digit."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from decimal import Decimal

from afterword.pipeline.domain.history.fill import EXACT
from afterword.pipeline.domain.history.model import is_dollar, to_micro_usd
from afterword.pipeline.domain.history.trip import Trip
from afterword.pipeline.domain.trades.model import QuoteSums

_ZERO = Decimal(0)


def sums_by_quote(trips: Iterable[Trip]) -> tuple[QuoteSums, ...]:
    """Return the sums of trips in each quote, by its name."""
    groups: dict[str, list[Trip]] = defaultdict(list)
    for trip in trips:
        groups[trip.quote].append(trip)
    return tuple(_sums(quote, groups[quote]) for quote in sorted(groups))


def net_micro_usd(trips: Iterable[Trip]) -> int | None:
    """Return the net result of the trips with a dollar quote; None without one."""
    nets = [trip.net for trip in trips if is_dollar(trip.quote)]
    return to_micro_usd(_total(nets)) if nets else None


def _sums(quote: str, trips: Sequence[Trip]) -> QuoteSums:
    others: dict[str, Decimal] = defaultdict(Decimal)
    for trip in trips:
        for token, amount in trip.other_fees:
            others[token] = EXACT.add(others[token], amount)
    return QuoteSums(
        quote=quote,
        trips=len(trips),
        winners=sum(trip.net > 0 for trip in trips),
        losers=sum(trip.net < 0 for trip in trips),
        gross=_total(trip.gross for trip in trips),
        fees=_total(trip.fees for trip in trips),
        fees_unknown=sum(trip.fees is None for trip in trips),
        other_fees=tuple(sorted(others.items())),
        funding=_total(trip.funding for trip in trips),
        net=_total(trip.net for trip in trips),
    )


def _total(amounts: Iterable[Decimal | None]) -> Decimal:
    total = _ZERO
    for amount in amounts:
        total = EXACT.add(total, amount or _ZERO)
    return total
