"""The position before and after each fill: the venue's where it states one, else a running one.

A running position begins flat. What the fills do not say is never guessed: a sale of things that
nobody is known to have bought closes a position opened before the first fill; it opens a short
only where the market has shorts or the venue says that it opens.
"""

from collections.abc import Iterable, Iterator
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import Final, NamedTuple

from afterword.pipeline.domain.history.fill import AVERAGE, EXACT, OWNED, Fill
from afterword.pipeline.domain.history.ledger import disagree

DUST: Final = Decimal("0.001")
"""Share of a trip's largest size up to which a rest of a thing owned counts as flat: a fee of 0.1 %
taken in the coin leaves as much."""

_ZERO: Final = Decimal(0)
_MICRO: Final = Decimal("0.000001")
_SHARE: Final = Context(prec=EXACT.prec, rounding=ROUND_HALF_EVEN)


class Part(NamedTuple):
    """A fill, or one of the two parts of a fill that closes a position and goes on.

    Args:
        start, end: signed units held before and after it; `end` is 0 where it closes a trip.
        size: units of the fill that are in this part.
        opens: whether it makes the position larger.
        fee, closed_pnl: what of the fill's belongs to this part.
        is_orphan: whether it closes units that no known fill opened.
        leaves_dust: whether it counts as the end of the trip although a rest is left.
    """

    fill: Fill
    start: Decimal
    end: Decimal
    size: Decimal
    opens: bool
    fee: Decimal
    closed_pnl: Decimal | None
    is_orphan: bool = False
    leaves_dust: bool = False


def base_fee(fill: Fill) -> Decimal:
    """Return the units that a fee in the traded coin takes from the position; 0 without one."""
    is_paid_in_base = fill.base is not None and fill.fee_token == fill.base != fill.quote
    return fill.fee if is_paid_in_base and fill.start_position is None else _ZERO


def parts_of(
    fills: Iterable[Fill], before: Fill | None = None, left: Decimal = _ZERO
) -> Iterator[Part]:
    """Yield what each fill does to the position, in the order of the fills.

    Must run in the context `EXACT`.

    Args:
        fills: of one market; it is flat before them, unless `before` went on.
        before: the fill that closed the trip before them.
        left: signed units of `before` that open the next position.
    """
    held, largest, average = left, abs(left), _ZERO
    if before is not None and left:
        yield _halves(before, before.sz - abs(left), left)[1]
        average = before.px
    for fill in fills:
        start = held if fill.start_position is None else fill.start_position
        end = start + fill.move - base_fee(fill)
        if held * start <= 0:
            largest = abs(start)
        largest = max(largest, abs(start))
        is_through = start * end < 0
        is_flip = is_through and (not _closes_only(fill) or _closes_known(fill, start, average))
        is_orphan = _closes_only(fill) and not is_flip and (is_through or not start)
        if _is_dust(fill, start, end, largest):
            yield Part(fill, start, _ZERO, fill.sz, False, fill.fee, fill.closed_pnl, False, True)
            held = _ZERO
        elif is_orphan and not start:
            yield Part(fill, -fill.move, _ZERO, fill.sz, False, fill.fee, fill.closed_pnl, True)
            held = _ZERO
        elif is_orphan:
            yield from _oversold(fill, start)
            held = _ZERO
        elif is_flip:
            yield from _halves(fill, abs(start), end, start)
            held, largest, average = end, _ZERO, fill.px  # another trip
        else:
            opens = abs(end) > abs(start)
            yield Part(fill, start, end, fill.sz, opens, fill.fee, fill.closed_pnl)
            if opens:
                paid = abs(start) * average + (abs(end) - abs(start)) * fill.px
                average = AVERAGE.divide(paid, abs(end))
            held = end
        largest = max(largest, abs(held))


def _closes_only(fill: Fill) -> bool:
    """Tell a fill that cannot open a position: one beyond flat closes what was opened earlier."""
    if fill.start_position is not None or fill.effect == "open":
        return False
    return fill.effect == "close" or (fill.kind in OWNED and fill.side == "A")


def _closes_known(fill: Fill, start: Decimal, average: Decimal) -> bool:
    """Tell a fill that closes the known position and opens the other with its rest.

    A venue states the profit of what closed. If that is the profit of the known units alone, the
    rest opened: only a position opened before the first fill would have made another.

    Args:
        average: entry price of the units held.
    """
    if fill.kind in OWNED or not fill.closed_pnl:
        return False
    known = start * (fill.px - average) * fill.multiplier
    return not disagree(known, fill.closed_pnl, fill.quote)


def _is_dust(fill: Fill, start: Decimal, end: Decimal, largest: Decimal) -> bool:
    is_reduced = start * fill.move < 0
    if not is_reduced or not end or fill.kind not in OWNED or fill.start_position is not None:
        return False
    return abs(end) <= DUST * largest


def _halves(
    fill: Fill, closing: Decimal, end: Decimal, start: Decimal = _ZERO
) -> tuple[Part, Part]:
    """Cut a fill at the flat position; the opening half takes the exact rest of the fee.

    Args:
        closing: units that close.
        end: signed units held after it.
    """
    fee = share(fill.fee, closing, fill.sz)
    opened = None if fill.closed_pnl is None else _ZERO
    return (
        Part(fill, start, _ZERO, closing, False, fee, fill.closed_pnl),
        Part(fill, _ZERO, end, fill.sz - closing, True, fill.fee - fee, opened),
    )


def _oversold(fill: Fill, start: Decimal) -> tuple[Part, Part]:
    """Cut a fill that closes a known position and units that no known fill opened."""
    closing, pnl = abs(start), fill.closed_pnl
    fee = share(fill.fee, closing, fill.sz)
    known = None if pnl is None else share(pnl, closing, fill.sz)
    unknown = None if pnl is None or known is None else pnl - known
    rest = fill.sz - closing
    side = 1 if start > 0 else -1
    return (
        Part(fill, start, _ZERO, closing, False, fee, known),
        Part(fill, side * rest, _ZERO, rest, False, fill.fee - fee, unknown, True),
    )


def share(amount: Decimal, part: Decimal, whole: Decimal) -> Decimal:
    """Share an amount by size, to a millionth."""
    return _SHARE.quantize(_SHARE.divide(amount * part, whole), _MICRO)
