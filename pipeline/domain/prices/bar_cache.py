"""Bars a reader has read already, so that the next decision does not read them again."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.domain.prices import rows
from afterword.pipeline.rules.market.bars import Bar

MOST_BARS: Final = 40_000
"""Bars one reader holds, some 30 MB; a single read of more is still held, alone."""


@dataclass(slots=True)
class CachedStretch:
    """All bars of a series that opened from one moment to another; moments in microseconds.

    Args:
        opens: when each opened, ascending.
        revised: those of them that were revised: what they say depends on who asks.
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
        """Return the last bar that opened by a moment; None if this does not tell."""
        return self._at(bisect_right(self.opens, moment) - 1)

    def first_after(self, moment: int, last: int) -> Bar | None:
        """Return the first bar after a moment and up to `last`; None if this does not tell."""
        place = bisect_right(self.opens, moment)
        is_known = place < len(self.opens) and self.opens[place] <= last
        return self._at(place) if is_known else None

    def add(self, found: list[rows.FirstBar], last: int) -> None:
        """Go on to a later moment by the bars until then."""
        for t_open, bar, is_revised in found:
            self.opens.append(t_open)
            self.bars.append(bar)
            if is_revised:
                self.revised.add(t_open)
        self.last = last

    def cut(self, first: int) -> None:
        """Let go of what opened before a moment."""
        place = bisect_left(self.opens, first)
        self.revised.difference_update(self.opens[:place])
        del self.opens[:place], self.bars[:place]
        self.first = first

    def _at(self, place: int) -> Bar | None:
        if not 0 <= place < len(self.opens) or self.opens[place] in self.revised:
            return None
        return self.bars[place]


class BarCache:
    """A stretch of each series, as one read of a store sees it; it is read on where it ends.

    A bar that was never revised is the same for all who may know it, whenever they ask; whatever
    was revised is left to a read of its own. So only the moment of the store counts, and that
    stands still while a read is open.

    Args:
        conn: the read; what is written after it began is not in it.
        as_of: reads what the store held then; microseconds.
    """

    def __init__(self, conn: Connection, as_of: int) -> None:
        self._conn, self._as_of = conn, as_of
        self._stretches: dict[int, CachedStretch] = {}  # the one used last comes last

    def from_to(self, kept: int, interval: timedelta, first: int, last: int) -> CachedStretch:
        """Return a stretch of a series (by its row id) that holds all from `first` to `last`."""
        held = self._stretches.pop(kept, None)
        if held is None or not held.first <= first <= held.last + 1:
            held = CachedStretch(first, first - 1)
        self._stretches[kept] = held
        if held.last < last:
            found = rows.first_bars(self._conn, kept, interval, held.last + 1, last, self._as_of)
            held.add(found, last)
            self._forget(held, first)
        return held

    def around(
        self, kept: int, interval: timedelta, moment: int, last: int
    ) -> CachedStretch | None:
        """Return a stretch that holds all from a moment to `last`, if one is there or near.

        One that would become more than twice as long is not near: a single bar is read sooner.
        """
        held = self._stretches.get(kept)
        if held is None or moment < held.first or last - held.last > held.last - held.first:
            return None
        return self.from_to(kept, interval, min(moment, held.last), last)

    def _forget(self, held: CachedStretch, first: int) -> None:
        """Keep to the bound: the series used longest ago goes, then what nobody asks for now."""
        over = sum(len(one.bars) for one in self._stretches.values()) - MOST_BARS
        while over > 0 and len(self._stretches) > 1:
            over -= len(self._stretches.pop(next(iter(self._stretches))).bars)
        if over > 0:
            held.cut(first)
