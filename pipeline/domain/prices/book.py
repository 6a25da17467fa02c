"""Prices held in memory: bars of files, read as of a moment."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from datetime import datetime

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.prices.feed import Series, asset_of, refuse_future
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.rules.market.classes import NOTHING_STATED, StatedClasses
from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.rules.market.ladder import Ladder, PriceRow
from afterword.pipeline.rules.market.market_record import MarketRecord
from afterword.pipeline.rules.market.splits import Split


class PriceBook:
    """A `PriceSource` over bars in memory; a replay of 100,000 decisions reads it, not SQL.

    Args:
        bars: of each series, in order of time.
        splits: by symbol as the series writes it.
        classes: see `PriceSource`.
    """

    def __init__(
        self,
        bars: Mapping[Series, Sequence[Bar]],
        splits: Mapping[str, Sequence[Split]] | None = None,
        classes: StatedClasses = NOTHING_STATED,
    ) -> None:
        self.classes = classes
        self._bars = {series: tuple(known) for series, known in bars.items()}
        self._closes = {
            series: [bar.closed_at for bar in known] for series, known in self._bars.items()
        }
        self._splits = splits or {}
        self._found: dict[str, tuple[Series, ...]] = {}
        self._records: dict[Series, MarketRecord] = {}

    def series(self, symbol: str) -> tuple[Series, ...]:
        """See `PriceSource`."""
        if symbol not in self._found:
            asset = asset_of(symbol)
            of_asset = [series for series in self._bars if series.asset == asset]
            self._found[symbol] = tuple(sorted(of_asset, key=preference))
        return self._found[symbol]

    def close_at(self, series: Series, moment: datetime, known_by: datetime) -> Bar | None:
        """See `PriceSource`."""
        refuse_future(moment, known_by)
        place = bisect_right(self._closes.get(series, ()), moment)
        return self._bars[series][place - 1] if place else None

    def next_close(self, series: Series, moment: datetime, known_by: datetime) -> Bar | None:
        """See `PriceSource`."""
        refuse_future(moment, known_by)
        closes = self._closes.get(series, ())
        place = bisect_right(closes, moment)
        is_known = place < len(closes) and closes[place] <= known_by
        return self._bars[series][place] if is_known else None

    def bars(
        self, series: Series, start: datetime, end: datetime, known_by: datetime
    ) -> tuple[Bar, ...]:
        """See `PriceSource`."""
        refuse_future(end, known_by)
        closes, known = self._closes.get(series, ()), self._bars.get(series, ())
        return known[bisect_left(closes, start) : bisect_right(closes, end)]

    def splits(self, series: Series) -> tuple[Split, ...]:
        """See `PriceSource`."""
        return tuple(self._splits.get(series.symbol, ()))

    def record(self, series: Series) -> MarketRecord:
        """See `PriceSource`."""
        if series not in self._records:
            ladder = Ladder(series.symbol, series.interval, self.splits(series), self.classes)
            ladder.extend(map(price_row, self._bars.get(series, ())))
            self._records[series] = MarketRecord(ladder)
        return self._records[series]


def price_row(bar: Bar) -> PriceRow:
    """Return a bar as a ladder takes it."""
    opened, _, first, high, low, close, _ = bar
    return PriceRow(to_micros(opened), plain(first), plain(high), plain(low), plain(close))


def preference(series: Series) -> tuple[bool, float, str, str]:
    """Order series: finest first, single prints last, then by name."""
    seconds = series.interval.total_seconds()
    return (not seconds, seconds, series.source, series.symbol)
