"""The typical |move| / sigma of windows: the median of the past, drawn to a usual one."""

from bisect import bisect_left, bisect_right, insort
from collections import deque
from typing import Final

from afterword.pipeline.rules.market.exact import rounded
from afterword.pipeline.rules.market.windows import DAY_US

TYPICAL_SPAN_US: Final = 250 * DAY_US
"""How far back the typical move looks."""


class TypicalRatio:
    """The median of ratios, as it was known at any moment.

    Args:
        each: microseconds that one independent window takes.
        weight: independent windows that the usual ratio counts as.
    """

    def __init__(self, each: int, weight: int) -> None:
        self._each, self._weight = each, weight
        self._recent: deque[tuple[int, int, int]] = deque()  # exited at, entered at, ratio
        self._sorted: list[int] = []
        self._known: list[int] = []
        self._ratios: list[int] = []

    def add(self, entered_at: int, exited_at: int, ratio: int, usual: int) -> None:
        """Count a window, not earlier than the last one; those that are too old go.

        Args:
            exited_at: when it was known; microseconds, as `entered_at`.
            ratio: its |move| / sigma; parts per billion.
            usual: the ratio that the median is drawn to.
        """
        insort(self._sorted, ratio)
        self._recent.append((exited_at, entered_at, ratio))
        while self._recent[0][0] <= exited_at - TYPICAL_SPAN_US:
            gone = self._recent.popleft()[2]
            del self._sorted[bisect_left(self._sorted, gone)]
        count, middle = len(self._sorted), len(self._sorted) // 2
        median = self._sorted[middle]
        if count % 2 == 0:
            median = rounded(self._sorted[middle - 1] + median, 2)
        windows = min(count, (exited_at - self._recent[0][1]) // self._each)
        shrunk = usual * self._weight + windows * median
        self._ratios.append(rounded(shrunk, self._weight + windows))
        self._known.append(exited_at)

    def as_of(self, moment: int) -> int | None:
        """Return the typical ratio that was known at a moment; None without a window."""
        at = bisect_right(self._known, moment)
        return self._ratios[at - 1] if at else None
