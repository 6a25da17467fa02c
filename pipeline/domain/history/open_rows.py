"""SQL over the fills of positions that are still open."""

from collections.abc import Iterator
from decimal import Decimal
from itertools import groupby
from typing import Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.domain.history.fill import Fill
from afterword.pipeline.domain.history.rows import COLUMNS, fill_of

_MARKET: Final = ("sub_account_id", "symbol", "venue", "kind", "position_side")
_SAME: Final = " AND ".join(f"f.{name} = e.{name}" for name in _MARKET)

# The fill that closed the last trip of a market counts if it went on: then it opened a position.
_TAILS = text(f"""
WITH ends AS (
  SELECT f.id, f.{", f.".join(_MARKET)}, f.ts_ms, f.order_in_ms, t.left_over, row_number() OVER (
    PARTITION BY f.{", f.".join(_MARKET)} ORDER BY f.ts_ms DESC, f.order_in_ms DESC, t.id DESC
  ) AS place
  FROM round_trips AS t JOIN perps_fills AS f ON f.id = t.last_fill_id
  WHERE (:account IS NULL OR t.sub_account_id = :account)
    AND (:at IS NULL OR t.known_at <= :at)
    AND (t.superseded_at IS NULL OR t.superseded_at > :at)
    AND t.closed_at <= :until)
SELECT e.left_over, e.id IS f.id AS is_end, {COLUMNS} FROM perps_fills AS f
LEFT JOIN ends AS e ON {_SAME} AND e.place = 1
WHERE (:account IS NULL OR f.sub_account_id = :account)
  AND (:at IS NULL OR f.created_at <= :at) AND 1000 * f.ts_ms <= :until
  AND (e.id IS NULL OR (f.ts_ms, f.order_in_ms) > (e.ts_ms, e.order_in_ms)
    OR (e.id = f.id AND e.left_over <> '0'))
ORDER BY f.{", f.".join(_MARKET)}, f.ts_ms, f.order_in_ms
""")


class Tail(NamedTuple):
    """The fills of a market after its last round trip, in order.

    Args:
        before: the fill that closed that trip, if it went on.
        left: signed units of `before` that open the next position.
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
