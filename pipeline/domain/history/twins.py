"""Trades that two layouts of one venue tell of, without an id in common.

A layout may count an order as one row, round its price, or cut its time to the second. So not
single fills are compared, but what was bought and sold of a market in each moment of the coarser
clock. Where the two files overlap, and say the same in every moment, the trades are the same and
count once. Where they agree in part, nobody can tell which trades are whose: those of the later
file are set aside and reported. Where no moment agrees, they are different trades.
"""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Final, Literal, NamedTuple

from afterword.pipeline.domain.fills.model import EXACT

_CLOCKS: Final = (60_000, 1_000)
_NEAR: Final = Decimal("0.001")
"""How far two sums of money may differ: an average price is rounded."""

_SHARE: Final = 10
"""One moment in so many must agree, for two files to be taken for the same trades."""

_ZERO: Final = Decimal(0)


Market = tuple[str, str, str, str]
"""Account, symbol, venue and kind."""


class TradedAmount(NamedTuple):
    """A fill, as far as another layout can tell of it too.

    Args:
        units: of what the price is the price of one.
        cash: what they were worth, in the quote currency.
    """

    market: Market
    side: str
    time_ms: int
    units: Decimal
    cash: Decimal


class Moment(NamedTuple):
    """What was bought, or sold, of a market in one tick of the coarser clock."""

    market: Market
    side: str
    tick: int


class Span(NamedTuple):
    """The time that two files have in common; UTC milliseconds, both ends inside."""

    first_ms: int
    last_ms: int


Verdict = Literal["twin", "unclear"]


class Twins(NamedTuple):
    """What becomes of the fills of a file; those that it does not name are stored.

    Args:
        clock: of the moments; milliseconds.
        verdicts: by moment: a twin is stored already, an unclear one is set aside.
    """

    clock: int
    verdicts: Mapping[Moment, Verdict]

    def verdict(self, market: Market, side: str, time_ms: int) -> Verdict | None:
        """Return what becomes of a fill; None stores it."""
        return self.verdicts.get(Moment(market, side, time_ms // self.clock))


def find_twins(
    ours: Sequence[TradedAmount], theirs: Sequence[TradedAmount], spans: Iterable[Span]
) -> Twins:
    """Tell which fills of a file are known from another layout.

    Args:
        ours: fills of the file that have no name in the store.
        theirs: fills that came from files of other layouts, and that the file does not name.
        spans: where the file overlaps with these files.
    """
    clock = max(_clock(ours), _clock(theirs))
    ticks = [(one.first_ms // clock, one.last_ms // clock) for one in spans]
    edges = {tick for span in ticks for tick in span}
    mine, known = (
        _by_market(one for one in told if _is_in(one.time_ms // clock, ticks))
        for told in (ours, theirs)
    )
    verdicts: dict[Moment, Verdict] = {}
    for market in mine.keys() & known.keys():
        verdicts |= _of_market(_sums(mine[market], clock), _sums(known[market], clock), edges)
    return Twins(clock, verdicts)


def _of_market(
    mine: Mapping[Moment, tuple[Decimal, Decimal]],
    known: Mapping[Moment, tuple[Decimal, Decimal]],
    edges: set[int],
) -> dict[Moment, Verdict]:
    both = mine.keys() & known.keys()
    equal = {moment for moment in both if _agree(mine[moment], known[moment])}
    # A file may begin or end inside a tick of the other's clock.
    odd = {one for one in (mine.keys() | known.keys()) - equal if one.tick not in edges}
    if not odd:
        verdicts: dict[Moment, Verdict] = dict.fromkeys(equal, "twin")
        return verdicts | dict.fromkeys(both - equal, "unclear") if equal else {}
    if equal and len(equal) * _SHARE >= min(len(mine), len(known)):
        return dict.fromkeys(mine, "unclear")
    return {}


def _agree(mine: tuple[Decimal, Decimal], known: tuple[Decimal, Decimal]) -> bool:
    return mine[0] == known[0] and abs(mine[1] - known[1]) <= _NEAR * max(mine[1], known[1])


def _sums(told: Iterable[TradedAmount], clock: int) -> dict[Moment, tuple[Decimal, Decimal]]:
    sums: dict[Moment, tuple[Decimal, Decimal]] = {}
    for amount in told:
        moment = Moment(amount.market, amount.side, amount.time_ms // clock)
        units, cash = sums.get(moment, (_ZERO, _ZERO))
        sums[moment] = EXACT.add(units, amount.units), EXACT.add(cash, amount.cash)
    return sums


def _by_market(told: Iterable[TradedAmount]) -> dict[Market, list[TradedAmount]]:
    amounts: dict[Market, list[TradedAmount]] = {}
    for amount in told:
        amounts.setdefault(amount.market, []).append(amount)
    return amounts


def _clock(told: Sequence[TradedAmount]) -> int:
    """Return the finest time that a file writes; milliseconds."""
    return next((unit for unit in _CLOCKS if all(one.time_ms % unit == 0 for one in told)), 1)


def _is_in(tick: int, ticks: Iterable[tuple[int, int]]) -> bool:
    return any(first <= tick <= last for first, last in ticks)
