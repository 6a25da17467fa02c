"""In-memory cache of price bars for one read transaction."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.domain.prices import rows
from afterword.pipeline.rules.market.bars import Bar

CACHED_BARS: Final = 40_000
"""Bars in one cache, some 30 MB; a single larger read is still cached, alone."""


@dataclass(slots=True)
class CachedStretch:
    """All bars of a series that opened from one moment to another; moments in microseconds.

    Args:
        opens: when each opened, ascending.
        revised: those of them that were revised: their value depends on the moment of the reader.
    """

    first: int
    last: int
    opens: list[int] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)
    revised: set[int] = field(default_factory=set)

    def between(self, first: int, last: int) -> tuple[Bar, ...] | None:
        """Return the bars that opened from `first` to `last`; None if one of them was revised."""
        begin, end = bisect_left(self.opens, first), bisect_right(self.opens, last)
        if self.revised and not self.revised.isdisjoint(self.opens[begin:end]):
            return None
        return tuple(self.bars[begin:end])

    def last_by(self, moment: int) -> Bar | None:
        """Return the last bar that opened by a moment; None if the cache cannot tell."""
        return self._at(bisect_right(self.opens, moment) - 1)

    def first_after(self, moment: int, last: int) -> Bar | None:
        """Return the first bar after a moment and up to `last`; None if the cache cannot tell."""
        place = bisect_right(self.opens, moment)
        is_known = place < len(self.opens) and self.opens[place] <= last
        return self._at(place) if is_known else None

    def add(self, bars: list[rows.FirstBar], last: int) -> None:
        """Extend the stretch to a later moment by the bars until then."""
        for t_open, bar, is_revised in bars:
            self.opens.append(t_open)
            self.bars.append(bar)
            if is_revised:
                self.revised.add(t_open)
        self.last = last

    def cut(self, first: int) -> None:
        """Drop the bars that opened before a moment."""
        place = bisect_left(self.opens, first)
        self.revised.difference_update(self.opens[:place])
        del self.opens[:place], self.bars[:place]
        self.first = first

    def _at(self, place: int) -> Bar | None:
        if not 0 <= place < len(self.opens) or self.opens[place] in self.revised:
            return None
        return self.bars[place]


class BarCache:
    """One cached stretch of each series, extended when a later bar is asked for.

    A bar that was never revised is the same for every moment at which it is known; a revised one is
    read by its own query. So the cache depends on `as_of` only.

    Args:
        conn: the read; later writes are not seen.
        as_of: reads what was stored then; microseconds.
    """

    def __init__(self, conn: Connection, as_of: int) -> None:
        self._conn, self._as_of = conn, as_of
        self._stretches: dict[int, CachedStretch] = {}  # most recently used last

    def from_to(self, series_id: int, interval: timedelta, first: int, last: int) -> CachedStretch:
        """Return a stretch of a series (by its row id) with all bars from `first` to `last`."""
        stretch = self._stretches.pop(series_id, None)
        if stretch is None or not stretch.first <= first <= stretch.last + 1:
            stretch = CachedStretch(first, first - 1)
        self._stretches[series_id] = stretch
        if stretch.last < last:
            first_new = stretch.last + 1
            bars = rows.first_bars(self._conn, series_id, interval, first_new, last, self._as_of)
            stretch.add(bars, last)
            self._forget(stretch, first)
        return stretch

    def around(
        self, series_id: int, interval: timedelta, moment: int, last: int
    ) -> CachedStretch | None:
        """Return a stretch with all bars from a moment to `last`, if one is cached or near.

        A stretch that would more than double is not near: reading a single bar is faster.
        """
        stretch = self._stretches.get(series_id)
        if stretch is None or moment < stretch.first:
            return None
        if last - stretch.last > stretch.last - stretch.first:
            return None
        return self.from_to(series_id, interval, min(moment, stretch.last), last)

    def _forget(self, stretch: CachedStretch, first: int) -> None:
        """Keep the bound: drop the least recently used series, then bars before `first`."""
        over = sum(len(cached.bars) for cached in self._stretches.values()) - CACHED_BARS
        while over > 0 and len(self._stretches) > 1:
            over -= len(self._stretches.pop(next(iter(self._stretches))).bars)
        if over > 0:
            stretch.cut(first)
