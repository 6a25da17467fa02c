"""SQL over the owner's trades of a window: counted, and never a wallet that is only compared with.

A moment `as_of` is in microseconds; trades that became known later are not counted.
"""

import json
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.domain.prices.rows import LATEST_US
from afterword.pipeline.domain.trips.model import INCOMPLETE
from afterword.pipeline.rules.market.windows import DAY_US

# Of a name that was both, the owner's own account counts while it stands. A wallet stays somebody
# else's after its account was removed here, since its trades stay.
_REFERENCES = text("""
SELECT name, address FROM accounts AS a
WHERE kind = 'reference' AND added_at <= :as_of AND NOT EXISTS (
  SELECT 1 FROM accounts AS own WHERE own.kind = 'own' AND own.added_at <= :as_of
    AND (own.name = a.name OR own.address = a.address)
    AND (own.removed_at IS NULL OR own.removed_at > :as_of))
""")
_ACCOUNTS = text("""
SELECT sub_account_id,
  (SELECT wallet_address FROM perps_fills WHERE sub_account_id = known.sub_account_id LIMIT 1)
FROM (SELECT DISTINCT sub_account_id FROM perps_fills) AS known
UNION SELECT DISTINCT sub_account_id, NULL FROM closed_trades
""")
OWN: Final = "sub_account_id NOT IN (SELECT value FROM json_each(:others))"
"""Whether a trade is the owner's own."""

_CLOSED_KNOWN: Final = (
    f"known_at <= :as_of AND (covered_at IS NULL OR covered_at > :as_of) AND {OWN}"
)
_BY_DAY = text(f"""
SELECT 1000 * ts_ms / {DAY_US}, symbol, count(*) FROM perps_fills
WHERE ts_ms >= :since / 1000 AND ts_ms <= :until / 1000 AND created_at <= :as_of AND {OWN}
GROUP BY 1, 2
UNION ALL SELECT closed_at / {DAY_US}, symbol, count(*) FROM closed_trades
WHERE closed_at >= :since AND closed_at <= :until AND {_CLOSED_KNOWN}
GROUP BY 1, 2
""")
_FIRST = text(f"""
SELECT min(at) FROM (
  SELECT 1000 * ts_ms AS at FROM (
    SELECT ts_ms FROM perps_fills WHERE created_at <= :as_of AND {OWN} ORDER BY ts_ms LIMIT 1)
  UNION ALL
  SELECT min(coalesce(opened_at, closed_at)) FROM closed_trades WHERE {_CLOSED_KNOWN})
""")
# A spot position that is raised while it loses is a savings plan as well; only borrowed money
# makes it a sign.
IS_LEVERAGED: Final = (
    "kind IN ('perp', 'future', 'cfd') AND NOT EXISTS (SELECT 1 FROM json_each(flags)"
    f" WHERE value IN ({', '.join(repr(flag) for flag in sorted(INCOMPLETE))}))"
)
_TRIPS = text(f"""
SELECT count(*), count(*) FILTER (WHERE is_leveraged),
  count(*) FILTER (WHERE is_leveraged AND liquidated),
  count(*) FILTER (WHERE is_leveraged AND losing_adds > 0)
FROM (
  SELECT liquidated, losing_adds, {IS_LEVERAGED} AS is_leveraged FROM round_trips
  WHERE closed_at >= :since AND closed_at <= :until AND known_at <= :as_of
    AND (superseded_at IS NULL OR superseded_at > :as_of) AND {OWN})
""")
_CLOSED = text(f"""
SELECT count(*) FROM closed_trades
WHERE closed_at >= :since AND closed_at <= :until AND {_CLOSED_KNOWN}
""")


class TradeWindow(NamedTuple):
    """The trades that are counted: those of a span of time, as known at a moment; microseconds.

    Args:
        others: accounts whose trades are not the owner's, as a JSON array.
    """

    since: int
    until: int
    as_of: int
    others: str = "[]"


class TradedDay(NamedTuple):
    """Fills and closed trades of one market on one day, numbered from 1970."""

    day: int
    symbol: str
    fills: int


class TripCounts(NamedTuple):
    """Closed positions of a window; the fields are those of `TradesOfMonth`."""

    trades: int
    leveraged: int
    liquidated: int
    added_to_loser: int


def window(conn: Connection, since: int, until: int, as_of: int | None) -> TradeWindow:
    """Return a window without the trades of wallets that the owner only compares with."""
    known = TradeWindow(since, until, LATEST_US if as_of is None else as_of)
    references = conn.execute(_REFERENCES, known._asdict()).all()
    if not references:
        return known
    rows = conn.execute(_ACCOUNTS).all()
    others = sorted({str(row[0]) for row in rows if _is_of(row, references)})
    return known._replace(others=json.dumps(others))


def by_day(conn: Connection, trades: TradeWindow) -> list[TradedDay]:
    """Return how often each market was traded, by day."""
    return [TradedDay(*row) for row in conn.execute(_BY_DAY, trades._asdict())]


def first_at(conn: Connection, trades: TradeWindow) -> int | None:
    """Return the moment of the first trade that is known (microseconds); None without one."""
    first: int | None = conn.execute(_FIRST, trades._asdict()).scalar_one()
    return first


def trip_counts(conn: Connection, trades: TradeWindow) -> TripCounts:
    """Count the positions that were closed."""
    values = trades._asdict()
    counts = TripCounts(*map(int, conn.execute(_TRIPS, values).one()))
    return counts._replace(trades=counts.trades + conn.execute(_CLOSED, values).scalar_one())


def _is_of(account: Sequence[Any], references: Sequence[Any]) -> bool:
    name, wallet = account
    return any(
        name == known or str(name).startswith(f"{known}/") or (wallet or "").lower() == address
        for known, address in references
    )
