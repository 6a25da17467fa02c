"""How much a market usually moves in each part of the week: its hours, nights and weekends.

A deviation that grows with the clock is too large for a Saturday and too small for the opening of
New York. Squared moves are added up by their place in the week, and so are bars. Every week is a
row of whole numbers of its own, so a reader asks as of a moment in one step.
"""

import threading
from array import array
from bisect import bisect_right
from itertools import accumulate
from typing import Final, NamedTuple

from afterword.pipeline.rules.market.exact import rounded, rounded_root
from afterword.pipeline.rules.market.ladder import Ladder
from afterword.pipeline.rules.market.volatility import SQUARES_TO_PPB, Spread
from afterword.pipeline.rules.market.windows import HOUR_US, WEEK_US

FEWEST_WEEKS: Final = 4
"""Weeks with a bar from which a profile is used; before, a deviation grows with the clock."""

PSEUDO_WEEKS: Final = 30
"""Weeks that moves of one size in all trading time count as, beside the real ones. See decision
record 0065."""

_SHARES: Final = 10**15
"""Parts of a week's squared moves."""


class _Week(NamedTuple):
    """What was known at the end of a week.

    Args:
        weeks: with a bar; count.
        shares: running sums over the parts of the week of its usual squared moves.
        bars: running sums of the bars of all weeks; count.
    """

    weeks: int
    shares: "array[int]"
    bars: "array[int]"

    def up_to(self, moment: int, part: int) -> tuple[int, int]:
        """Return the shares and the bars of all time from 1970 to a moment, if each week were this
        one; both times the microseconds of a part.
        """
        places, into = divmod(moment, part)
        _, shares, bars = self
        weeks, place = divmod(places, len(bars) - 1)
        share, bar = weeks * shares[-1] + shares[place], weeks * bars[-1] + bars[place]
        if not into:
            return share * part, bar * part
        later = place + 1
        return (
            share * part + (shares[later] - shares[place]) * into,
            bar * part + (bars[later] - bars[place]) * into,
        )


class UsualPace(NamedTuple):
    """How much a market moves as of a moment, and how a usual week goes on from there.

    Args:
        spread: the moves of the past.
        week: None where too few are known: a deviation then grows with the clock.
        past: shares of the week that the past took; `begun` those up to the start since 1970, times
            the microseconds of a part.
        traded: bars up to the start, likewise.
    """

    spread: Spread
    start: int
    part: int
    week: _Week | None
    past: int
    begun: int
    traded: int

    def sigma_ppb(self, end: int, bars: int) -> int | None:
        """Return the deviation that is usual from the start to a moment.

        Args:
            end: microseconds.
            bars: that closed in this time; count.

        Returns:
            Parts per billion; None where the market had less than half of the bars that are usual
            then, or is usually closed: nothing can be said of such a span.
        """
        spread, start, part, week, past, begun, traded = self
        if week is None:
            return spread.sigma_ppb(end - start)
        shares, usual = week.up_to(end, part)
        usual -= traded
        if not usual or 2 * bars * week.weeks * part < usual:
            return None
        return rounded_root(spread.squares * (shares - begun), past * SQUARES_TO_PPB)


class WeekProfile:
    """The moves of a series by their place in the week, as they were known at the end of each."""

    def __init__(self, ladder: Ladder) -> None:
        self._ladder = ladder
        self._lock = threading.Lock()
        self._bars = 0  # of the ladder when it was last read
        self._next = 0  # place of the first bar that is not counted
        self._part = _part_of(ladder.interval)
        parts = WEEK_US // self._part
        self._moves, self._counts, self._known = [0] * parts, [0] * parts, 0
        self._first = 0  # the week of the first row; weeks since 1970
        self._weeks: list[_Week] = []

    def pace(self, spread: Spread, until: int, start: int) -> UsualPace:
        """Return the pace of the market as it was known at a moment.

        The squared moves of the past, and how much of a usual week the past took: a span has as
        much more as its share of a usual week is larger. Moves of one size in all trading time
        count as `PSEUDO_WEEKS`; where nothing ever traded there are none.

        Args:
            spread: the past; it ended at `until`, at the start or before.
            start: microseconds.
        """
        if self._bars != len(self._ladder.closed):
            with self._lock:
                self._extend()
        part, row = self._part, start // WEEK_US - 1 - self._first
        if 0 <= row < len(self._weeks) and (week := self._weeks[row]).weeks >= FEWEST_WEEKS:
            begun, traded = week.up_to(start, part)
            ended = begun if until == start else week.up_to(until, part)[0]
            past = ended - week.up_to(until - spread.took, part)[0]
            if past:
                return UsualPace(spread, start, part, week, past, begun, traded)
        return UsualPace(spread, start, part, None, 0, 0, 0)

    def _extend(self) -> None:
        ladder, bars = self._ladder, len(self._ladder)
        closed, squares = ladder.closed, ladder.squares
        if not ladder.interval or self._part % ladder.interval:
            self._bars = bars  # single prints, and bars that do not fit into a week
            return
        if not self._first:
            # The first week that is whole; its end is the first row.
            self._first = -(-(closed[0] - ladder.interval) // WEEK_US)
            self._next = bisect_right(closed, self._first * WEEK_US)
        end = (self._first + len(self._weeks) + 1) * WEEK_US
        while end <= closed[bars - 1]:
            last = bisect_right(closed, end)
            for place in range(self._next, last):
                part = (closed[place] - 1) % WEEK_US // self._part
                self._moves[part] += squares[place] - (squares[place - 1] if place else 0)
                self._counts[part] += 1
            self._known += last > self._next
            self._weeks.append(self._week())
            self._next, end = last, end + WEEK_US
        self._bars = bars

    def _week(self) -> _Week:
        weeks, moves, bars = self._known, _sums(self._moves), _sums(self._counts)
        own, flat = weeks * bars[-1], PSEUDO_WEEKS * moves[-1]
        running = [moved * own + traded * flat for moved, traded in zip(moves, bars, strict=True)]
        shares = [rounded(_SHARES * moved, running[-1] or 1) for moved in running]
        return _Week(weeks, array("q", shares), array("q", bars))


def _part_of(interval: int) -> int:
    """Return the parts that a week is divided into: hours, or longer bars; microseconds."""
    return interval if interval > HOUR_US and WEEK_US % interval == 0 else HOUR_US


def _sums(numbers: list[int]) -> list[int]:
    return [0, *accumulate(numbers)]
