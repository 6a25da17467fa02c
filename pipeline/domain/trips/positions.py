"""The position before and after each fill: the venue's where it states one, else a running one.

A running position begins flat. What the fills do not say is never guessed: a sale of things that
nobody is known to have bought closes a position opened before the first fill; it opens a short
only where the market has shorts or the venue says that it opens.
"""

from collections.abc import Iterable, Iterator, Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import Final, Literal, NamedTuple

from afterword.pipeline.domain.fills.model import AVERAGE, EXACT, OWNED, Fill
from afterword.pipeline.domain.fills.money import is_money
from afterword.pipeline.domain.trips.ledger import disagree
from afterword.pipeline.domain.trips.units import NO_CHANGE, in_units, ratio_between
from afterword.pipeline.rules.market.splits import Split

DUST: Final = Decimal("0.001")
"""Share of a trip's largest size up to which a rest of a thing owned counts as flat: a fee of 0.1 %
taken in the coin leaves as much."""

LOT_DUST: Final = Decimal("0.1")
"""Share of a trip's largest size up to which a rest smaller than a lot counts as flat."""

LOT_WORTH: Final = Decimal(10)
"""What a rest smaller than a lot may be worth at most, in the quote currency, if that is money:
venues take no smaller orders than 1 to 10 dollars."""

_ZERO: Final = Decimal(0)
_ONE: Final = Decimal(1)
_MICRO: Final = Decimal("0.000001")
_THOUSANDTH: Final = -3
"""Place of the first digit from which on a millionth is fine enough; fees in BTC are below it."""

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
        dust: signed units that count as flat after it, those of earlier trips included.
        ratio: how many of the units that `start` and `end` count one unit of the fill is: shares
            may be split after it.
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
    dust: Decimal = _ZERO
    ratio: Fraction = NO_CHANGE

    @property
    def units(self) -> Decimal:
        """Return its size in the units that `start` and `end` count."""
        return in_units(self.size, self.ratio)

    def after(self, ratio: Fraction) -> "Part":
        """Return it in the units after a split; the fill and what it cost stay as they are."""
        return self._replace(
            start=in_units(self.start, ratio),
            end=in_units(self.end, ratio),
            ratio=self.ratio * ratio,
        )


def parts_of(
    fills: Iterable[Fill],
    before: Fill | None = None,
    left: Decimal = _ZERO,
    splits: Sequence[Split] = (),
) -> Iterator[Part]:
    """Yield what each fill does to the position, in the order of the fills.

    Must run in the context `EXACT`.

    Dust, a rest that counts as flat, is kept aside. Who sells more than is held sells it first.

    Args:
        fills: of one market.
        before: the fill that closed the trip before them.
        left: signed units that `before` left: of its own side they opened the next position, of
            the other side they are dust.
        splits: of the market, by time.
    """
    held = average = dust = _ZERO
    if before is not None and left * before.move > 0:
        yield _halves(before, before.sz - abs(left), left)[1]
        held, average = left, before.px
    else:
        dust = left
    largest, lot = abs(held), _ONE
    is_split, last = False, before
    for fill in fills:
        ratio = ratio_between(splits, last, fill) if splits and last else NO_CHANGE
        if ratio != NO_CHANGE:
            held, dust, largest = (in_units(units, ratio) for units in (held, dust, largest))
            average = AVERAGE.divide(average * ratio.denominator, Decimal(ratio.numerator))
            is_split = bool(held)
        last = fill
        start = _start(fill, held)
        end = start + fill.move - fill.coin_fee
        if held * start <= 0:
            largest, lot, is_split = abs(start), _ONE, False
        largest, lot = max(largest, abs(start)), min(lot, _lot(fill))
        crossing = _crossing(fill, start, end, average)
        leaves_dust = _is_dust(fill, start, end, largest, lot, is_split=is_split)
        sells_dust = crossing == "orphan" and start * dust > 0 and abs(end) <= abs(dust)
        if leaves_dust or sells_dust:
            dust += end
            fee, pnl = fill.fee, fill.closed_pnl
            yield Part(
                fill, start, _ZERO, fill.sz, False, fee, pnl, leaves_dust=leaves_dust, dust=dust
            )
            held = _ZERO
        elif crossing == "orphan":
            dust = _ZERO
            yield from _oversold(fill, start) if start else (_orphan(fill),)
            held = _ZERO
        elif crossing == "flip":
            dust = _ZERO
            yield from _halves(fill, abs(start), end, start)
            held, largest, average = end, _ZERO, fill.px  # another trip
        else:
            opens = abs(end) > abs(start)
            yield Part(fill, start, end, fill.sz, opens, fill.fee, fill.closed_pnl, dust=dust)
            if opens:
                paid = abs(start) * average + (abs(end) - abs(start)) * fill.px
                average = AVERAGE.divide(paid, abs(end))
            held = end
        largest = max(largest, abs(held))


def _orphan(fill: Fill) -> Part:
    """Return a fill that closes only units which no known fill opened."""
    return Part(fill, -fill.move, _ZERO, fill.sz, False, fill.fee, fill.closed_pnl, True)


def _start(fill: Fill, held: Decimal) -> Decimal:
    """Return the signed units before a fill.

    A balance that is below what is held tells that units were sent away, or sold elsewhere. One
    above it tells nothing: units that nobody is known to have bought are in no position.
    """
    if fill.start_position is None or (not fill.states_position and held <= 0):
        return held
    return fill.start_position if fill.states_position else min(held, fill.start_position)


def _lot(fill: Fill) -> Decimal:
    """Return the last decimal place of a size: orders are made of whole lots, a lot has no more.

    Only things owned leave dust, so that of another size is not looked for.
    """
    if fill.kind not in OWNED:
        return _ONE
    exponent = fill.sz.normalize().as_tuple().exponent
    return _ONE.scaleb(min(int(exponent), 0))


def _crossing(
    fill: Fill, start: Decimal, end: Decimal, average: Decimal
) -> Literal["flip", "orphan"] | None:
    """Return what a fill does beyond the flat position; None if it does not get there.

    Returns:
        `flip` if it opens the other position with its rest, `orphan` if it closes units that no
        known fill opened.
    """
    is_through = start * end < 0
    if not _closes_only(fill):
        return "flip" if is_through else None
    if is_through and _closes_known(fill, start, average):
        return "flip"
    return "orphan" if is_through or not start else None


def _closes_only(fill: Fill) -> bool:
    """Tell a fill that cannot open a position: one beyond flat closes what was opened earlier."""
    if fill.states_position or fill.effect == "open":
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


def _is_dust(
    fill: Fill, start: Decimal, end: Decimal, largest: Decimal, lot: Decimal, *, is_split: bool
) -> bool:
    """Tell a fill that leaves too little of a thing owned to be sold.

    Args:
        largest: most units held in the trip.
        lot: the smallest decimal place of a size in the trip.
        is_split: shares were split in the trip: a fraction of a lot that is left of them was paid
            out in cash.
    """
    rest = abs(end)
    if start * fill.move >= 0 or start * end <= 0 or fill.kind not in OWNED:
        return False
    if rest <= DUST * largest or (is_split and rest < lot):
        return True
    is_cheap = not is_money(fill.quote) or rest * fill.px * fill.multiplier <= LOT_WORTH
    return rest < lot and rest <= LOT_DUST * largest and is_cheap


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
    """Share an amount by size, to a millionth, and an amount below a thousandth to six digits."""
    digits = amount.adjusted()
    unit = _MICRO if digits >= _THOUSANDTH else _ONE.scaleb(digits - 6)
    return _SHARE.quantize(_SHARE.divide(amount * part, whole), unit)
