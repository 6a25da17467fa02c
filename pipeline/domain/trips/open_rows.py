"""SQL over the fills that are in no round trip: those after the last one, and between others."""

from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.domain.fills.accounts import of_account
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.fills.rows import FILL_COLUMNS, fill_of

_MARKET: Final = ("sub_account_id", "symbol", "venue", "kind", "position_side")
_SAME: Final = " AND ".join(f"f.{name} = m.{name}" for name in _MARKET)
_NAMES: Final = ", ".join(_MARKET)

# A fill of each market is found by skipping to the next market; its last trip by going back from
# its newest fill. The fill that closed that trip counts if it went on: then it opened a position.
_TAILS = text(f"""
WITH RECURSIVE market (id) AS (
  SELECT * FROM (SELECT id FROM perps_fills ORDER BY {_NAMES} LIMIT 1)
  UNION ALL
  SELECT (SELECT f.id FROM perps_fills AS f
    WHERE (f.{", f.".join(_MARKET)}) > (m.{", m.".join(_MARKET)})
    ORDER BY {_NAMES} LIMIT 1)
  FROM market CROSS JOIN perps_fills AS m ON m.id = market.id),
ends AS (
  SELECT m.{", m.".join(_MARKET)}, (
    SELECT t.id FROM perps_fills AS f CROSS JOIN round_trips AS t ON t.last_fill_id = f.id
    WHERE {_SAME} AND (:at IS NULL OR t.known_at <= :at)
      AND (t.superseded_at IS NULL OR t.superseded_at > :at) AND t.closed_at <= :until
    ORDER BY f.ts_ms DESC, f.order_in_ms DESC, t.id DESC LIMIT 1) AS trip_id
  FROM market CROSS JOIN perps_fills AS m ON m.id = market.id
  WHERE {of_account("m.sub_account_id")})
SELECT t.left_over, last.id IS f.id AS is_end, {FILL_COLUMNS}
FROM ends AS m
LEFT JOIN round_trips AS t ON t.id = m.trip_id
LEFT JOIN perps_fills AS last ON last.id = t.last_fill_id
CROSS JOIN perps_fills AS f ON {_SAME} AND f.ts_ms >= coalesce(last.ts_ms, 0)
WHERE (:at IS NULL OR f.created_at <= :at) AND 1000 * f.ts_ms <= :until
  AND (last.id IS NULL OR (f.ts_ms, f.order_in_ms) > (last.ts_ms, last.order_in_ms)
    OR (last.id = f.id AND t.left_over <> '0'))
ORDER BY f.{", f.".join(_MARKET)}, f.ts_ms, f.order_in_ms
""")


_SPANS = text(f"""
SELECT t.left_over, {", ".join(f"last.{name}" for name in _MARKET)},
  first.ts_ms, first.order_in_ms, last.ts_ms, last.order_in_ms
FROM round_trips AS t
JOIN perps_fills AS first ON first.id = t.first_fill_id
JOIN perps_fills AS last ON last.id = t.last_fill_id
WHERE {of_account("t.sub_account_id")}
  AND (:at IS NULL OR t.known_at <= :at)
  AND (t.superseded_at IS NULL OR t.superseded_at > :at)
  AND t.closed_at <= :until
ORDER BY last.ts_ms, last.order_in_ms, t.id
""")
_PLACED = text(f"""
SELECT f.order_in_ms, {FILL_COLUMNS} FROM perps_fills AS f
WHERE {of_account("f.sub_account_id")}
  AND (:at IS NULL OR f.created_at <= :at) AND 1000 * f.ts_ms <= :until
  AND f.order_in_ms IS NOT NULL
ORDER BY f.{", f.".join(_MARKET)}, f.ts_ms, f.order_in_ms
""")

Place = tuple[int, int]
"""Time (ms) of a fill, and its order in the millisecond."""


class Tail(NamedTuple):
    """Neighbouring fills of a market that are in no round trip, in order.

    Args:
        before: the fill that closed the trip before them, if it went on.
        left: signed units that `before` left.
    """

    before: Fill | None
    left: Decimal
    fills: tuple[Fill, ...]


def tails(conn: Connection, at: int | None, until: int, account: str | None) -> Iterator[Tail]:
    """Yield what was traded after the last round trip of each market.

    Args:
        at: as known at a moment (microseconds); now if None.
        until: leaves out what executed or closed after this moment; microseconds.
        account: of one account; of all if None.
    """
    values = {"at": at, "until": until, "account": account}
    rows = [(row.left_over, row.is_end, fill_of(row)) for row in conn.execute(_TAILS, values)]
    for _, group in groupby(rows, key=lambda row: row[2].market):
        of = list(group)
        ends = [(fill, Decimal(left)) for left, is_end, fill in of if is_end]
        before, left = ends[0] if ends else (None, Decimal(0))
        yield Tail(before, left, tuple(fill for _, is_end, fill in of if not is_end))


class _Span(NamedTuple):
    """Where the first and the last fill of a round trip lie, and what the last one left."""

    first: Place
    last: Place
    left: Decimal


def between(conn: Connection, at: int | None, until: int, account: str | None) -> Iterator[Tail]:
    """Yield what was traded before and between the round trips of each market; see `tails`."""
    values = {"at": at, "until": until, "account": account}
    spans: dict[tuple[str, ...], list[_Span]] = defaultdict(list)
    for left, *market, first_ms, first, last_ms, last in conn.execute(_SPANS, values):
        spans[tuple(market)].append(_Span((first_ms, first), (last_ms, last), Decimal(left)))
    for key, rows in groupby(conn.execute(_PLACED, values), key=attrgetter(*_MARKET)):
        yield from _between(rows, spans.get(key, []))


def _between(rows: Iterator[Any], spans: list[_Span]) -> Iterator[Tail]:
    """Yield the runs of fills that lie before a trip; those after the last one are a tail."""
    coming = 0
    before, left = None, Decimal(0)
    run: list[Fill] = []
    for row in rows:
        place = (row.ts_ms, row.order_in_ms)
        while coming < len(spans) and spans[coming].last < place:
            coming += 1
        if coming == len(spans):
            return
        if place < spans[coming].first:
            run.append(fill_of(row))
            continue
        if run:
            yield Tail(before, left, tuple(run))
            run = []
        ending = [span.left for span in spans[coming : coming + 2] if span.last == place]
        before, left = (fill_of(row), ending[-1]) if ending else (None, Decimal(0))
