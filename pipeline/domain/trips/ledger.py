"""Whether what a venue reports adds up, and whether it agrees with the fills."""

import hashlib
from collections.abc import Iterable
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final, Literal, NamedTuple

from afterword.pipeline.domain.fills.model import EXACT
from afterword.pipeline.domain.fills.money import is_money
from afterword.pipeline.domain.trips.model import Flag
from afterword.pipeline.domain.trips.trip import Trip

NEAR: Final = timedelta(minutes=1)
"""How far a trip may end from the exit that a venue reports."""

_CENT: Final = Decimal("0.01")
_PER_MILLE: Final = Decimal("0.001")
_MULTIPLE: Final = Decimal("1.9")
"""The smallest contract of several units has 2: a micro future on the Nasdaq index."""

_ZERO: Final = Decimal(0)


class TradeCheck(NamedTuple):
    """What a venue reports of a trip whose fills are known, beside what these say.

    Args:
        trades: closed trades that the venue cuts the trip into; count.
        reported: their net profit together.
        ours: net profit of the trip; None if no trip of the fills closed there.
    """

    account: str
    venue: str
    symbol: str
    closed_at: datetime
    trip_uid: str | None
    trades: int
    reported: Decimal
    ours: Decimal | None
    quote: str

    @property
    def agrees(self) -> bool:
        """Tell whether the two differ by a cent or 0.1 % at most."""
        return self.ours is not None and not disagree(self.ours, self.reported, self.quote)


def disagree(ours: Decimal, theirs: Decimal, quote: str, unclear: Decimal = _ZERO) -> bool:
    """Tell figures that differ by more than a cent and by more than 0.1 %.

    Args:
        unclear: what the two may differ by besides, since they need not count the same.
    """
    difference = EXACT.subtract(abs(EXACT.subtract(ours, theirs)), unclear)
    cent = _CENT if is_money(quote) else _ZERO
    return difference > cent and difference > _PER_MILLE * max(abs(ours), abs(theirs))


def trip_uid_of(account: str, trade_uid: str) -> str:
    """Return the name of the trip that a closed trade is."""
    return hashlib.sha256(f"closed trade\n{account}\n{trade_uid}".encode()).hexdigest()[:32]


def closed_flags(
    trip: Trip, net_is_after: Literal["fees", "nothing", "unknown"]
) -> tuple[Flag, ...]:
    """Return what is odd about a closed trade: unknown fees, or figures that do not add up."""
    flags: list[Flag] = ["closed_trade"]
    if trip.fees is None and net_is_after != "fees":
        flags.append("fees_unknown")
    known = [trip.gross] if trip.gross is not None else []
    if trip.gross is None and net_is_after == "nothing":
        known.append(trip.net)
    by_prices = _profit(trip)
    adds_up = all(by_prices is None or not disagree(by_prices, one, trip.quote) for one in known)
    if trip.gross is not None and trip.fees is not None and net_is_after == "fees":
        rest = EXACT.add(EXACT.subtract(trip.gross, trip.fees), trip.funding or _ZERO)
        adds_up = adds_up and not disagree(rest, trip.net, trip.quote)
    if not adds_up:
        flags.append("ledger_disagrees")
    return tuple(flags)


def is_of_other_units(trip: Trip) -> bool:
    """Tell a closed trade whose profit is a multiple of that of its prices: not 1 but 50 units.

    Its size is not in units of its price then, so what was put in is not known. Costs explain a
    difference, no multiple.
    """
    stated, by_prices = trip.gross if trip.gross is not None else trip.net, _profit(trip)
    return bool(by_prices) and by_prices is not None and abs(stated) >= _MULTIPLE * abs(by_prices)


def _profit(trip: Trip) -> Decimal | None:
    """Return the profit that prices and size make; None if one is unknown."""
    if trip.entry_px is None or trip.exit_px is None:
        return None
    units = EXACT.multiply(trip.size, trip.multiplier)
    profit = EXACT.multiply(EXACT.subtract(trip.exit_px, trip.entry_px), units)
    return profit if trip.direction == "long" else -profit


def compare(reported: Iterable[Trip], trips: Iterable[Trip]) -> list[TradeCheck]:
    """Set closed trades beside the trips of the fills that cover them.

    Args:
        reported: closed trades that fills cover.
        trips: trips of fills.
    """
    by_market: dict[tuple[str, ...], list[Trip]] = {}
    for trip in trips:
        by_market.setdefault(_market(trip), []).append(trip)
    parts: dict[tuple[str | None, ...], list[Trip]] = {}
    holders: dict[str, Trip] = {}
    for trade in reported:
        holder = _holder(trade, by_market.get(_market(trade), []))
        if holder is not None:
            holders[holder.trip_uid] = holder
        key = (holder.trip_uid,) if holder else (None, trade.trip_uid)
        parts.setdefault(key, []).append(trade)
    return sorted(
        _check(trades, holders[key[0]] if key[0] else None) for key, trades in parts.items()
    )


def _market(trip: Trip) -> tuple[str, ...]:
    return (trip.account, trip.venue, trip.symbol, trip.kind, trip.direction)


def _holder(trade: Trip, trips: Iterable[Trip]) -> Trip | None:
    """Return the trip during which a closed trade closed; the latest if several meet there."""
    holders = [
        trip
        for trip in trips
        if (trip.opened_at or trip.closed_at) - NEAR <= trade.closed_at <= trip.closed_at + NEAR
    ]
    return max(holders, key=lambda trip: trip.opened_at or trip.closed_at, default=None)


def _check(trades: list[Trip], holder: Trip | None) -> TradeCheck:
    last = max(trades, key=lambda trade: trade.closed_at)
    return TradeCheck(
        account=last.account,
        venue=last.venue,
        symbol=last.symbol,
        closed_at=last.closed_at,
        trip_uid=None if holder is None else holder.trip_uid,
        trades=len(trades),
        reported=sum((trade.net for trade in trades), _ZERO),
        ours=None if holder is None else holder.net,
        quote=last.quote,
    )
