"""What prices a group has."""

from pipeline.clock import from_micros
from pipeline.prices import rows
from pipeline.prices.model import SeriesOverview
from pipeline.sources.csv_file import write_interval
from pipeline.sources.model import asset_of
from pipeline.store import Store, reading


def list_series(store: Store, symbol: str | None = None) -> list[SeriesOverview]:
    """Return every series with its span, its last close and its gaps.

    Args:
        symbol: a market in any written form; None lists all.
    """
    asset = None if symbol is None else asset_of(symbol)
    found = []
    with reading(store) as conn:
        for kept, series in rows.series_of(conn, asset):
            counts = rows.overview(conn, kept, series)
            if not counts.bars:
                continue
            last = rows.last_bar(
                conn, kept, series, from_micros(counts.last), rows.Sight(rows.NEVER)
            )
            assert last is not None
            found.append(
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
    return found
