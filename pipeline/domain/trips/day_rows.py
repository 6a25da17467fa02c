"""SQL over the days on which trips closed: their sums, and the trips of some days.

Both tables of trips have an index that holds what is read here, so that a hundred thousand trips
are summed up in some 30 ms.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, Final, Literal, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.fills.accounts import of_account
from afterword.pipeline.domain.trips.model import INCOMPLETE
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.rules.setup import Direction

TripResult = Literal["won", "lost", "even"]

_EPOCH: Final = date(1970, 1, 1)

_HAS_GAPS: Final = " OR ".join(f"""instr(flags, '"{flag}"')""" for flag in sorted(INCOMPLETE))
_ROUND_TRIPS: Final = {
    "table": "round_trips",
    "stands": "superseded_at IS NULL",
    "day": "(closed_at + 43200000000 * (instr(flags, '\"days_only\"') > 0)) / 86400000000",
    "net": "CAST(coalesce(net, net_micro_usd / 1e6) AS REAL)",
    "fees": "CAST(coalesce(fees, fee_micro_usd / 1e6) AS REAL)",
    "is_day": "(flags <> '[]' AND instr(flags, '\"days_only\"') > 0)",
    "gaps": f"(flags <> '[]' AND ({_HAS_GAPS}))",
}
_CLOSED_TRADES: Final = {
    "table": "closed_trades",
    "stands": "covered_at IS NULL",
    "day": "(closed_at + 43200000000 * is_day) / 86400000000",
    "net": "CAST(net AS REAL)",
    "fees": "CAST(fees AS REAL)",
    "is_day": "is_day",
    "gaps": "0",
}
_SUMS: Final = """
SELECT {day} AS day, quote, count(*), sum({net} > 0), sum({net} < 0),
  CAST(round(sum({net}), 8) + 0.0 AS TEXT), CAST(round(total({fees}), 8) + 0.0 AS TEXT),
  count(*) - count({fees}), 0
FROM {table} WHERE {stands}{conditions} AND NOT {gaps}
GROUP BY 1, 2
"""
_INCOMPLETE: Final = """
SELECT {day} AS day, quote, 0, 0, 0, '0', '0', 0, count(*)
FROM {table} WHERE {stands}{conditions} AND {gaps}
GROUP BY 1, 2
"""
_PLACES: Final = """
SELECT {day}, closed_at, trip_uid FROM {table}
WHERE {stands}{conditions}
  AND {day} BETWEEN :first AND :last
"""
_CONDITIONS: Final[Mapping[str, str]] = {
    "symbols": "symbol IN (SELECT value FROM json_each(:symbols))",
    "direction": "direction = :direction",
    "account": of_account(),
    "others": "sub_account_id NOT IN (SELECT value FROM json_each(:others))",
    "uids": "trip_uid IN (SELECT value FROM json_each(:uids))",
    "since": "closed_at >= :since",
    "until": "closed_at < :until",
}
_RESULTS: Final[Mapping[TripResult, str]] = {"won": "> 0", "lost": "< 0", "even": "= 0"}
_SYMBOLS: Final = text("""
WITH RECURSIVE market (symbol) AS (
  SELECT min(symbol) FROM round_trips
  UNION ALL
  SELECT (SELECT min(symbol) FROM round_trips WHERE symbol > market.symbol) FROM market
  WHERE market.symbol IS NOT NULL)
SELECT symbol FROM market WHERE symbol IS NOT NULL
UNION SELECT symbol FROM closed_trades WHERE covered_at IS NULL
ORDER BY symbol
""")
_ACCOUNTS: Final = text("""
WITH RECURSIVE account (name) AS (
  SELECT min(sub_account_id) FROM round_trips WHERE superseded_at IS NULL
  UNION ALL
  SELECT (SELECT min(sub_account_id) FROM round_trips
    WHERE sub_account_id > account.name AND superseded_at IS NULL) FROM account
  WHERE account.name IS NOT NULL)
SELECT name FROM account WHERE name IS NOT NULL
UNION SELECT sub_account_id FROM closed_trades WHERE covered_at IS NULL
ORDER BY name
""")


# By the index of days: the plus keeps it from that of markets, which lacks what is read here.
_HELD: Final = """
SELECT {counts}, count(*) FROM (
  SELECT iif({is_day}, (closed_at - opened_at + 43200000000) / 86400000000 * 86400000000,
    closed_at - opened_at) AS held, {is_day} AS is_day
  FROM {table} WHERE {stands} AND {day} <= 1 + :opened / 86400000000
    AND closed_at <= :opened AND +sub_account_id = :account AND opened_at IS NOT NULL
    AND NOT {gaps} AND (opened_at < :opened
      OR (closed_at, symbol, direction, trip_uid) < (:closed, :symbol, :direction, :uid)))
WHERE held > 0 OR NOT is_day
"""


class TripScope(NamedTuple):
    """Which trips are asked for; None leaves a condition out. Moments are microseconds.

    Args:
        others: accounts that are left out.
        until: they closed before it.
    """

    symbols: tuple[str, ...] | None = None
    direction: Direction | None = None
    result: TripResult | None = None
    account: str | None = None
    others: tuple[str, ...] | None = None
    uids: tuple[str, ...] | None = None
    since: int | None = None
    until: int | None = None


class TripPlace(NamedTuple):
    """A trip by its place among all of them.

    Args:
        day: on which it closed, UTC; days since 1970-01-01.
        closed_at: microseconds.
    """

    day: int
    closed_at: int
    trip_uid: str

    @property
    def date(self) -> date:
        """The day."""
        return _EPOCH + timedelta(days=self.day)


@dataclass(frozen=True, slots=True)
class TripDay:
    """What the complete trips of one quote came to that closed on one day.

    Args:
        day: UTC.
        fees: of those whose fees are known; the others are `fees_unknown`.
        incomplete: trips with missing fills, which are in no other number.
    """

    day: date
    quote: str
    trips: int
    won: int
    lost: int
    net: Decimal
    fees: Decimal
    fees_unknown: int
    incomplete: int


def trip_days(conn: Connection, scope: TripScope) -> list[TripDay]:
    """Return the sums of the days on which trips closed, by day and quote.

    Amounts are sums of floats, added with compensation and rounded to 8 places: to the cent they
    are exact. Adding 0 makes a negative zero positive.
    """
    days: dict[tuple[int, str], TripDay] = {}
    for source in (_ROUND_TRIPS, _CLOSED_TRADES):
        for statement in (_SUMS, _INCOMPLETE):
            for row in conn.execute(*_asked(statement, source, scope)):
                key, day = row[:2], _trip_day(*row)
                days[key] = _together(day, days[key]) if key in days else day
    return [days[key] for key in sorted(days)]


def trips_of_days(conn: Connection, scope: TripScope, first: date, last: date) -> list[TripPlace]:
    """Return the trips of some days, the newest first.

    Args:
        first: UTC; likewise `last`, which is included.
    """
    span = {"first": (first - _EPOCH).days, "last": (last - _EPOCH).days}
    places = [
        TripPlace(*row)
        for source in (_ROUND_TRIPS, _CLOSED_TRADES)
        for row in conn.execute(*_asked(_PLACES, source, scope, **span))
    ]
    return sorted(places, reverse=True)


def held_counts(conn: Connection, trip: Trip, lengths: Sequence[int]) -> list[int]:
    """Return how many earlier trips of the account were held for at most so long, then all.

    Args:
        trip: those count that were complete, and closed when it was entered.
        lengths: microseconds.
    """
    if trip.opened_at is None or trip.is_incomplete:
        return [0] * (len(lengths) + 1)
    values = {
        "account": trip.account,
        "opened": to_micros(trip.opened_at),
        "closed": to_micros(trip.closed_at),
        "symbol": trip.symbol,
        "direction": trip.direction,
        "uid": trip.trip_uid,
    }
    counts = ", ".join(f"coalesce(sum(held <= {length}), 0)" for length in lengths)
    rows = [
        conn.execute(text(_HELD.format(counts=counts, **source)), values).one()
        for source in (_ROUND_TRIPS, _CLOSED_TRADES)
    ]
    return [sum(both) for both in zip(*rows, strict=True)]


def markets(conn: Connection) -> list[str]:
    """Return the markets in which a position closed, as their venues write them."""
    return list(conn.execute(_SYMBOLS).scalars())


def traded_accounts(conn: Connection) -> list[str]:
    """Return the names of the accounts that have trips."""
    return list(conn.execute(_ACCOUNTS).scalars())


def _asked(
    statement: str, source: Mapping[str, str], scope: TripScope, **values: Any
) -> tuple[Any, dict[str, Any]]:
    """Return a statement over one table with the conditions of a scope, and its values."""
    given = {name: value for name, value in scope._asdict().items() if value is not None}
    conditions = [_CONDITIONS[name] for name in given if name != "result"]
    if scope.result is not None:
        conditions.append(f"{source['net']} {_RESULTS[scope.result]} AND NOT {source['gaps']}")
    where = "".join(f" AND {condition}" for condition in conditions)
    named = {name: _value(value) for name, value in given.items() if name != "result"}
    return text(statement.format(conditions=where, **source)), named | values


def _value(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, tuple) else value


def _trip_day(
    day: int, quote: str, trips: int, won: int, lost: int, net: str, fees: str, *rest: int
) -> TripDay:
    on = _EPOCH + timedelta(days=day)
    return TripDay(on, quote, trips, won, lost, Decimal(net), Decimal(fees), *rest)


def _together(day: TripDay, other: TripDay) -> TripDay:
    """Return the sum of two sets of trips of the same day and quote."""
    numbers = [field.name for field in fields(TripDay)][2:]
    sums = {name: getattr(day, name) + getattr(other, name) for name in numbers}
    return replace(day, **sums)
