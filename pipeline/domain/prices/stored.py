"""Stored prices, read as of a moment."""

from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.prices import class_rows, rows
from afterword.pipeline.domain.prices.bar_cache import BarCache
from afterword.pipeline.domain.prices.book import preference
from afterword.pipeline.domain.prices.feed import Series, asset_of, refuse_future
from afterword.pipeline.domain.prices.record_cache import KEPT, RecordCache, read_record
from afterword.pipeline.domain.prices.rows import LATEST_US, SeriesState, VisibleRevisions
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.rules.market.classes import StatedClasses
from afterword.pipeline.rules.market.market_record import MarketRecord
from afterword.pipeline.rules.market.splits import Split


class StoredPrices:
    """A `PriceSource` over one consistent moment of a group's file.

    A bar counts from its close on, whenever it was stored. Of a bar stored by `known_by`, the
    revision of then is read: a later correction was not known.
    It caches what it has read, so use it within one transaction, and make another after a write.

    Args:
        conn: a short read; ask no service while it is open.
        as_of: reads what was stored then; None is now.
        kept: what reads of the present share.
        classes: see `PriceSource`; None reads those of the file.
    """

    def __init__(
        self,
        conn: Connection,
        as_of: datetime | None = None,
        kept: RecordCache = KEPT,
        classes: StatedClasses | None = None,
    ) -> None:
        self._conn, self._kept = conn, kept
        self._as_of = LATEST_US if as_of is None else to_micros(as_of)
        self._cache = BarCache(conn, self._as_of)
        self._found: dict[str, tuple[Series, ...]] = {}
        self._ids: dict[Series, int] = {}
        self._splits: dict[Series, tuple[Split, ...]] = {}
        self._records: dict[Series, MarketRecord] = {}
        self._classes = classes

    @property
    def classes(self) -> StatedClasses:
        """See `PriceSource`."""
        if self._classes is None:
            self._classes = class_rows.classes_at(self._conn, self._as_of)
        return self._classes

    def series(self, symbol: str) -> tuple[Series, ...]:
        """See `PriceSource`."""
        if symbol not in self._found:
            known = rows.series_of(self._conn, asset_of(symbol), self._as_of)
            ids = {series: row_id for row_id, series in known}
            self._ids |= ids
            ordered = tuple(sorted(ids, key=preference))
            # All of them are series asset, so the name of each finds the same series.
            self._found |= {series.symbol: ordered for series in ordered} | {symbol: ordered}
        return self._found[symbol]

    def close_at(self, series: Series, moment: datetime, known_by: datetime) -> Bar | None:
        """See `PriceSource`."""
        refuse_future(moment, known_by)
        series_id, last = self._id(series), moment - series.interval
        at = to_micros(last)
        cached = self._cache.around(series_id, series.interval, at, at)
        bar = None if cached is None else cached.last_by(at)
        return bar or rows.last_bar(self._conn, series_id, series, last, self._visible(known_by))

    def next_close(self, series: Series, moment: datetime, known_by: datetime) -> Bar | None:
        """See `PriceSource`."""
        refuse_future(moment, known_by)
        series_id, opened, last = (
            self._id(series),
            moment - series.interval,
            known_by - series.interval,
        )
        near = to_micros(min(opened + series.interval, last))  # where it is, unless one is missing
        cached = self._cache.around(series_id, series.interval, to_micros(opened), near)
        bar = None if cached is None else cached.first_after(to_micros(opened), to_micros(last))
        return bar or rows.first_bar_after(
            self._conn, series_id, series, opened, last, self._visible(known_by)
        )

    def bars(
        self, series: Series, start: datetime, end: datetime, known_by: datetime
    ) -> tuple[Bar, ...]:
        """See `PriceSource`."""
        refuse_future(end, known_by)
        series_id, opened, last = self._id(series), start - series.interval, end - series.interval
        if last < opened:
            return ()
        first_last = to_micros(opened), to_micros(last)
        cached = self._cache.from_to(series_id, series.interval, *first_last).between(*first_last)
        if cached is not None:
            return cached
        visible = self._visible(known_by)
        return rows.bars_between(self._conn, series_id, series, opened, last, visible)

    def splits(self, series: Series) -> tuple[Split, ...]:
        """See `PriceSource`."""
        if series not in self._splits:
            splits = rows.splits_of(self._conn, series.source, series.symbol, self._as_of)
            self._splits[series] = splits
        return self._splits[series]

    def state(self, series: Series, start: datetime, end: datetime) -> SeriesState:
        """Return what the bars closed from `start` to `end` depend on, in a read of the present."""
        opened, last = to_micros(start - series.interval), to_micros(end - series.interval)
        return rows.state_between(self._conn, self._id(series), opened, last)

    def record(self, series: Series) -> MarketRecord:
        """See `PriceSource`."""
        if series not in self._records:
            series_id, splits = self._id(series), self.splits(series)
            if self._as_of == LATEST_US:
                record = self._kept.record(self._conn, series_id, series, splits, self.classes)
            else:
                record = read_record(
                    self._conn, series_id, series, splits, self.classes, self._as_of
                )
            self._records[series] = record
        return self._records[series]

    def _visible(self, known_by: datetime) -> VisibleRevisions:
        # Not more than the store knew then, or a bar revised since would match no moment.
        return VisibleRevisions(min(to_micros(known_by), self._as_of), self._as_of)

    def _id(self, series: Series) -> int:
        if series not in self._ids:
            row_id = rows.series_id(self._conn, series)
            self._ids[series] = -1 if row_id is None else row_id
        return self._ids[series]
