"""Sums of trips by quote, to the last digit."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal

from afterword.pipeline.domain.history.fill import EXACT
from afterword.pipeline.domain.history.model import is_dollar, to_micro_usd
from afterword.pipeline.domain.history.trip import Trip
from afterword.pipeline.domain.trades.model import CostSums, QuoteSums

_ZERO = Decimal(0)


def sums_by_quote(trips: Iterable[Trip]) -> tuple[QuoteSums, ...]:
    """Return the sums of trips in each quote, by its name."""
    groups: dict[str, list[Trip]] = defaultdict(list)
    for trip in trips:
        groups[trip.quote].append(trip)
    return tuple(_sums(quote, groups[quote]) for quote in sorted(groups))


def costs_by_quote(trips: Iterable[Trip]) -> tuple[CostSums, ...]:
    """Return what trading cost in each quote, by its name."""
    groups: dict[str, list[Trip]] = defaultdict(list)
    for trip in trips:
        groups[trip.quote].append(trip)
    return tuple(_costs(quote, groups[quote]) for quote in sorted(groups))


def dollars_of(trips: Sequence[Trip], amount: Callable[[Trip], Decimal]) -> int | None:
    """Return the sum of an amount of the trips with a dollar quote, in micro dollars; None without
    one."""
    amounts = [amount(trip) for trip in trips if is_dollar(trip.quote)]
    return to_micro_usd(_total(amounts)) if amounts else None


def _sums(quote: str, trips: Sequence[Trip]) -> QuoteSums:
    return QuoteSums(
        quote=quote,
        trips=len(trips),
        winners=sum(trip.net > 0 for trip in trips),
        losers=sum(trip.net < 0 for trip in trips),
        gross=_total(trip.gross for trip in trips),
        fees=_total(trip.fees for trip in trips),
        fees_unknown=sum(trip.fees is None for trip in trips),
        other_fees=_other_fees(trips),
        funding=_total(trip.funding for trip in trips),
        net=_total(trip.net for trip in trips),
    )


def _costs(quote: str, trips: Sequence[Trip]) -> CostSums:
    known = [trip for trip in trips if trip.fees is not None and trip.gross is not None]
    funded = [trip.funding for trip in known if trip.funding is not None]
    entered = [trip.notional for trip in known]
    return CostSums(
        quote=quote,
        trips=len(known),
        unknown=len(trips) - len(known),
        fees=_total(trip.fees for trip in known),
        other_fees=_other_fees(known),
        funding=_total(funded) if funded else None,
        funding_trips=len(funded),
        put_in=None if None in entered else _total(entered),
        gross=_total(trip.gross for trip in known),
    )


def _other_fees(trips: Iterable[Trip]) -> tuple[tuple[str, Decimal], ...]:
    others: dict[str, Decimal] = defaultdict(Decimal)
    for trip in trips:
        for token, amount in trip.other_fees:
            others[token] = EXACT.add(others[token], amount)
    return tuple(sorted(others.items()))


def _total(amounts: Iterable[Decimal | None]) -> Decimal:
    total = _ZERO
    for amount in amounts:
        total = EXACT.add(total, amount or _ZERO)
    return total
