"""SQL over the spans of stored bars, and over the stretches that are paused."""

import json
from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.prices.area import FETCH_PRICES
from afterword.pipeline.domain.prices.bar_gaps import KeptSpan
from afterword.pipeline.domain.prices.feed import Series

_MICROSECOND: Final = timedelta(microseconds=1)

_SPANS = text("""
SELECT source, symbol, interval_us,
  (SELECT min(t_open) FROM prices WHERE series_id = price_series.id) AS first,
  (SELECT max(t_open) FROM prices WHERE series_id = price_series.id) AS last
FROM price_series
WHERE (source, symbol, interval_us) IN
  (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(:series))
""")
_WITH_A_JOB = text("""
SELECT key FROM jobs WHERE kind = :kind AND key IS NOT NULL
""")


def spans(conn: Connection, series: Iterable[Series]) -> dict[Series, KeptSpan]:
    """Return the span of stored bars of each series; a series without bars is left out."""
    keys = [(market.source, market.symbol, market.interval // _MICROSECOND) for market in series]
    return {
        Series(row.source, row.symbol, row.interval_us * _MICROSECOND): KeptSpan(
            from_micros(row.first), from_micros(row.last)
        )
        for row in conn.execute(_SPANS, {"series": json.dumps(keys)})
        if row.first is not None
    }


def with_a_job(conn: Connection) -> set[str]:
    """Return the stretches that have a job of their own, open or dead."""
    return set(conn.execute(_WITH_A_JOB, {"kind": FETCH_PRICES.name}).scalars())
