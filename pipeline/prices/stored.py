"""Stored prices, read as of a moment."""

from datetime import datetime

from sqlalchemy import Connection

from pipeline.clock import to_micros
from pipeline.market.bars import Bar
from pipeline.market.splits import Split
from pipeline.prices import rows
from pipeline.prices.rows import NEVER, Sight
from pipeline.sources.book import preference
from pipeline.sources.model import Series, asset_of, refuse_future


class StoredPrices:
    """A `PriceSource` over one consistent moment of a group's file.

    A bar counts from its close on, whenever it was brought in. Of a bar that was here by
    `known_by`, the revision of then is read: what was corrected later was not known.

    Args:
        conn: a short read; nobody is asked while it is open.
        as_of: reads what the store held then; None is now.
    """

    def __init__(self, conn: Connection, as_of: datetime | None = None) -> None:
        self._conn = conn
        self._as_of = NEVER if as_of is None else to_micros(as_of)
        self._ids: dict[Series, int] = {}

    def series(self, symbol: str) -> tuple[Series, ...]:
        """See `PriceSource`."""
        found = {one: kept for kept, one in rows.series_of(self._conn, asset_of(symbol))}
        self._ids |= found
        return tuple(sorted(found, key=preference))

    def close_at(self, series: Series, moment: datetime, known_by: datetime) -> Bar | None:
        """See `PriceSource`."""
        refuse_future(moment, known_by)
        last = moment - series.interval
        return rows.last_bar(self._conn, self._id(series), series, last, self._sight(known_by))

    def next_close(self, series: Series, moment: datetime, known_by: datetime) -> Bar | None:
        """See `PriceSource`."""
        refuse_future(moment, known_by)
        opened, last = moment - series.interval, known_by - series.interval
        sight = self._sight(known_by)
        return rows.first_bar_after(self._conn, self._id(series), series, opened, last, sight)

    def bars(
        self, series: Series, start: datetime, end: datetime, known_by: datetime
    ) -> tuple[Bar, ...]:
        """See `PriceSource`."""
        refuse_future(end, known_by)
        opened, last = start - series.interval, end - series.interval
        sight = self._sight(known_by)
        return rows.bars_between(self._conn, self._id(series), series, opened, last, sight)

    def splits(self, series: Series) -> tuple[Split, ...]:
        """See `PriceSource`."""
        return rows.splits_of(self._conn, series.source, series.symbol, self._as_of)

    def _sight(self, known_by: datetime) -> Sight:
        return Sight(to_micros(known_by), self._as_of)

    def _id(self, series: Series) -> int:
        if series not in self._ids:
            found = rows.series_id(self._conn, series)
            self._ids[series] = -1 if found is None else found
        return self._ids[series]
