"""What a market did so far, counted once: how often it rose, its typical move, its volatility.

Every count carries the moment from which it was known, so a reader asks as of a moment. What comes
later changes no answer.
"""

import threading
from bisect import bisect_left, bisect_right, insort
from collections import deque
from typing import Final, Literal, NamedTuple

from afterword.pipeline.rules.market.exact import PPB, rounded
from afterword.pipeline.rules.market.ladder import Ladder, LadderEntry
from afterword.pipeline.rules.market.outcome import Stance
from afterword.pipeline.rules.market.trend_base import (
    SetupBase,
    TrendCounts,
    place_before,
    trend_of,
)
from afterword.pipeline.rules.market.typical_ratio import TypicalRatio
from afterword.pipeline.rules.market.volatility import (
    Spread,
    band_ppb,
    neutral_verdict,
    typical_ppb,
)
from afterword.pipeline.rules.market.week_profile import WeekProfile
from afterword.pipeline.rules.market.windows import DAY_US, HOUR_US, WEEK_US
from afterword.pipeline.rules.setup import Trend

_PRIOR_VOTES: Final = 15
"""Hits, and misses, that a base rate begins with."""

USUAL_RATIO_PPB: Final = 620_000_000
"""The median of |move| / sigma where nothing is known: real series have 0.55 to 0.68."""

USUAL_WEIGHT: Final = 25
"""Independent windows that the usual ratio counts as."""

CELL_US: Final = 4 * HOUR_US
"""Windows shorter than a week are compared with those that began at the same time of the week."""

CELL_WEIGHT: Final = 6
"""Weeks that the typical ratio of all times counts as, beside those of one time of the week."""

STEP_US: Final = 2 * HOUR_US
"""Typical moves count windows that begin so often, those of a week or longer each day."""

YEAR_US: Final = 365 * DAY_US
FEWEST_DAYS: Final = 60
"""The least number of daily volatilities that terciles are drawn from."""

BETA_SPAN_US: Final = 90 * DAY_US
FEWEST_PAIRS: Final = 20
_NEVER: Final = -1 << 62
_LONGEST_PAIR: Final = 5 * DAY_US  # over a long weekend; a longer pause is not a daily move


class MissingExit(NamedTuple):
    """Why a window has no exit.

    Args:
        is_final: no later bar can change it.
        before: place of the last bar closed before the due moment; -1 if there is none.
    """

    is_final: bool
    before: int


def find_exit(ladder: Ladder, due: int, known: int) -> int | MissingExit:
    """Return the place of the bar whose close is the exit: the first at or after the due moment.

    Args:
        due: the end of a window that began at its entry; microseconds.
        known: how many bars are known.
    """
    after = bisect_left(ladder.closed, due)
    if after >= known:
        return MissingExit(False, after - 1)
    if ladder.closed[after] - due <= ladder.oldest:
        return after
    return MissingExit(True, after - 1)


class WindowRates(NamedTuple):
    """What was known of the windows of a market; parts per billion.

    Args:
        ratio: the typical |move| / sigma.
        base: the base rate of a direction; `setup` that after the move before it, if that is asked.
    """

    ratio: int
    base: int
    setup: SetupBase | None


class WindowRecord:
    """All windows of one length in a series: what is typical, and how often it rose or fell.

    Windows begin at multiples of their length since 1970, so any part of a series has the same
    ones. Typical moves also count the windows that begin between those, each `STEP_US` or day. Each
    has the entry and the exit of a decision made at its beginning; one whose entry an earlier
    window has is left out.

    Args:
        window: microseconds.
        costs_ppb: of a round trip; part of the band.
    """

    def __init__(self, ladder: Ladder, profile: WeekProfile, window: int, costs_ppb: int) -> None:
        self._ladder, self._profile = ladder, profile
        self._window, self._costs = window, costs_ppb
        self._step = max(STEP_US, ladder.interval) if window < WEEK_US else DAY_US
        self._lock = threading.Lock()
        self._bars = 0  # of the ladder when it was last read
        self._start: int | None = None  # the next window
        self._last_entries = (_NEVER, _NEVER)  # of the last window, and of the last on the grid
        self._ratio = TypicalRatio(window, USUAL_WEIGHT)
        self._cells = [TypicalRatio(WEEK_US, CELL_WEIGHT) for _ in range(WEEK_US // CELL_US)]
        self._known: list[int] = []
        self._counts = (0, 0, 0, 0)  # rises, falls, rests, departures
        self._after: list[TrendCounts] = []
        self._bases: dict[Stance, list[int]] = {"long": [], "short": [], "neutral": []}

    def as_of(self, stance: Stance, entered_at: int, trend: Trend | None = None) -> WindowRates:
        """Return what was known at the entry of a call.

        The typical ratio is the median over the windows of the past (see `TypicalRatio`) that
        entered at the same time of the week, pulled to that of all by `CELL_WEIGHT`, and that to
        `USUAL_RATIO_PPB` by its weight. The base rate is how often a call without skill was right:
        of the windows that did not overlap and whose move was beyond the band; for neutral, of
        those that rested or departed beyond doubt. `_PRIOR_VOTES` of each pull it to a half.

        Args:
            trend: class of the move over one window before the entry.
        """
        if self._bars != len(self._ladder.closed):
            with self._lock:
                self._extend()
        at = bisect_right(self._known, entered_at)
        base = self._bases[stance][at - 1] if at else PPB // 2
        setup = None
        if trend is not None and stance != "neutral":
            counts = self._after[at - 1] if at else TrendCounts()
            setup = counts.base(stance == "long", trend, base)
        return WindowRates(self._typical(entered_at), base, setup)

    def _typical(self, entered_at: int) -> int:
        ratio = None
        if self._window < WEEK_US:
            ratio = self._cells[_cell(entered_at)].as_of(entered_at)
        return ratio or self._ratio.as_of(entered_at) or USUAL_RATIO_PPB

    def _extend(self) -> None:
        bars, closed = len(self._ladder), self._ladder.closed
        if self._start is None:
            self._start = -(-closed[0] // self._window) * self._window
        start = self._start
        while start <= closed[bars - 1] and self._take(start, bars):
            start = self._next(start)
        self._start, self._bars = start, bars

    def _next(self, start: int) -> int:
        end = (start // self._window + 1) * self._window
        return min(start + self._step, end)

    def _take(self, start: int, bars: int) -> bool:
        """Count the window from a moment; False if its entry or exit is not known yet."""
        ladder, is_on_grid = self._ladder, start % self._window == 0
        entry = ladder.entry(start, bars)
        if entry is None:
            return False
        if entry.at - start > ladder.oldest:
            return True
        last = find_exit(ladder, entry.at + self._window, bars)
        if isinstance(last, MissingExit) and not last.is_final:
            return False
        before, before_on_grid = self._last_entries
        self._last_entries = (entry.at, entry.at if is_on_grid else before_on_grid)
        is_new, is_new_on_grid = entry.at != before, is_on_grid and entry.at != before_on_grid
        if not isinstance(last, MissingExit) and (is_new or is_new_on_grid):
            self._count(entry, last, is_new, is_new_on_grid)
        return True

    def _count(self, entry: LadderEntry, last: int, is_new: bool, is_on_grid: bool) -> None:
        ladder, entered_at = self._ladder, entry.at
        first = ladder.first_recent(entered_at)
        spread = ladder.spread(first, entry.last)
        if spread is None or (ladder.jumps and ladder.jump(first, last) is not None):
            return
        exited_at = ladder.closed[last]
        pace = self._profile.pace(spread, ladder.closed[entry.last], entered_at)
        usual = pace.sigma_ppb(exited_at, last - entry.last)
        move = ladder.move_from_ppb(entry.price, last)
        if is_on_grid:
            sigma = spread.sigma_ppb(exited_at - entered_at)
            self._count_after(entry, spread, move, sigma)
            self._count_on_grid(entered_at, move, sigma, usual, exited_at)
        if is_new and usual:
            ratio = rounded(abs(move) * PPB, usual)
            typical = self._ratio.as_of(exited_at) or USUAL_RATIO_PPB
            self._cells[_cell(entered_at)].add(entered_at, exited_at, ratio, typical)
            self._ratio.add(entered_at, exited_at, ratio, USUAL_RATIO_PPB)

    def _count_on_grid(
        self, entered_at: int, move: int, sigma: int, usual: int | None, exited_at: int
    ) -> None:
        rises, falls, rests, departures = self._counts
        if abs(move) > band_ppb(sigma, self._costs):
            rises, falls = rises + (move > 0), falls + (move < 0)
        if usual is not None:
            word = neutral_verdict(move, typical_ppb(usual, self._typical(entered_at)))
            rests, departures = rests + (word == "right"), departures + (word == "wrong")
        self._counts = rises, falls, rests, departures
        self._bases["long"].append(_base_ppb(rises, falls))
        self._bases["short"].append(_base_ppb(falls, rises))
        self._bases["neutral"].append(_base_ppb(rests, departures))
        self._known.append(exited_at)

    def _count_after(self, entry: LadderEntry, spread: Spread, move: int, sigma: int) -> None:
        """Count what followed the move before a window on the grid."""
        ladder, closed = self._ladder, self._ladder.closed
        counts = self._after[-1] if self._after else TrendCounts()
        before = place_before(ladder, entry.at, self._window)
        if before is not None and abs(move) > band_ppb(sigma, self._costs):
            moved, passed = ladder.move_to_ppb(before, entry.price), entry.at - closed[before]
            counts = counts.with_one(trend_of(spread, moved, passed, self._costs), move > 0)
        self._after.append(counts)


def _cell(moment: int) -> int:
    """Return the time of the week that a moment is in."""
    return moment // CELL_US % (WEEK_US // CELL_US)


def _base_ppb(hits: int, misses: int) -> int:
    return rounded((hits + _PRIOR_VOTES) * PPB, hits + misses + 2 * _PRIOR_VOTES)


class VolatilityRecord:
    """The daily volatilities of a series, and the terciles of a year of them."""

    def __init__(self, ladder: Ladder) -> None:
        self._ladder = ladder
        self._lock = threading.Lock()
        self._bars = 0
        self._day: int | None = None
        self._recent: deque[tuple[int, int]] = deque()  # day, variance
        self._sorted: list[int] = []
        self._known: list[int] = []
        self._cuts: list[tuple[int, int] | None] = []

    def tercile(self, hourly: int, moment: int) -> Literal["low", "middle", "high"] | None:
        """Return where a variance stands among the daily ones of the year before a moment.

        Args:
            hourly: see `Spread.hourly`.

        Returns:
            None with fewer than `FEWEST_DAYS` of them.
        """
        if self._bars != len(self._ladder.closed):
            with self._lock:
                self._extend()
        at = bisect_right(self._known, moment)
        cuts = self._cuts[at - 1] if at else None
        if cuts is None:
            return None
        return "low" if hourly < cuts[0] else "high" if hourly > cuts[1] else "middle"

    def _extend(self) -> None:
        bars, closed = len(self._ladder), self._ladder.closed
        day = -(-closed[0] // DAY_US) * DAY_US if self._day is None else self._day
        while day <= closed[bars - 1]:
            self._take(day)
            day += DAY_US
        self._day, self._bars = day, bars

    def _take(self, day: int) -> None:
        ladder = self._ladder
        last = ladder.last_by(day)
        if ladder.closed[last] <= day - DAY_US:
            return  # closed that day: no new price
        first = ladder.first_recent(day)
        spread = ladder.spread(first, last)
        if spread is None or ladder.jump(first, last) is not None:
            return
        insort(self._sorted, spread.hourly)
        self._recent.append((day, spread.hourly))
        while self._recent[0][0] <= day - YEAR_US:
            del self._sorted[bisect_left(self._sorted, self._recent.popleft()[1])]
        count = len(self._sorted)
        third = count // 3
        cuts = (self._sorted[third], self._sorted[count - 1 - third])
        self._cuts.append(cuts if count >= FEWEST_DAYS else None)
        self._known.append(ladder.closed[bisect_left(ladder.closed, day)])


class BetaRecord:
    """How a series moved with its leader, day by day."""

    def __init__(self, own: Ladder, leader: Ladder) -> None:
        self._own, self.leader = own, leader
        self._lock = threading.Lock()
        self._bars = (0, 0)
        self._day: int | None = None
        self._last: tuple[int, int, int] | None = None  # day, place of both
        self._days: list[int] = []
        self._known: list[int] = []
        self._products: list[int] = [0]
        self._squares: list[int] = [0]

    def beta_ppb(self, moment: int) -> int | None:
        """Return the slope of its daily moves on the leader's, as it was known at a moment.

        Least squares through the origin over the last `BETA_SPAN_US`; None with fewer than
        `FEWEST_PAIRS` pairs, or with a leader that did not move.
        """
        if self._bars != (len(self._own), len(self.leader)):
            with self._lock:
                self._extend()
        last = bisect_right(self._known, moment)
        first = bisect_right(self._days, moment - BETA_SPAN_US, 0, last)
        squares = self._squares[last] - self._squares[first]
        if last - first < FEWEST_PAIRS or not squares:
            return None
        return rounded((self._products[last] - self._products[first]) * PPB, squares)

    def _extend(self) -> None:
        bars = len(self._own), len(self.leader)
        if not all(bars):
            return
        both = (self._own.closed, self.leader.closed)
        day = self._day
        if day is None:
            day = -(-max(both[0][0], both[1][0]) // DAY_US) * DAY_US
        while day <= both[0][bars[0] - 1] and day <= both[1][bars[1] - 1]:
            self._take(day)
            day += DAY_US
        self._day, self._bars = day, bars

    def _take(self, day: int) -> None:
        own, leader = self._own, self.leader
        place, other = own.last_by(day), leader.last_by(day)
        if min(own.closed[place], leader.closed[other]) <= day - DAY_US:
            return  # one of them was closed that day
        last, self._last = self._last, (day, place, other)
        if last is None or day - last[0] > _LONGEST_PAIR:
            return
        if own.jump(last[1], place) is not None or leader.jump(last[2], other) is not None:
            return
        moved, led = own.move_ppb(last[1], place), leader.move_ppb(last[2], other)
        self._products.append(self._products[-1] + moved * led)
        self._squares.append(self._squares[-1] + led * led)
        self._days.append(day)
        known = (ladder.closed[bisect_left(ladder.closed, day)] for ladder in (own, leader))
        self._known.append(max(known))


class MarketRecord:
    """A series as it is measured by: its ladder, and the counts drawn from it as they are asked."""

    def __init__(self, ladder: Ladder) -> None:
        self.ladder = ladder
        self.volatility = VolatilityRecord(ladder)
        self.profile = WeekProfile(ladder)
        self._windows: dict[tuple[int, int], WindowRecord] = {}
        self._betas: dict[int, BetaRecord] = {}

    def window(self, window: int, costs_ppb: int) -> WindowRecord:
        """Return the record of windows of one length (microseconds) with some costs."""
        record = self._windows.get((window, costs_ppb))
        if record is None:
            made = WindowRecord(self.ladder, self.profile, window, costs_ppb)
            record = self._windows.setdefault((window, costs_ppb), made)
        return record

    def beta(self, leader: "MarketRecord") -> BetaRecord:
        """Return how it moved with a leader."""
        record = self._betas.get(id(leader.ladder))
        if record is None or record.leader is not leader.ladder:
            record = BetaRecord(self.ladder, leader.ladder)
            self._betas[id(leader.ladder)] = record
        return record
