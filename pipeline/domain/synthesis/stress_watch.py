"""Market stress again and again: the days of the past year are kept from one moment to the next."""

from bisect import bisect_left, insort
from datetime import datetime
from typing import Final

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.prices.feed import PriceSource, Series
from afterword.pipeline.domain.synthesis.freeze import (
    SPAN,
    STALE_US,
    MarketStress,
    daily_series,
    day_places,
    day_start,
    first_of_year,
    is_revised,
    squared_move,
    stress_at,
    stress_of,
    volatility,
)
from afterword.pipeline.rules.market.ladder import Ladder


class StressWatch:
    """Gives what `stress_at` gives, for moments that follow each other."""

    def __init__(self) -> None:
        self._years: dict[Series, YearOfDays] = {}

    def stress_at(self, prices: PriceSource, asset: str, now: datetime) -> MarketStress | None:
        """Return the stress of a market at a moment; None without fresh prices."""
        at = to_micros(now)
        for series in daily_series(prices, asset):
            ladder = prices.record(series).ladder
            place = ladder.last_by(at)
            if place < 0 or at - ladder.closed[place] > STALE_US:
                continue
            year = self._years.get(series)
            if year is None or not year.can_move(ladder, at):
                year = self._years[series] = YearOfDays(ladder, at)
            year.move(at, place)
            # What was revised is another price to a reader of a later moment.
            return stress_at(prices, asset, now) if year.is_revised else year.stress()
        return None


class YearOfDays:
    """The days of the year before a moment that moves on, with what volatility is drawn from.

    Args:
        now: the first moment; microseconds.
    """

    def __init__(self, ladder: Ladder, now: int) -> None:
        self._ladder, self._now = ladder, now
        self._places: list[int] = []
        """The last bar of each day; the last day may go on."""
        self._squares: list[float] = []
        """The squared move that ends on each day but the first."""
        self._spans: list[float] = []
        """The volatility of the span that ends on each day."""
        self._past: list[float] = []
        """All of these but the last, ascending."""
        for place in day_places(ladder, now):
            self._append(place)

    def can_move(self, ladder: Ladder, now: int) -> bool:
        """Say whether it may go on to a moment, of these bars."""
        return ladder is self._ladder and now >= self._now

    def move(self, now: int, place: int) -> None:
        """Go on to a moment.

        Args:
            now: microseconds.
            place: of the last bar that is known then.
        """
        self._now = now
        if place != self._places[-1]:
            self._extend(place)
        first = first_of_year(self._ladder, now)
        while self._places[0] < first:
            self._drop_first()

    def stress(self) -> MarketStress:
        """Return the stress of the market."""
        closes = self._ladder.closes
        recent = [closes[place] for place in self._places[-SPAN - 1 :]]
        return stress_of(recent, self._past, self._spans[-1] if self._spans else None)

    @property
    def is_revised(self) -> bool:
        """Whether one of its closes was revised later."""
        return is_revised(self._ladder, self._places)

    def _extend(self, place: int) -> None:
        """Take the bars up to a place: the last day may have gone on."""
        self._drop_last()
        known: Final = self._places[-1] if self._places else -1
        places = []
        while place > known:
            places.append(place)
            start = day_start(self._ladder, place)
            place = bisect_left(self._ladder.closed, start, known + 1, place) - 1
        for place in reversed(places):
            self._append(place)

    def _append(self, place: int) -> None:
        if self._places:
            closes = self._ladder.closes
            self._squares.append(squared_move(closes[self._places[-1]], closes[place]))
        self._places.append(place)
        if len(self._squares) >= SPAN:
            if self._spans:
                insort(self._past, self._spans[-1])
            self._spans.append(volatility(self._squares[-SPAN:]))

    def _drop_last(self) -> None:
        self._places.pop()
        if self._squares:
            self._squares.pop()
        if self._spans:
            self._spans.pop()
            self._forget(self._spans[-1:])

    def _drop_first(self) -> None:
        self._places.pop(0)
        if self._squares:
            self._squares.pop(0)
        if self._spans:
            gone = self._spans.pop(0)
            # Of the last one, which is gone too, `_past` never knew.
            self._forget([gone] if self._spans else [])

    def _forget(self, spans: list[float]) -> None:
        """Take volatilities out of those of the past."""
        for span in spans:
            del self._past[bisect_left(self._past, span)]
