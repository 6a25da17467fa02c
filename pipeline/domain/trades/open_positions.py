"""What positions that are still open cost, what they are worth, and when they forbid praise.

A position that is open is in no result. Who takes profits and never a loss has a brilliant record
until the losers are closed, and no test of what was closed can see it.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Final, NamedTuple

from afterword.pipeline.domain.fills.model import AVERAGE, EXACT
from afterword.pipeline.domain.prices.feed import PriceSource
from afterword.pipeline.domain.trades.measure import priced_as
from afterword.pipeline.domain.trades.model import TripOutcome
from afterword.pipeline.domain.trades.sums_model import OpenSums, QuoteSums
from afterword.pipeline.domain.trips.model import OpenPosition
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.rules.market.symbols import parse_symbol

LARGE: Final = Fraction(1, 4)
"""Share of the net from which what open positions lost, or may have lost, is large: the net that
is left would be another one."""

STALE_AFTER: Final = timedelta(days=7)
"""How much older than the last trade the last known price of a market may be."""

OTHER_UNITS: Final = 2
"""A fill at more than twice, or less than half, of the price before it is in other units."""

_ZERO: Final = Decimal(0)
_MILLIONTH: Final = Decimal("0.000001")


class Mark(NamedTuple):
    """An open position at the last known price.

    Args:
        worth: of the units held; positive, in the quote.
        result: what the position would come to after fees if it were closed there.
        at: moment of the price.
    """

    worth: Decimal
    result: Decimal
    at: datetime


class MarkedPosition(NamedTuple):
    """An open position and what is known of its worth."""

    position: OpenPosition
    mark: Mark | None


def marked(
    prices: PriceSource,
    positions: Sequence[OpenPosition],
    outcomes: Iterable[TripOutcome],
    at: datetime,
) -> tuple[MarkedPosition, ...]:
    """Return open positions, each at the last known price of its market.

    Args:
        outcomes: of the trips that closed.
        at: no later price is read.
    """
    moments = [outcome.trip.closed_at for outcome in outcomes] + [
        position.last_at for position in positions
    ]
    last = max(moments, default=at)
    with localcontext(EXACT):
        return tuple(
            MarkedPosition(position, _mark(prices, position, last, at)) for position in positions
        )


def open_sums(
    closed: Iterable[QuoteSums], positions: Iterable[MarkedPosition]
) -> tuple[OpenSums, ...]:
    """Return what open positions cost and are worth, by quote.

    Args:
        closed: the sums of complete trips.
    """
    nets = {sums.quote: sums.net for sums in closed}
    groups: dict[str, list[MarkedPosition]] = defaultdict(list)
    for held in positions:
        groups[held.position.quote].append(held)
    with localcontext(EXACT):
        return tuple(_sums(quote, groups[quote], nets.get(quote)) for quote in sorted(groups))


def _mark(prices: PriceSource, position: OpenPosition, last: datetime, at: datetime) -> Mark | None:
    """Return an open position at the last known price; None if there is none, or no known cost.

    The price is not older than the position's last fill, but for a bar, and not much older than
    `last`, the last trade of all.
    """
    if position.cost is None:
        return None
    written = priced_as(position.market.symbol, position.quote)
    priced = [
        (bar, series)
        for series in prices.series(written)
        if (bar := prices.close_at(series, at, at)) is not None
    ]
    if not priced:
        return None
    bar, series = max(priced, key=lambda pair: (pair[0].closed_at, -pair[0].interval))
    is_old = bar.closed_at < max(position.last_at - bar.interval, last - STALE_AFTER)
    is_split = any(position.opened_at < split.effective_at <= at for split in prices.splits(series))
    then = prices.close_at(series, position.last_at, at) or bar
    per = parse_symbol(written).multiplier, parse_symbol(series.symbol).multiplier
    if is_old or is_split or not _is_unit(position, then, per):
        return None
    units = position.position * position.multiplier
    price = AVERAGE.divide(bar.close * per[0], per[1])
    worth = units * price
    return Mark(abs(worth), position.cash + worth - position.fees, bar.closed_at)


def forbids_praise(closed: QuoteSums | None, opened: OpenSums) -> bool:
    """Tell whether what is open may undo what was earned, so that it must not be named.

    It may if a cost is not known, or if the loss at the last known prices, and the whole cost of
    what has no price, come to more than a quarter of the net.
    """
    net = max(_ZERO, _ZERO if closed is None else closed.net)
    return bool(opened.entry_unknown) or at_risk(opened) > net * LARGE.numerator / LARGE.denominator


def at_risk(opened: OpenSums) -> Decimal:
    """Return what open positions lost, as far as prices tell it, and the cost of the others."""
    lost = max(_ZERO, -(opened.result or _ZERO))
    return EXACT.add(lost, opened.unpriced_cost)


def forbidding(closed: Sequence[QuoteSums], opened: Iterable[OpenSums]) -> tuple[str, ...]:
    """Return the currencies whose open positions keep the whole book from being praised."""
    by_quote = {sums.quote: sums for sums in closed}
    return tuple(sums.quote for sums in opened if forbids_praise(by_quote.get(sums.quote), sums))


def _sums(quote: str, of: Sequence[MarkedPosition], net: Decimal | None) -> OpenSums:
    marks = [held.mark for held in of if held.mark is not None]
    result = sum((mark.result for mark in marks), _ZERO)
    return OpenSums(
        quote=quote,
        positions=len(of),
        entry_unknown=sum(held.position.cost is None for held in of),
        cost=sum((held.position.cost or _ZERO for held in of), _ZERO),
        realised=sum((realised_of(held.position) for held in of), _ZERO),
        unpriced=len(of) - len(marks),
        unpriced_cost=sum((held.position.cost or _ZERO for held in of if held.mark is None), _ZERO),
        worth=sum((mark.worth for mark in marks), _ZERO) if marks else None,
        result=result if marks else None,
        priced_at=min((mark.at for mark in marks), default=None),
        net_with=None if net is None or not marks else net + result,
    )


def realised_of(position: OpenPosition) -> Decimal:
    """Return what the closed part of an open position brought before fees; 0 if nobody knows it.

    The cost of the units held is known to a millionth, so a millionth is none.
    """
    if position.cost is None:
        return _ZERO
    paid = position.cost if position.direction == "long" else -position.cost
    realised = EXACT.add(position.cash, paid)
    return realised if abs(realised) > _MILLIONTH else _ZERO


def _is_unit(position: OpenPosition, bar: Bar, per: tuple[int, int]) -> bool:
    """Tell whether prices are in the units of a position: its last fill is near that of then."""
    filled, priced = position.last_px * per[1], bar.close * per[0]
    return priced <= OTHER_UNITS * filled and filled <= OTHER_UNITS * priced
