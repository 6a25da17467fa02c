"""Put bars and splits into the store: what is known changes nothing, what differs is a revision."""

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, iso, to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.prices import rows
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.prices.model import PriceCounts
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.bars import Bar, misshapen
from afterword.pipeline.rules.market.splits import Split

WRITE_BARS: Final = 2000
"""Bars one transaction inserts; it holds the only writer for some 10 ms."""

OnNewPrices = Callable[[Connection, Sequence[str], datetime], object]
"""Called in the transaction that stores new or revised prices, with the markets and its moment, to
add the jobs that wait for them."""

_SOURCE: Final = re.compile(r"[a-z0-9][a-z0-9_.-]{0,31}")


def check_source(source: str) -> str:
    """Return the name of a source.

    Raises:
        InvalidInputError: not a source name.
    """
    if not _SOURCE.fullmatch(source):
        accepted = "1-32 of the characters a-z 0-9 _ . -"
        raise InvalidInputError("source", f"is {source!a:.40}", accepted)
    return source


def keep_bars(
    store: Store,
    series: Series,
    bars: Sequence[Bar],
    clock: Clock,
    arrived: OnNewPrices | None = None,
) -> PriceCounts:
    """Store bars of a series; a repeated call changes nothing.

    It takes several short transactions, each of which leaves the store consistent; the next import
    adds what a killed one left out.

    Args:
        bars: in order of time, none twice.
        clock: read once a write has its turn, so that rows become known in their order.
        arrived: called in each transaction that changed something.

    Raises:
        InvalidInputError: a bar that no market can have, is not of the series, or is not closed
            yet; nothing was written.
    """
    check_source(series.source)
    _check(series, bars, clock)
    counts = PriceCounts()
    for start in range(0, len(bars), WRITE_BARS):
        chunk = rows.bar_rows(bars[start : start + WRITE_BARS])
        counts += _keep_chunk(store, series, chunk, clock, arrived)
    emit("prices.kept", source=series.source, symbol=series.symbol, bars=len(bars))
    return counts


def keep_splits(
    store: Store, source: str, symbol: str, splits: Sequence[Split], clock: Clock
) -> PriceCounts:
    """Replace the splits of a market by those of a factor file; removed ones are superseded."""
    check_source(source)
    with reading(store) as conn:
        if set(rows.splits_of(conn, source, symbol)) == set(splits):
            return PriceCounts()
    with writing(store) as conn:
        known = set(rows.splits_of(conn, source, symbol))
        gone, new = sorted(known - set(splits)), sorted(set(splits) - known)
        rows.replace_splits(conn, source, symbol, gone, new, to_micros(clock()))
    return PriceCounts(splits_new=len(new), splits_gone=len(gone))


def add_splits(
    store: Store, source: str, symbol: str, splits: Sequence[Split], clock: Clock
) -> PriceCounts:
    """Add splits that a file of bars tells to those of the market; known ones change nothing.

    One of the same moment with another ratio is superseded.
    """
    if not splits:
        return PriceCounts()
    moments = {split.effective_at for split in splits}
    with reading(store) as conn:
        known = rows.splits_of(conn, source, symbol)
    others = [split for split in known if split.effective_at not in moments]
    return keep_splits(store, source, symbol, [*others, *splits], clock)


def _check(series: Series, bars: Sequence[Bar], clock: Clock) -> None:
    now = clock()
    for index, bar in enumerate(bars):
        problem = None
        if bar.interval != series.interval:
            problem = f"lasts {bar.interval}, not {series.interval}"
        elif bar.closed_at > now:
            problem = f"closes at {iso(bar.closed_at)}, which is not yet"
        elif (shape := misshapen(bar)) is not None:
            problem = f"has {shape}"
        if problem is not None:
            accepted = "closed bars of the series, prices above 0, low <= open, close <= high"
            raise InvalidInputError(f"bars[{index}]", problem, accepted)
    if any(later.t_open <= earlier.t_open for earlier, later in pairwise(bars)):
        raise InvalidInputError("bars", "are out of order or twice", "one bar a time, ascending")


def _keep_chunk(
    store: Store,
    series: Series,
    chunk: Sequence[rows.BarRow],
    clock: Clock,
    arrived: OnNewPrices | None,
) -> PriceCounts:
    with reading(store) as conn:
        row_id = rows.series_id(conn, series)
        if row_id is not None and rows.changes(conn, row_id, chunk) == ([], []):
            return PriceCounts(bars_known=len(chunk))
    with writing(store) as conn:
        now = clock()
        row_id = rows.add_series(conn, series, to_micros(now))
        # Again: another import may have come first.
        new, revised = rows.changes(conn, row_id, chunk)
        last = rows.last_open(conn, row_id)
        rows.insert_bars(conn, row_id, new, to_micros(now))
        if revised:
            rows.revise_bars(conn, row_id, revised, to_micros(now))
        if revised or (new and last is not None and new[0][0] < last):
            rows.note_change(conn, row_id)
        if arrived is not None and (new or revised):
            arrived(conn, [series.symbol], now)
    return PriceCounts(len(new), len(chunk) - len(new) - len(revised), len(revised))
