"""Closed round trips of one market, out of its fills in order.

A trip runs from flat to flat; a fill that flips the position closes one trip and opens the next.
Every direction word counts by the side of its fill: netting inside a vault and auto-deleveraging
move the position like any trade and leave a flag, an unknown word leaves none.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from typing import Final

from afterword.pipeline.clock import from_millis
from afterword.pipeline.domain.fills.model import EXACT, HEDGED, OWNED, Fill
from afterword.pipeline.domain.trips import part_sums
from afterword.pipeline.domain.trips.ledger import disagree
from afterword.pipeline.domain.trips.model import (
    INCOMPLETE,
    Chain,
    Flag,
    OpenPosition,
    RoundTrip,
    StoredTrip,
    TripBook,
    TripChanges,
)
from afterword.pipeline.domain.trips.positions import Part, parts_of
from afterword.pipeline.domain.trips.units import NO_CHANGE, ratio_between
from afterword.pipeline.rules.market.splits import Split
from afterword.pipeline.rules.setup import Direction

_ZERO: Final = Decimal(0)
_ADDRESS: Final = re.compile(r"0x[0-9a-fA-F]{40}")


def round_trips(
    chain: Chain,
    address: str | None = None,
    before: Fill | None = None,
    left: Decimal = _ZERO,
    splits: Sequence[Split] = (),
) -> TripBook:
    """Derive what an account did in one market, so that each closed trip can be remembered.

    Fees of all trips and unclosed positions add up to those of the fills, exactly; so does the
    gross profit where the venue states it.

    Args:
        chain: the account's fills of the market, in order.
        address: the account's 0x address, which distinguishes its own liquidations from those of
            others; None uses the account's name if that is an address.
        before: the fill that closed the trip before the chain; flat before it if there is none.
        left: signed units that `before` left for the next position; see `parts_of`.
        splits: of the market, by time: units, prices and sizes of a position are those after
            them. One after the last fill changes what is open.

    Returns:
        Trips and unclosed positions, each in order of time.
    """
    account = chain.market.account
    own = address or (account if _ADDRESS.fullmatch(account) else None)
    closed: list[RoundTrip] = []
    unclosed: list[OpenPosition] = []
    parts_open: list[Part] = []
    with localcontext(EXACT):
        for part in parts_of(chain.fills, before, left, splits):
            if splits and parts_open:
                ratio = ratio_between(splits, parts_open[-1].fill, part.fill)
                parts_open = _in_units_of(parts_open, ratio)
            if parts_open and not _continues(parts_open[-1], part):
                if parts_open[-1].end:
                    # The fills that closed it are missing: a trip without an end is not reported.
                    unclosed.append(_unclosed(parts_open, lost=True))
                else:
                    closed.append(_closed(parts_open, own, part))
                parts_open = []
            parts_open.append(part)
        if parts_open and parts_open[-1].end:
            ratio = ratio_between(splits, parts_open[-1].fill)
            unclosed.append(_unclosed(_in_units_of(parts_open, ratio), lost=False))
        elif parts_open:
            closed.append(_closed(parts_open, own, None))
    return TripBook(tuple(closed), tuple(unclosed))


def compare_trips(known: Iterable[StoredTrip], current: Iterable[RoundTrip]) -> TripChanges:
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
    remembered = [trip for uid, trip in now.items() if uid in before]
    return TripChanges(
        new=tuple(trip for uid, trip in now.items() if uid not in before),
        changed=tuple(trip for trip in remembered if trip.digest != before[trip.trip_uid].digest),
        gone=tuple(
            (uid, holders.get((trip.direction, trip.first_fill_uid)))
            for uid, trip in before.items()
            if uid not in now
        ),
    )


def _in_units_of(parts: list[Part], ratio: Fraction) -> list[Part]:
    """Return the parts of a position in the units after a split."""
    return parts if ratio == NO_CHANGE else [part.after(ratio) for part in parts]


def _continues(earlier: Part, later: Part) -> bool:
    """Tell whether a part belongs to the trip of the part before it.

    Units of one order that no known fill opened are one trip, however many fills closed them.
    """
    if earlier.is_orphan and later.is_orphan:
        return are_one_order(earlier.fill, later.fill)
    return earlier.end * later.start > 0


def are_one_order(earlier: Fill, later: Fill) -> bool:
    """Tell neighbouring fills of one side that one order made, as far as can be seen."""
    if earlier.side != later.side:
        return False
    return earlier.time_ms == later.time_ms or (
        earlier.oid is not None and earlier.oid == later.oid
    )


def _closed(parts: Sequence[Part], own: str | None, following: Part | None) -> RoundTrip:
    entries = [part for part in parts if part.opens]
    exits = [part for part in parts if not part.opens]
    first, last = parts[0].fill, parts[-1].fill
    forced = {_is_forced(part.fill, own) for part in parts}
    flags = list(_flags(parts, forced))
    if part_sums.is_oversold(parts, following) and INCOMPLETE.isdisjoint(flags):
        flags.append("fills_missing")
    fees, other_fees = part_sums.fees(parts)
    ours, theirs = part_sums.cash(parts), part_sums.reported(parts)
    gross: Decimal | None = ours
    if first.states_position or parts[0].start != 0:
        gross = theirs
        if theirs is not None and first.kind in OWNED and theirs > part_sums.received(parts):
            # Nothing earns more than it was sold for: the venue does not know what it cost either.
            gross = None
            flags.append("ledger_disagrees")
    elif theirs is not None and disagree(ours, theirs, first.quote, part_sums.unclear(parts)):
        flags.append("ledger_disagrees")
    goes_on = following is not None and following.fill is last and following.opens
    return RoundTrip(
        market=first.market,
        direction=_direction(parts[0]),
        opened_at=from_millis(first.time_ms),
        closed_at=from_millis(last.time_ms),
        quote=first.quote,
        multiplier=first.multiplier,
        entry_px=None if "opened_before" in flags else part_sums.average_px(entries),
        exit_px=part_sums.average_px(exits),
        max_size=part_sums.max_size(parts),
        entry_notional=part_sums.notional(entries),
        first_notional=part_sums.notional(part_sums.of_first_order(entries)),
        gross_pnl=gross,
        venue_gross=theirs,
        fees=fees,
        other_fees=other_fees,
        fill_uids=tuple(part.fill.fill_uid for part in parts),
        losing_adds=part_sums.losing_adds(parts),
        left=following.end if following is not None and goes_on else parts[-1].dust,
        liquidated=True in forced,
        flags=tuple(flags),
    )


def _unclosed(parts: Sequence[Part], lost: bool) -> OpenPosition:
    fees, other_fees = part_sums.fees(parts)
    first, last = parts[0].fill, parts[-1]
    is_known = INCOMPLETE.isdisjoint(_flags(parts, set()))
    return OpenPosition(
        market=first.market,
        direction=_direction(parts[0]),
        opened_at=from_millis(first.time_ms),
        last_at=from_millis(last.fill.time_ms),
        last_px=part_sums.px_of(last),
        quote=first.quote,
        multiplier=first.multiplier,
        position=last.end,
        cost=part_sums.cost(parts) if is_known else None,
        cash=part_sums.cash(parts),
        gross_pnl=part_sums.reported(parts) or _ZERO,
        fees=fees,
        other_fees=other_fees,
        fill_uids=tuple(part.fill.fill_uid for part in parts),
        lost=lost,
    )


def _direction(first: Part) -> Direction:
    return "long" if first.start + first.end > 0 else "short"


def _flags(parts: Sequence[Part], forced: set[bool | None]) -> Iterator[Flag]:
    words = {part.fill.dir for part in parts}
    if parts[0].start != 0:
        yield "opened_before"
    if not parts[0].is_orphan and any(a.end != b.start for a, b in pairwise(parts)):
        yield "fills_missing"
    if None in forced:
        yield "liquidation_unmatched"
    if "Auto-Deleveraging" in words:
        yield "auto_deleveraged"
    if "Net Child Vaults" in words:
        yield "vault_netting"
    if any(_is_of_other_side(part) for part in parts):
        yield "other_side"
    if any(part.fill.is_day for part in parts):
        yield "days_only"
    if parts[-1].leaves_dust:
        yield "dust_left"
    if parts[0].ratio != parts[-1].ratio:
        yield "units_split"
    if not all(part.fill.fee_is_known for part in parts):
        yield "fees_unknown"


def _is_of_other_side(part: Part) -> bool:
    """Tell a fill that says it closes, and yet makes the one known position larger, or opens it.

    One position cannot be closed so: the account held a long and a short one at once.
    """
    effect = part.fill.effect
    if (
        effect is None
        or part.is_orphan
        or part.fill.kind not in HEDGED
        or part.size != part.fill.sz
    ):
        return False
    return part.opens != (effect == "open")


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
