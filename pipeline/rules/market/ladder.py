"""A series as whole numbers with running sums: any move, deviation or extreme in one step.

Prices are whole multiples of one power of ten, adjusted for splits, so a quotient of two of them is
exact. A sum of whole numbers is the same in any order: any slice or start gives the same digits.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from datetime import timedelta
from fractions import Fraction
from typing import Final, NamedTuple

from afterword.pipeline.clock import to_micros
from afterword.pipeline.rules.market.classes import NOTHING_STATED, StatedClasses
from afterword.pipeline.rules.market.exact import PPB, rounded
from afterword.pipeline.rules.market.extremes import Extremes
from afterword.pipeline.rules.market.splits import LARGEST_JUMP, Split, may_split
from afterword.pipeline.rules.market.volatility import FEWEST_MOVES, MOVE_PARTS, Spread
from afterword.pipeline.rules.market.windows import enters_at_open, lookback, oldest

_MICROSECOND: Final = timedelta(microseconds=1)
_JUMP, _OF = LARGEST_JUMP.as_integer_ratio()


class PriceRow(NamedTuple):
    """A bar as texts.

    Args:
        t_open: when it opened; microseconds.
        open: decimal text without an exponent; `high`, `low` and `close` likewise.
        is_revised: whether it was revised later; its prices here are those first published.
    """

    t_open: int
    open: str
    high: str
    low: str
    close: str
    is_revised: bool = False


class LadderEntry(NamedTuple):
    """The first price at or after a moment.

    Args:
        at: when it was the price; microseconds.
        price: in the units of its ladder.
        last: place of the last bar that is known then; the next one is the first of the window.
        is_open: whether it is the open of the next bar; else it is the close of the last one.
    """

    at: int
    price: int
    last: int
    is_open: bool = False


class Ladder:
    """The closes, highs and lows of one series, the oldest first; bars are only added.

    Reading is safe while another thread adds bars: the moment of a close is added last.

    Args:
        symbol: the market as its source writes it.
        splits: of this market, at any time.
        classes: that say whether it closes, may split, and which market leads it.
    """

    def __init__(
        self,
        symbol: str,
        interval: timedelta,
        splits: Sequence[Split] = (),
        classes: StatedClasses = NOTHING_STATED,
    ) -> None:
        self.symbol = symbol
        self.group = group = classes.group(symbol)
        self.interval = interval // _MICROSECOND
        self.splits = tuple(splits)
        self.oldest = oldest(group, interval) // _MICROSECOND
        self.lead = self.interval if enters_at_open(group, interval) else 0
        """How long before the close of its bar an entry is; microseconds."""
        self.lookback = lookback(interval) // _MICROSECOND
        self.may_split = may_split(group)
        self.closed: list[int] = []
        """When each bar closed; microseconds."""
        self.closes: list[int] = []
        self.texts: list[str] = []
        """The closes as the source has them."""
        self.opens: list[int] = []
        self.open_texts: list[str] = []
        """The opens, and as the source has them; only where an entry is one."""
        self.flat: set[int] = set()
        """Places of bars of which the source has one price only: their open is not known."""
        self.highs, self.lows = Extremes(max), Extremes(min)
        self.squares: list[int] = []
        """The sum of squared moves up to the one that ends with each bar."""
        self.jumps: list[int] = []
        """Places of bars whose move is greater than is believed of a market that may split."""
        self.revised: list[int] = []
        """Places of bars that were revised later."""
        self._digits = 0
        ratios = sorted(self.splits)
        self._split_at = [to_micros(one.effective_at) for one in ratios]
        self._factors = _factors([one.ratio for one in ratios])

    def __len__(self) -> int:
        return len(self.closed)

    def extend(self, rows: Iterable[PriceRow]) -> None:
        """Add bars, in order of time, each later than all before."""
        new = list(rows)
        digits = self._finest(new)
        if digits > self._digits:
            self._rescale(digits)
        closes, opens, highs, lows = self.closes, [], [], []
        last = closes[-1] if closes else 0
        total = self.squares[-1] if self.squares else 0
        squares: list[int] = []
        place = len(closes)
        for t_open, first, high, low, close, is_revised in new:
            factor = self.factor(t_open)
            now = self._whole(close) * factor
            if self.lead:
                opens.append(self._whole(first) * factor)
                if first == high == low == close:
                    self.flat.add(place)
            highs.append(now if high == close else self._whole(high) * factor)
            lows.append(now if low == close else self._whole(low) * factor)
            if last:
                moved = rounded((now - last) * MOVE_PARTS, last)
                total += moved * moved
                if self.may_split and not (last * _OF < now * _JUMP and now * _OF < last * _JUMP):
                    self.jumps.append(place)
            squares.append(total)
            closes.append(now)
            if is_revised:
                self.revised.append(place)
            last, place = now, place + 1
        self.highs.extend(highs)
        self.lows.extend(lows)
        self.squares += squares
        self.texts += [row.close for row in new]
        if self.lead:
            self.opens += opens
            self.open_texts += [row.open for row in new]
        self.closed += [row.t_open + self.interval for row in new]

    def can_take(self, rows: Sequence[PriceRow]) -> bool:
        """Return whether adding bars leaves the prices so far as they are.

        Prices with more decimals are another power of ten: no thread may be reading then.
        """
        return self._finest(rows) <= self._digits

    def entry(self, moment: int, known: int) -> LadderEntry | None:
        """Return the first price at or after a moment; None if none is known.

        Args:
            known: how many bars are known.
        """
        lead = self.lead
        place = bisect_left(self.closed, moment + lead)
        if place >= known:
            return None
        if lead and place not in self.flat:
            return LadderEntry(self.closed[place] - lead, self.opens[place], place - 1, True)
        return self.close_entry(place)

    def close_entry(self, place: int) -> LadderEntry:
        """Return the close of a bar as an entry."""
        return LadderEntry(self.closed[place], self.closes[place], place)

    def entry_text(self, entry: LadderEntry) -> str:
        """Return the price of what `entry` returned as the source has it."""
        return self.open_texts[entry.last + 1] if entry.is_open else self.texts[entry.last]

    def last_by(self, moment: int) -> int:
        """Return the place of the last bar closed at or before a moment; -1 if there is none."""
        return bisect_right(self.closed, moment) - 1

    def first_recent(self, moment: int) -> int:
        """Return the place of the first close that its volatility before a moment looks at."""
        return bisect_left(self.closed, moment - self.lookback)

    def spread(self, first: int, last: int) -> Spread | None:
        """Return how much the market moved from one close to another; None with too few moves."""
        if last - first < FEWEST_MOVES:
            return None
        squares, closed = self.squares, self.closed
        return Spread(squares[last] - squares[first], closed[last] - closed[first])

    def move_ppb(self, first: int, last: int) -> int:
        """Return the move from one close to another; parts per billion."""
        return self.move_from_ppb(self.closes[first], last)

    def move_from_ppb(self, price: int, last: int) -> int:
        """Return the move from a price, in the units of the ladder, to a close."""
        return rounded((self.closes[last] - price) * PPB, price)

    def move_to_ppb(self, first: int, price: int) -> int:
        """Return the move from a close to a price, in the units of the ladder."""
        close = self.closes[first]
        return rounded((price - close) * PPB, close)

    def jump(self, first: int, last: int) -> int | None:
        """Return the place of the first bar after `first` and up to `last` that jumps."""
        return _first_in(self.jumps, first + 1, last)

    def is_revised(self, first: int, last: int) -> bool:
        """Return whether a bar from `first` to `last` was revised later."""
        return bool(self.revised) and _first_in(self.revised, first, last) is not None

    def factor(self, moment: int) -> int:
        """Return what a price of a moment is multiplied by so that all have one unit.

        Args:
            moment: when the bar of the price opened; microseconds.
        """
        return self._factors[bisect_right(self._split_at, moment)] if self._split_at else 1

    def unit(self, moment: int) -> int:
        """Return how many parts the price 1 has in the units of a moment."""
        return self.parts * self.factor(moment)

    @property
    def parts(self) -> int:
        """How many parts the price 1 has where its factor is 1."""
        return int(10**self._digits)

    def _finest(self, rows: Sequence[PriceRow]) -> int:
        """Return the decimals of the prices that are kept of bars; count."""
        digits = max((_digits(text) for row in rows for text in row[2:5]), default=0)
        return max(digits, *(_digits(row.open) for row in rows)) if rows and self.lead else digits

    def _whole(self, text: str) -> int:
        whole, _, part = text.partition(".")
        return int(whole + part.ljust(self._digits, "0"))

    def _rescale(self, digits: int) -> None:
        by = 10 ** (digits - self._digits)
        self._digits = digits
        if self.closes:
            self.closes = [price * by for price in self.closes]
            self.opens = [price * by for price in self.opens]
            highs, lows = Extremes(max), Extremes(min)
            highs.extend([price * by for price in self.highs.values])
            lows.extend([price * by for price in self.lows.values])
            self.highs, self.lows = highs, lows


def _factors(ratios: Sequence[Fraction]) -> list[int]:
    """Return the factor of the prices before each split, and after the last; whole numbers."""
    factors = [Fraction(1)]
    for ratio in ratios:
        factors.append(factors[-1] * ratio)
    whole = 1
    for ratio in ratios:
        whole *= ratio.denominator
    return [int(factor * whole) for factor in factors]


def _digits(text: str) -> int:
    return len(text.partition(".")[2])


def _first_in(places: Sequence[int], first: int, last: int) -> int | None:
    at = bisect_left(places, first)
    return places[at] if at < len(places) and places[at] <= last else None
