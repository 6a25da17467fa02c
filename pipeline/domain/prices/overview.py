"""Overview of the prices a group has stored."""

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.prices import rows
from afterword.pipeline.domain.prices.feed import Series, asset_of
from afterword.pipeline.domain.prices.intervals import write_interval
from afterword.pipeline.domain.prices.model import SeriesOverview


def all_series(conn: Connection) -> list[Series]:
    """Return every series, by asset."""
    return [series for _, series in rows.series_of(conn, None)]


def list_series(store: Store, symbol: str | None = None) -> list[SeriesOverview]:
    """Return every series with its span, its last close and its gaps.

    Args:
        symbol: a market in any written form; None lists all.
    """
    asset = None if symbol is None else asset_of(symbol)
    overviews = []
    with reading(store) as conn:
        for row_id, series in rows.series_of(conn, asset):
            counts = rows.overview(conn, row_id, series)
            if not counts.bars:
                continue
            present = rows.VisibleRevisions(rows.LATEST_US)
            last = rows.last_bar(conn, row_id, series, from_micros(counts.last), present)
            assert last is not None
            overviews.append(
                SeriesOverview(
                    source=series.source,
                    symbol=series.symbol,
                    asset=series.asset,
                    interval=write_interval(series.interval),
                    bars=counts.bars,
                    first=from_micros(counts.first),
                    last=last.closed_at,
                    close=last.close,
                    gaps=counts.gaps,
                    missing=counts.missing,
                    revised=counts.revised,
                    splits=len(rows.splits_of(conn, series.source, series.symbol)),
                )
            )
    return overviews
