"""Market records of stored series, kept between reads while their bars only grow."""

import threading
from dataclasses import dataclass
from typing import Final
from weakref import ref

from sqlalchemy import Connection, Engine

from afterword.pipeline.domain.prices import rows
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.rules.market.classes import NOTHING_STATED, StatedClasses
from afterword.pipeline.rules.market.ladder import Ladder
from afterword.pipeline.rules.market.market_record import MarketRecord
from afterword.pipeline.rules.market.splits import Split

LADDER_BARS: Final = 400_000
"""Bars of all records, some 120 MB; a single larger series is still kept, alone."""


@dataclass(frozen=True, slots=True)
class CachedRecord:
    """A record with the state of the store it was read from.

    Args:
        engine: of the file; a number of a closed one may be used again.
        changes: of its series; see `rows.changes_of`.
    """

    engine: "ref[Engine]"
    series_id: int
    changes: int
    record: MarketRecord


class RecordCache:
    """Records by file and series; the least recently used ones are dropped at the bound.

    A read of an older moment may get a record with later bars: it asks as of a moment anyway.
    """

    def __init__(self, most_bars: int = LADDER_BARS) -> None:
        self._most_bars = most_bars
        self._lock = threading.Lock()
        self._kept: dict[tuple[int, Series], CachedRecord] = {}  # most recently used last

    def record(
        self,
        conn: Connection,
        series_id: int,
        series: Series,
        splits: tuple[Split, ...],
        classes: StatedClasses,
    ) -> MarketRecord:
        """Return the record of a series, with all bars that the read sees.

        Args:
            series_id: its row id.
            splits: those known now; others make another record.
            classes: those known now; another group of the market makes another record.
        """
        key, changes = (id(conn.engine), series), rows.changes_of(conn, series_id)
        with self._lock:
            known = self._kept.pop(key, None)
            is_valid = (
                known is not None
                and known.engine() is conn.engine
                and (known.series_id, known.changes) == (series_id, changes)
                and known.record.ladder.splits == splits
                and known.record.ladder.group == classes.group(series.symbol)
            )
            if known is None or not is_valid:
                record = read_record(conn, series_id, series, splits, classes)
            else:
                record = _grown(known.record, conn, series_id, series, classes)
            self._kept[key] = CachedRecord(ref(conn.engine), series_id, changes, record)
            self._forget()
        return record

    def _forget(self) -> None:
        over = sum(len(kept.record.ladder) for kept in self._kept.values()) - self._most_bars
        while over > 0 and len(self._kept) > 1:
            over -= len(self._kept.pop(next(iter(self._kept))).record.ladder)


KEPT: Final = RecordCache()
"""The records of this process: reads of one file, one after another, share what they counted."""


def read_record(
    conn: Connection,
    series_id: int,
    series: Series,
    splits: tuple[Split, ...],
    classes: StatedClasses = NOTHING_STATED,
    as_of: int = rows.LATEST_US,
) -> MarketRecord:
    """Return the record of a series, read anew.

    Args:
        as_of: reads what was stored then; microseconds.
    """
    ladder = Ladder(series.symbol, series.interval, splits, classes)
    ladder.extend(rows.price_rows(conn, series_id, -rows.LATEST_US, as_of))
    return MarketRecord(ladder)


def _grown(
    record: MarketRecord,
    conn: Connection,
    series_id: int,
    series: Series,
    classes: StatedClasses,
) -> MarketRecord:
    """Return a record with the bars that came since; a new one if their prices are finer."""
    ladder = record.ladder
    after = ladder.closed[-1] - ladder.interval if len(ladder) else -rows.LATEST_US
    new = rows.price_rows(conn, series_id, after, rows.LATEST_US)
    if not new:
        return record
    if ladder.can_take(new):
        ladder.extend(new)
        return record
    return read_record(conn, series_id, series, ladder.splits, classes)
