"""Sums of trips by quote, to the last digit."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from decimal import Decimal

from afterword.pipeline.domain.fills.model import EXACT, MarketKind
from afterword.pipeline.domain.fills.money import is_dollar, to_micro_usd
from afterword.pipeline.domain.trades.sums_model import CostSums, QuoteSums
from afterword.pipeline.domain.trips.trip import Trip

_ZERO = Decimal(0)


def sums_by_quote(trips: Iterable[Trip]) -> tuple[QuoteSums, ...]:
    """Return the sums of trips in each quote, the one with the most trips first."""
    groups: dict[str, list[Trip]] = defaultdict(list)
    for trip in trips:
        groups[trip.quote].append(trip)
    return tuple(_sums(quote, groups[quote]) for quote in by_count(groups))


def sums_by_kind(trips: Iterable[Trip]) -> dict[MarketKind, tuple[QuoteSums, ...]]:
    """Return the sums of trips by kind of market, the kind with the most trips first."""
    groups: dict[MarketKind, list[Trip]] = defaultdict(list)
    for trip in trips:
        groups[trip.kind].append(trip)
    kinds = sorted(groups, key=lambda kind: (-len(groups[kind]), kind))
    return {kind: sums_by_quote(groups[kind]) for kind in kinds}


def by_count(groups: Mapping[str, Sized]) -> list[str]:
    """Return the names of groups, the largest first."""
    return sorted(groups, key=lambda name: (-len(groups[name]), name))


def costs_of(quote: str, trips: Sequence[Trip]) -> CostSums:
    """Return what trading cost in one quote.

    Args:
        trips: complete ones of this quote.
    """
    known = [trip for trip in trips if trip.fees is not None and trip.gross is not None]
    funded = [trip.funding for trip in known if trip.funding is not None]
    entered = [trip.notional for trip in known]
    return CostSums(
        quote=quote,
        trips=len(known),
        unknown=len(trips) - len(known),
        fees=exact_total(trip.fees for trip in known),
        other_fees=_other_fees(known),
        funding=exact_total(funded) if funded else None,
        funding_trips=len(funded),
        put_in=None if None in entered else exact_total(entered),
        gross=exact_total(trip.gross for trip in known),
    )


def dollars_of(trips: Sequence[Trip], amount: Callable[[Trip], Decimal]) -> int | None:
    """Return the sum of an amount of the trips with a dollar quote, in micro dollars; None without
    one."""
    amounts = [amount(trip) for trip in trips if is_dollar(trip.quote)]
    return to_micro_usd(exact_total(amounts)) if amounts else None


def exact_total(amounts: Iterable[Decimal | None]) -> Decimal:
    """Return a sum to the last digit; what is not known adds nothing."""
    total = _ZERO
    for amount in amounts:
        total = EXACT.add(total, amount or _ZERO)
    return total


def _sums(quote: str, trips: Sequence[Trip]) -> QuoteSums:
    return QuoteSums(
        quote=quote,
        trips=len(trips),
        winners=sum(trip.net > 0 for trip in trips),
        losers=sum(trip.net < 0 for trip in trips),
        gross=exact_total(trip.gross for trip in trips),
        fees=exact_total(trip.fees for trip in trips),
        fees_unknown=sum(trip.fees is None for trip in trips),
        other_fees=_other_fees(trips),
        funding=exact_total(trip.funding for trip in trips),
        net=exact_total(trip.net for trip in trips),
    )


def _other_fees(trips: Iterable[Trip]) -> tuple[tuple[str, Decimal], ...]:
    others: dict[str, Decimal] = defaultdict(Decimal)
    for trip in trips:
        for token, amount in trip.other_fees:
            others[token] = EXACT.add(others[token], amount)
    return tuple(sorted(others.items()))
