"""SQL over stored prices."""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.rules.market.ladder import PriceRow
from afterword.pipeline.rules.market.splits import Split

LATEST_US: Final = 2**62
"""A moment later than any; for reads of the present."""

_MICROSECOND: Final = timedelta(microseconds=1)


BarRow = tuple[int, str, str, str, str, str]
"""A bar as the statements take it: when it opened (microseconds), open, high, low, close, volume as
normalised texts. A plain tuple of such values is not tracked by the garbage collector; with a named
one an import of 200,000 takes 15 % longer."""


FirstBar = tuple[int, Bar, bool]
"""When it opened (microseconds), its first revision, and whether it was revised since."""


class SeriesState(NamedTuple):
    """What bars depend on: while it is equal, so are they, as a reader of the present sees them.

    Args:
        changes: how often a bar was revised, or one before the last was added.
        first, last: when the first and the last of them opened; microseconds. None without any.
    """

    changes: int
    first: int | None
    last: int | None


class VisibleRevisions(NamedTuple):
    """Which revisions a read sees, in microseconds.

    Args:
        known_by: bars closed by then; of a bar learned by then, the revision of then.
        as_of: of bars learned later than `known_by` (imported history), the revision of then.
    """

    known_by: int
    as_of: int = LATEST_US


_FIND_SERIES = text("""
SELECT id FROM price_series
WHERE source = :source AND symbol = :symbol AND interval_us = :interval
""")
_ADD_SERIES = text("""
INSERT INTO price_series (source, symbol, asset, interval_us, created_at)
VALUES (:source, :symbol, :asset, :interval, :now)
""")
_SERIES = text("""
SELECT id, source, symbol, interval_us FROM price_series
WHERE asset = :asset AND created_at <= :as_of
""")
_ALL_SERIES = text("""
SELECT id, source, symbol, interval_us FROM price_series ORDER BY asset, source, interval_us
""")
_STANDING = text("""
SELECT t_open, open, high, low, close, volume FROM prices
WHERE series_id = :series AND t_open BETWEEN :first AND :last AND superseded_at IS NULL
""")
_NOTE_CHANGE = text("UPDATE price_series SET changes = changes + 1 WHERE id = :series")
_CHANGES = text("SELECT changes FROM price_series WHERE id = :series")
_LAST_OPEN = text("SELECT max(t_open) FROM prices WHERE series_id = :series")
_STATE: Final = """
SELECT changes,
  (SELECT min(t_open) FROM prices WHERE series_id = :series AND t_open >= :first),
  (SELECT max(t_open) FROM prices WHERE series_id = :series AND t_open <= :last)
FROM price_series WHERE id = :series
"""
# As the driver takes it: SQLAlchemy's own many parameters take three times as long.
_INSERT: Final = """
INSERT INTO prices (series_id, t_open, revision, open, high, low, close, volume,
  first_known_at, known_at)
VALUES (?1, ?3, 1, ?4, ?5, ?6, ?7, ?8, ?2, ?2)
"""
_SUPERSEDE = text("""
UPDATE prices SET superseded_at = :now
WHERE series_id = :series AND superseded_at IS NULL
  AND t_open IN (SELECT value ->> 0 FROM json_each(:rows))
""")
_REVISE = text("""
INSERT INTO prices (series_id, t_open, revision, open, high, low, close, volume,
  first_known_at, known_at)
SELECT :series, value ->> 0, old.revision + 1, value ->> 1, value ->> 2, value ->> 3, value ->> 4,
  value ->> 5, old.first_known_at, max(:now, old.known_at)
FROM json_each(:rows) JOIN prices AS old
  ON old.series_id = :series AND old.t_open = value ->> 0 AND old.revision = (
    SELECT max(revision) FROM prices WHERE series_id = :series AND t_open = value ->> 0)
""")

_VISIBLE: Final = """
  known_at <= :as_of AND CASE WHEN first_known_at <= :known_by
    THEN known_at <= :known_by AND (superseded_at IS NULL OR superseded_at > :known_by)
    ELSE superseded_at IS NULL OR superseded_at > :as_of END
"""
_COLUMNS: Final = "t_open, open, high, low, close, volume"
_BETWEEN = text(f"""
SELECT {_COLUMNS} FROM prices
WHERE series_id = :series AND t_open BETWEEN :first AND :last AND {_VISIBLE} ORDER BY t_open
""")
_FIRST_BARS = text(f"""
SELECT superseded_at IS NOT NULL, {_COLUMNS} FROM prices
WHERE series_id = :series AND t_open BETWEEN :first AND :last
  AND revision = 1 AND known_at <= :as_of
ORDER BY t_open
""")
_LADDER: Final = """
SELECT t_open, open, high, low, close, superseded_at IS NOT NULL FROM prices
WHERE series_id = :series AND t_open > :after AND revision = 1 AND known_at <= :as_of
ORDER BY t_open
"""
_LAST = text(f"""
SELECT {_COLUMNS} FROM prices
WHERE series_id = :series AND t_open <= :last AND {_VISIBLE} ORDER BY t_open DESC LIMIT 1
""")
_FIRST_AFTER = text(f"""
SELECT {_COLUMNS} FROM prices
WHERE series_id = :series AND t_open > :after AND t_open <= :last AND {_VISIBLE}
ORDER BY t_open LIMIT 1
""")
_SPLITS = text("""
SELECT effective_at, numerator, denominator FROM price_splits
WHERE source = :source AND symbol = :symbol
  AND known_at <= :as_of AND (superseded_at IS NULL OR superseded_at > :as_of)
ORDER BY effective_at
""")
_SPLITS_OF_SOURCE = text("""
SELECT symbol, effective_at, numerator, denominator FROM price_splits
WHERE source = :source
  AND known_at <= :as_of AND (superseded_at IS NULL OR superseded_at > :as_of)
ORDER BY symbol, effective_at
""")
_ADD_SPLITS = text("""
INSERT INTO price_splits (source, symbol, effective_at, numerator, denominator, known_at)
SELECT :source, :symbol, value ->> 0, value ->> 1, value ->> 2, :now FROM json_each(:rows)
""")
_END_SPLITS = text("""
UPDATE price_splits SET superseded_at = :now
WHERE source = :source AND symbol = :symbol AND superseded_at IS NULL
  AND effective_at IN (SELECT value ->> 0 FROM json_each(:rows))
""")
_OVERVIEW = text("""
SELECT count(*) AS bars, min(t_open) AS first, max(t_open) AS last,
  count(*) FILTER (WHERE revision > 1) AS revised,
  count(*) FILTER (WHERE apart > :interval) AS gaps,
  coalesce(sum(apart / :interval - 1) FILTER (WHERE apart > :interval), 0) AS missing
FROM (SELECT t_open, revision, t_open - lag(t_open) OVER (ORDER BY t_open) AS apart
      FROM prices WHERE series_id = :series AND superseded_at IS NULL)
""")


def bar_rows(bars: Iterable[Bar]) -> list[BarRow]:
    """Return bars as the statements take them, before a transaction is open."""
    return [
        (to_micros(t_open), plain(first), plain(high), plain(low), plain(close), plain(volume))
        for t_open, _, first, high, low, close, volume in bars
    ]


def series_id(conn: Connection, series: Series) -> int | None:
    """Return the row id of a series; None if nothing is stored of it."""
    return conn.execute(_FIND_SERIES, _key(series)).scalar()


def add_series(conn: Connection, series: Series, now: int) -> int:
    """Add a series unless it is there, and return its row id."""
    row_id = series_id(conn, series)
    if row_id is None:
        conn.execute(_ADD_SERIES, {**_key(series), "asset": series.asset, "now": now})
        row_id = series_id(conn, series)
    assert row_id is not None
    return row_id


def series_of(
    conn: Connection, asset: str | None = None, as_of: int = LATEST_US
) -> list[tuple[int, Series]]:
    """Return the series of an asset, or all, with their row ids.

    Args:
        as_of: those of an asset that were there at a moment (microseconds).
    """
    values = {"asset": asset, "as_of": as_of}
    rows = conn.execute(_ALL_SERIES) if asset is None else conn.execute(_SERIES, values)
    return [
        (row.id, Series(row.source, row.symbol, timedelta(microseconds=row.interval_us)))
        for row in rows
    ]


def changes(
    conn: Connection, series: int, rows: Sequence[BarRow]
) -> tuple[list[BarRow], list[BarRow]]:
    """Return which bars (ascending) are new, and which differ from the stored ones."""
    first_last = {"series": series, "first": rows[0][0], "last": rows[-1][0]}
    known = {row[0]: tuple(row) for row in conn.execute(_STANDING, first_last)}
    new = [row for row in rows if row[0] not in known]
    revised = [row for row in rows if known.get(row[0], row) != row]
    return new, revised


def insert_bars(conn: Connection, series: int, rows: Sequence[BarRow], now: int) -> None:
    """Add bars that are new, known from now on (microseconds)."""
    if rows:
        conn.exec_driver_sql(_INSERT, [(series, now, *row) for row in rows])


def note_change(conn: Connection, series: int) -> None:
    """Count that bars of a series were revised, or added before its last one."""
    conn.execute(_NOTE_CHANGE, {"series": series})


def changes_of(conn: Connection, series: int) -> int:
    """Return how often the bars of a series changed other than by later ones."""
    return conn.execute(_CHANGES, {"series": series}).scalar() or 0


def state_between(conn: Connection, series: int, first: int, last: int) -> SeriesState:
    """Return what the bars that opened from `first` to `last` depend on; microseconds."""
    cursor = driver_cursor(conn)
    cursor.execute(_STATE, {"series": series, "first": first, "last": last})
    return SeriesState(*(cursor.fetchone() or (0, None, None)))


def last_open(conn: Connection, series: int) -> int | None:
    """Return when the last bar of a series opened; microseconds."""
    return conn.execute(_LAST_OPEN, {"series": series}).scalar()


def revise_bars(conn: Connection, series: int, rows: Sequence[BarRow], now: int) -> None:
    """Replace stored bars by revisions, from now on (microseconds)."""
    values = {"series": series, "rows": json.dumps(rows), "now": now}
    conn.execute(_SUPERSEDE, values)
    conn.execute(_REVISE, values)


def bars_between(
    conn: Connection,
    row_id: int,
    series: Series,
    first: datetime,
    last: datetime,
    sight: VisibleRevisions,
) -> tuple[Bar, ...]:
    """Return the visible bars that opened from `first` to `last`, both included, in order."""
    values = {"first": to_micros(first), "last": to_micros(last)}
    rows = conn.execute(_BETWEEN, {"series": row_id, **values, **sight._asdict()})
    return tuple([_bar(row, series.interval) for row in rows.all()])


def first_bars(
    conn: Connection, row_id: int, interval: timedelta, first: int, last: int, as_of: int
) -> list[FirstBar]:
    """Return first revisions of bars known by a moment, in order; moments in microseconds."""
    values = {"series": row_id, "first": first, "last": last, "as_of": as_of}
    rows = conn.execute(_FIRST_BARS, values).all()
    return [(row[1], _bar(row[1:], interval), bool(row[0])) for row in rows]


def price_rows(conn: Connection, row_id: int, after: int, as_of: int) -> list[PriceRow]:
    """Return first revisions of all bars that opened after a moment; moments in microseconds."""
    cursor = driver_cursor(conn)
    cursor.execute(_LADDER, {"series": row_id, "after": after, "as_of": as_of})
    return [PriceRow._make(row) for row in cursor.fetchall()]


def last_bar(
    conn: Connection, row_id: int, series: Series, last: datetime, sight: VisibleRevisions
) -> Bar | None:
    """Return the last visible bar that opened by a moment."""
    values = {"series": row_id, "last": to_micros(last), **sight._asdict()}
    row = conn.execute(_LAST, values).one_or_none()
    return None if row is None else _bar(row, series.interval)


def first_bar_after(
    conn: Connection,
    row_id: int,
    series: Series,
    after: datetime,
    last: datetime,
    sight: VisibleRevisions,
) -> Bar | None:
    """Return the first visible bar that opened after a moment, and by another one."""
    values = {"after": to_micros(after), "last": to_micros(last)}
    row = conn.execute(_FIRST_AFTER, {"series": row_id, **values, **sight._asdict()}).one_or_none()
    return None if row is None else _bar(row, series.interval)


def splits_of(
    conn: Connection, source: str, symbol: str, as_of: int = LATEST_US
) -> tuple[Split, ...]:
    """Return the splits of a market that were valid at a moment (microseconds)."""
    values = {"source": source, "symbol": symbol, "as_of": as_of}
    return tuple(
        Split(from_micros(at), Fraction(numerator, denominator))
        for at, numerator, denominator in conn.execute(_SPLITS, values)
    )


def splits_of_source(
    conn: Connection, source: str, as_of: int | None = None
) -> dict[str, tuple[Split, ...]]:
    """Return the splits of every market of a source that were valid at a moment (microseconds)."""
    values = {"source": source, "as_of": LATEST_US if as_of is None else as_of}
    markets: dict[str, tuple[Split, ...]] = {}
    for symbol, at, numerator, denominator in conn.execute(_SPLITS_OF_SOURCE, values):
        split = Split(from_micros(at), Fraction(numerator, denominator))
        markets[symbol] = (*markets.get(symbol, ()), split)
    return markets


def replace_splits(
    conn: Connection,
    source: str,
    symbol: str,
    gone: Iterable[Split],
    new: Iterable[Split],
    now: int,
) -> None:
    """End splits and add others, from now on (microseconds)."""
    market = {"source": source, "symbol": symbol, "now": now}
    conn.execute(_END_SPLITS, {**market, "rows": json.dumps([_split(split) for split in gone])})
    conn.execute(_ADD_SPLITS, {**market, "rows": json.dumps([_split(split) for split in new])})


def overview(conn: Connection, row_id: int, series: Series) -> Any:
    """Return counts of the current bars of a series: bars, first, last, gaps, missing, revised."""
    # Prints have no interval, so none is missing.
    interval = series.interval // _MICROSECOND or LATEST_US
    return conn.execute(_OVERVIEW, {"series": row_id, "interval": interval}).one()


def _key(series: Series) -> dict[str, Any]:
    return {
        "source": series.source,
        "symbol": series.symbol,
        "interval": series.interval // _MICROSECOND,
    }


def _bar(row: Any, interval: timedelta) -> Bar:
    t_open, first, high, low, close, volume = row
    return Bar(
        from_micros(t_open),
        interval,
        Decimal(first),
        Decimal(high),
        Decimal(low),
        Decimal(close),
        Decimal(volume),
    )


def _split(split: Split) -> tuple[int, int, int]:
    return (to_micros(split.effective_at), split.ratio.numerator, split.ratio.denominator)
