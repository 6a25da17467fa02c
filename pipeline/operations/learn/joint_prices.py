"""Several sources of prices as one: those given with a look, then those stored in the group."""

from collections.abc import Sequence
from datetime import datetime

from afterword.pipeline.domain.prices.feed import PriceSource, Series
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.rules.market.classes import StatedClasses
from afterword.pipeline.rules.market.market_record import MarketRecord
from afterword.pipeline.rules.market.splits import Split


class JointPrices:
    """A `PriceSource` over others: a market is read from the first that has it.

    Args:
        sources: the most trusted first.
    """

    def __init__(self, *sources: PriceSource) -> None:
        self._sources: Sequence[PriceSource] = sources
        self._of: dict[Series, PriceSource] = {}

    @property
    def classes(self) -> StatedClasses:
        """See `PriceSource`; those of the first source."""
        return self._sources[0].classes

    def series(self, symbol: str) -> tuple[Series, ...]:
        """See `PriceSource`."""
        for source in self._sources:
            if series := source.series(symbol):
                self._of |= dict.fromkeys(series, source)
                return series
        return ()

    def close_at(self, series: Series, moment: datetime, known_by: datetime) -> Bar | None:
        """See `PriceSource`."""
        return self._source(series).close_at(series, moment, known_by)

    def next_close(self, series: Series, moment: datetime, known_by: datetime) -> Bar | None:
        """See `PriceSource`."""
        return self._source(series).next_close(series, moment, known_by)

    def bars(
        self, series: Series, start: datetime, end: datetime, known_by: datetime
    ) -> tuple[Bar, ...]:
        """See `PriceSource`."""
        return self._source(series).bars(series, start, end, known_by)

    def splits(self, series: Series) -> tuple[Split, ...]:
        """See `PriceSource`."""
        return self._source(series).splits(series)

    def record(self, series: Series) -> MarketRecord:
        """See `PriceSource`."""
        return self._source(series).record(series)

    def _source(self, series: Series) -> PriceSource:
        return self._of.get(series, self._sources[-1])
