"""Closed round trips of one perpetual, out of its fills in order.

A trip runs from flat to flat; a fill that flips the position closes one trip and opens the next.
Every direction word counts by the side of its fill: netting inside a vault and auto-deleveraging
move the position like any trade and leave a flag, an unknown word leaves none. Spot, dust
conversions and outcome tokens have balances instead of positions and make no trips here.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from itertools import pairwise
from typing import Final, NamedTuple

from afterword.pipeline.clock import from_millis
from afterword.pipeline.domain.history.model import (
    AVERAGE,
    EXACT,
    Chain,
    Direction,
    Fill,
    Flag,
    KnownTrip,
    OpenPosition,
    RoundTrip,
    TripBook,
    TripChanges,
)

QUOTE: Final = "USDC"
"""The dollar perpetuals are quoted in; rows of 2023 name no fee token and mean it."""

_ZERO: Final = Decimal(0)
_MICRO_USD: Final = Decimal("0.000001")
_SHARE: Final = Context(prec=EXACT.prec, rounding=ROUND_HALF_EVEN)
_ADDRESS: Final = re.compile(r"0x[0-9a-fA-F]{40}")


class _Part(NamedTuple):
    """A fill, or one of the two halves of a fill that flips the position."""

    fill: Fill
    start: Decimal
    end: Decimal
    size: Decimal
    opens: bool
    fee: Decimal
    closed_pnl: Decimal


def round_trips(chain: Chain, address: str | None = None) -> TripBook:
    """Derive what an account did in one coin, so that each closed trip can be remembered.

    Gross profit and fees of all trips and unclosed positions add up to those of the fills,
    exactly.

    Args:
        chain: the account's fills of the coin, in order.
        address: the account's 0x address, which distinguishes its own liquidations from those of
            others; None uses the account's name if that is an address.

    Returns:
        Trips and unclosed positions, each in order of time; both empty for spot.
    """
    own = address or (chain.account if _ADDRESS.fullmatch(chain.account) else None)
    closed: list[RoundTrip] = []
    unclosed: list[OpenPosition] = []
    parts_open: list[_Part] = []
    with localcontext(EXACT):
        for part in _parts(chain.fills):
            if parts_open and parts_open[-1].end * part.start <= 0:
                # The fills that closed it are missing: a trip without an end is not reported.
                unclosed.append(_unclosed(parts_open, lost=True))
                parts_open = []
            parts_open.append(part)
            if part.end == 0:
                closed.append(_closed(parts_open, own))
                parts_open = []
        if parts_open:
            unclosed.append(_unclosed(parts_open, lost=False))
    return TripBook(tuple(closed), tuple(unclosed))


def compare_trips(known: Iterable[KnownTrip], current: Iterable[RoundTrip]) -> TripChanges:
    """Tell which memories a late page touches.

    A trip that splits keeps its first half under its own uid and gains a new trip. A trip whose
    opening arrives late is gone into the longer one that now holds its first fill.

    Args:
        known: the trips of one account and coin that are remembered.
        current: the trips of the same account and coin, derived again.
    """
    before = {trip.trip_uid: trip for trip in known}
    now = {trip.trip_uid: trip for trip in current}
    holders = {(trip.direction, uid): trip for trip in now.values() for uid in trip.fill_uids}
    kept = [trip for uid, trip in now.items() if uid in before]
    return TripChanges(
        new=tuple(trip for uid, trip in now.items() if uid not in before),
        changed=tuple(trip for trip in kept if trip.digest != before[trip.trip_uid].digest),
        gone=tuple(
            (uid, holders.get((trip.direction, trip.first_fill_uid)))
            for uid, trip in before.items()
            if uid not in now
        ),
    )


def _parts(fills: Iterable[Fill]) -> Iterator[_Part]:
    for fill in fills:
        if not fill.is_perp:
            continue
        start, end = fill.start_position, fill.end_position
        if start * end >= 0:
            opens = abs(end) > abs(start)
            yield _Part(fill, start, end, fill.sz, opens, fill.fee, fill.closed_pnl)
        else:
            fee = _closing_fee(fill)
            yield _Part(fill, start, _ZERO, abs(start), False, fee, fill.closed_pnl)
            yield _Part(fill, _ZERO, end, abs(end), True, fill.fee - fee, _ZERO)


def _closing_fee(fill: Fill) -> Decimal:
    """Share a flip's fee by size, to the micro-USD; the opening half takes the exact rest."""
    share = _SHARE.divide(fill.fee * abs(fill.start_position), fill.sz)
    return _SHARE.quantize(share, _MICRO_USD)


def _closed(parts: Sequence[_Part], own: str | None) -> RoundTrip:
    entries = [part for part in parts if part.opens]
    exits = [part for part in parts if not part.opens]
    forced = {_is_forced(part.fill, own) for part in parts}
    flags = tuple(_flags(parts, forced))
    fees, other_fees = _fees(parts)
    return RoundTrip(
        account=parts[0].fill.account,
        coin=parts[0].fill.coin,
        direction=_direction(parts[0]),
        opened_at=from_millis(parts[0].fill.time_ms),
        closed_at=from_millis(parts[-1].fill.time_ms),
        entry_px=None if "opened_before" in flags else _average_px(entries),
        exit_px=_average_px(exits),
        max_size=max(abs(position) for part in parts for position in (part.start, part.end)),
        entry_notional=_notional(entries),
        gross_pnl=_gross(parts),
        fees=fees,
        other_fees=other_fees,
        fill_uids=tuple(part.fill.fill_uid for part in parts),
        liquidated=True in forced,
        flags=flags,
    )


def _unclosed(parts: Sequence[_Part], lost: bool) -> OpenPosition:
    fees, other_fees = _fees(parts)
    return OpenPosition(
        account=parts[0].fill.account,
        coin=parts[0].fill.coin,
        direction=_direction(parts[0]),
        opened_at=from_millis(parts[0].fill.time_ms),
        position=parts[-1].end,
        gross_pnl=_gross(parts),
        fees=fees,
        other_fees=other_fees,
        fill_uids=tuple(part.fill.fill_uid for part in parts),
        lost=lost,
    )


def _direction(first: _Part) -> Direction:
    return "long" if first.start + first.end > 0 else "short"


def _gross(parts: Iterable[_Part]) -> Decimal:
    return sum((part.closed_pnl for part in parts), _ZERO)


def _notional(parts: Iterable[_Part]) -> Decimal:
    return sum((part.fill.px * part.size for part in parts), _ZERO)


def _average_px(parts: Sequence[_Part]) -> Decimal:
    return AVERAGE.divide(_notional(parts), sum((part.size for part in parts), _ZERO))


def _fees(parts: Iterable[_Part]) -> tuple[Decimal, tuple[tuple[str, Decimal], ...]]:
    """Return the fees in the quote dollar, and those in other tokens by token."""
    totals: dict[str, Decimal] = defaultdict(Decimal)
    for part in parts:
        totals[part.fill.fee_token or QUOTE] += part.fee
    quote = totals.pop(QUOTE, _ZERO)
    return quote, tuple(sorted(totals.items()))


def _flags(parts: Sequence[_Part], forced: set[bool | None]) -> Iterator[Flag]:
    words = {part.fill.dir for part in parts}
    if parts[0].start != 0:
        yield "opened_before"
    if any(earlier.end != later.start for earlier, later in pairwise(parts)):
        yield "fills_missing"
    if None in forced:
        yield "liquidation_unmatched"
    if "Auto-Deleveraging" in words:
        yield "auto_deleveraged"
    if "Net Child Vaults" in words:
        yield "vault_netting"


def _is_forced(fill: Fill, own: str | None) -> bool | None:
    """Tell whether this account was liquidated here; None if somebody was and we cannot tell.

    The liquidation object sits on the counterparty's row too, so its user must be us.
    """
    if fill.dir.startswith("Liquidated"):
        return True
    if fill.liquidation is None:
        return False
    user = fill.liquidation.liquidated_user
    return None if user is None or own is None else user.lower() == own.lower()
