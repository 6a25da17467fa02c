"""Sums over the parts of one position: what was paid, held, lost and charged."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Final

from afterword.pipeline.domain.fills.model import AVERAGE, OWNED
from afterword.pipeline.domain.trips.positions import Part, share
from afterword.pipeline.domain.trips.units import NO_CHANGE

_ZERO: Final = Decimal(0)

FIRST_ORDER_MS: Final = 60_000
"""Fills of one entry, where no order ids tell it, come within a minute; milliseconds."""

OVERSOLD: Final = Decimal("0.01")
"""Share of a trip's largest size up to which more may be closed at its end than is known."""

CRUMB: Final = 10
"""An entry that the next one is this many times as large as is a crumb and no first order."""


def cash(parts: Iterable[Part]) -> Decimal:
    """Return what was paid and received, before fees: the profit of a trip that is known whole."""
    total = _ZERO
    for part in parts:
        fill = part.fill
        size = -part.size if fill.side == "B" else part.size
        if fill.coin_fee:
            size += part.fee
        total += size * fill.px * fill.multiplier
    return total


def reported(parts: Iterable[Part]) -> Decimal | None:
    """Return the venue's profit before fees; None where it leaves one closing fill without it."""
    total = _ZERO
    is_known = False
    for part in parts:
        if part.closed_pnl is not None:
            total += part.closed_pnl
            is_known = True
        elif not part.opens:
            return None
    return total if is_known else None


def received(parts: Iterable[Part]) -> Decimal:
    """Return what sales brought, before fees."""
    return notional(part for part in parts if part.fill.side == "A")


def unclear(parts: Sequence[Part]) -> Decimal:
    """Return by how much a venue's profit on a thing owned may differ from what was paid for it.

    It may leave out what a fee in the coin was worth, and what the rest cost that cannot be sold.
    """
    if parts[0].fill.kind not in OWNED:
        return _ZERO
    in_coin = sum((part.fee * part.fill.px for part in parts if part.fill.coin_fee), _ZERO)
    last = parts[-1]
    rest = last.start + last.fill.move if last.leaves_dust else _ZERO
    px = max(part.fill.px for part in parts)
    return (abs(in_coin) + abs(rest) * px) * last.fill.multiplier


def of_first_order(entries: Sequence[Part]) -> list[Part]:
    """Return the entries of the first order: what came later may have seen how the trip went.

    A crumb before it, such as the rest of an order that turned a position, is no first order: a
    result in its terms would be many times what was earned.
    """
    first_order: list[Part] = []
    rest = list(entries)
    while rest:
        first = rest[0].fill
        order: list[Part] = []
        later: list[Part] = []
        for part in rest:
            is_near = part.fill.time_ms - first.time_ms <= FIRST_ORDER_MS
            is_same = first.oid is not None and part.fill.oid == first.oid
            (order if is_near or is_same else later).append(part)
        if first_order and notional(order) < CRUMB * notional(first_order):
            break
        first_order, rest = first_order + order, later
    return first_order


def notional(parts: Iterable[Part]) -> Decimal:
    """Return what parts were worth at their prices; in the quote currency."""
    return sum((part.fill.px * part.size * part.fill.multiplier for part in parts), _ZERO)


def is_oversold(parts: Sequence[Part], following: Part | None) -> bool:
    """Tell a trip at whose end more is closed than was known to be held: its start is unknown.

    Rests that earlier trips left as dust are sold one day, too.
    """
    if following is None or not following.is_orphan or parts[-1].is_orphan:
        return False
    last, then = parts[-1].fill, following.fill
    # Only of one moment, which is never settled in parts: a late fill can change nothing here.
    is_same = (last.time_ms, last.side) == (then.time_ms, then.side)
    return is_same and following.size > OVERSOLD * max_size(parts)


def cost(parts: Sequence[Part]) -> Decimal:
    """Return the value of the units still held at the average price of the entries."""
    entries = [part for part in parts if part.opens]
    units = sum((part.units for part in entries), _ZERO)
    return share(notional(entries), abs(parts[-1].end), units)


def average_px(parts: Sequence[Part]) -> Decimal:
    """Return the average price of parts, of one unit as they count them."""
    total = sum((part.fill.px * part.size for part in parts), _ZERO)
    return AVERAGE.divide(total, sum((part.units for part in parts), _ZERO))


def px_of(part: Part) -> Decimal:
    """Return the price of a fill, of one unit as the part counts them."""
    return part.fill.px if part.ratio == NO_CHANGE else average_px([part])


def max_size(parts: Sequence[Part]) -> Decimal:
    """Return the largest position between parts; of orphans, all units that they close."""
    if parts[0].is_orphan:
        return sum((part.size for part in parts), _ZERO)
    return max(abs(position) for part in parts for position in (part.start, part.end))


def losing_adds(parts: Sequence[Part]) -> int:
    """Count fills that raised the position at a price on the losing side of its average entry."""
    if parts[0].start:
        return 0
    cost = units = _ZERO
    count = 0
    for part in parts:
        if not part.opens:
            continue
        paid, size = part.fill.px * part.size, part.units
        if units:
            count += paid * units < cost * size if part.end > 0 else paid * units > cost * size
        cost, units = cost + paid, units + size
    return count


def fees(parts: Iterable[Part]) -> tuple[Decimal, tuple[tuple[str, Decimal], ...]]:
    """Return the fees in the quote currency, and those in other tokens by token."""
    totals: dict[str, Decimal] = defaultdict(Decimal)
    quote = _ZERO
    for part in parts:
        fill = part.fill
        if fill.fee_token is None or fill.fee_token == fill.quote:
            quote += part.fee
        elif fill.coin_fee:
            quote += part.fee * fill.px * fill.multiplier
        elif part.fee:
            totals[fill.fee_token] += part.fee
    return quote, tuple(sorted(totals.items()))
