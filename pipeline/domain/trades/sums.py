"""Sums of trips by quote, to the last digit."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Sized
from decimal import Decimal

from afterword.pipeline.domain.history.fill import EXACT
from afterword.pipeline.domain.history.model import is_dollar, to_micro_usd
from afterword.pipeline.domain.history.trip import Trip
from afterword.pipeline.domain.trades.model import QuoteSums

_ZERO = Decimal(0)


def sums_by_quote(trips: Iterable[Trip]) -> tuple[QuoteSums, ...]:
    """Return the sums of trips in each quote, the one with the most trips first."""
    groups: dict[str, list[Trip]] = defaultdict(list)
    for trip in trips:
        groups[trip.quote].append(trip)
    return tuple(_sums(quote, groups[quote]) for quote in by_count(groups))


def by_count(groups: Mapping[str, Sized]) -> list[str]:
    """Return the names of groups, the largest first."""
    return sorted(groups, key=lambda name: (-len(groups[name]), name))


def net_micro_usd(trips: Iterable[Trip]) -> int | None:
    """Return the net result of the trips with a dollar quote; None without one."""
    nets = [trip.net for trip in trips if is_dollar(trip.quote)]
    return to_micro_usd(exact_total(nets)) if nets else None


def exact_total(amounts: Iterable[Decimal | None]) -> Decimal:
    """Return a sum to the last digit; what is not known adds nothing."""
    total = _ZERO
    for amount in amounts:
        total = EXACT.add(total, amount or _ZERO)
    return total


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
        gross=exact_total(trip.gross for trip in trips),
        fees=exact_total(trip.fees for trip in trips),
        fees_unknown=sum(trip.fees is None for trip in trips),
        other_fees=tuple(sorted(others.items())),
        funding=exact_total(trip.funding for trip in trips),
        net=exact_total(trip.net for trip in trips),
    )
