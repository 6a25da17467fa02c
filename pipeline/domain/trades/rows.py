"""SQL of tags and verdicts."""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.store.codec import Codec
from afterword.pipeline.domain.fills.accounts import of_account
from afterword.pipeline.domain.trades.model import BookNumbers, Cell, TradeVerdict
from afterword.pipeline.domain.trips.trip import Trip

TRADE_RULE_VERSION: Final = 2
"""Version of the rules that score, label and compare trips. A verdict of an older one does not
stand: it is not read, and the account is judged anew. 1 compared results after costs."""

_PPB: Final = 1_000_000_000
_ALWAYS: Final = (1 << 63) - 1


class TagRow(NamedTuple):
    """A tag with the position it was given to; moments are microseconds."""

    id: int
    trip_uid: str
    account: str
    symbol: str
    direction: str
    opened_at: int | None
    closed_at: int
    tag: str
    origin: str
    known_at: int


_TAG: Final = Codec(TagRow, names={"account": "sub_account_id"})
_ADD_TAG = text("""
INSERT INTO trip_tags
  (trip_uid, sub_account_id, symbol, direction, opened_at, closed_at, tag, origin, known_at)
VALUES (:uid, :account, :symbol, :direction, :opened, :closed, :tag, :origin, :now)
ON CONFLICT (trip_uid, tag) WHERE removed_at IS NULL DO NOTHING
RETURNING id
""")
_REMOVE_TAG = text("""
UPDATE trip_tags SET removed_at = :now
WHERE id IN (SELECT value FROM json_each(:ids)) AND removed_at IS NULL
RETURNING id
""")
_TAGS = text(f"""
SELECT {_TAG.columns} FROM trip_tags
WHERE known_at <= :as_of AND (removed_at IS NULL OR removed_at > :as_of)
  AND {of_account()}
ORDER BY known_at, id
""")
_USED_TAGS = text("SELECT DISTINCT tag FROM trip_tags WHERE removed_at IS NULL ORDER BY tag")
_TAGGED = text(f"SELECT {_TAG.columns} FROM trip_tags WHERE tag = :tag AND removed_at IS NULL")
_TAGS_OF = text(f"""
WITH trip AS (SELECT value ->> 0 AS uid, value ->> 1 AS account, value ->> 2 AS symbol,
  value ->> 3 AS direction, value ->> 4 AS since, value ->> 5 AS until FROM json_each(:trips))
SELECT * FROM (
  SELECT {_TAG.columns_of("t")}, trip.uid AS holder
  FROM trip JOIN trip_tags AS t ON t.trip_uid = trip.uid
  WHERE removed_at IS NULL
  UNION
  SELECT {_TAG.columns_of("t")}, trip.uid FROM trip JOIN trip_tags AS t
    ON t.sub_account_id = trip.account AND t.symbol = trip.symbol
      AND t.direction = trip.direction
      AND coalesce(t.opened_at, t.closed_at) BETWEEN trip.since AND trip.until
  WHERE removed_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM round_trips AS r
      WHERE r.trip_uid = t.trip_uid AND r.superseded_at IS NULL)
    AND NOT EXISTS (SELECT 1 FROM closed_trades AS c
      WHERE c.trip_uid = t.trip_uid AND c.covered_at IS NULL))
ORDER BY known_at, id
""")
_INSERT_VERDICT = text("""
INSERT INTO trade_verdicts
  (sub_account_id, known_at, trips, stretches, level_ppb, tried, book, named, rule_version)
SELECT :account, :now, :trips, :stretches, :level, :tried, :book, :named, :version
WHERE coalesce((
  SELECT max(id) FROM trade_verdicts
  WHERE sub_account_id = :account AND rule_version = :version), 0) = :last
RETURNING id
""")
_LAST_VERDICT = text("""
SELECT * FROM trade_verdicts
WHERE sub_account_id = :account AND known_at <= :as_of AND rule_version = :version
ORDER BY known_at DESC, id DESC LIMIT 1
""")
_VERDICTS = text("""
SELECT v.* FROM trade_verdicts AS v
WHERE v.known_at <= :as_of AND v.id = (
  SELECT newest.id FROM trade_verdicts AS newest
  WHERE newest.sub_account_id = v.sub_account_id AND newest.known_at <= :as_of
    AND newest.rule_version = :version
  ORDER BY newest.known_at DESC, newest.id DESC LIMIT 1)
ORDER BY v.sub_account_id
""")


def add_tag(conn: Connection, trip: Trip, tag: str, origin: str, now: int) -> int | None:
    """Give a trip a tag; None if it has it."""
    values = {
        "uid": trip.trip_uid,
        "account": trip.account,
        "symbol": trip.symbol,
        "direction": trip.direction,
        "opened": None if trip.opened_at is None else to_micros(trip.opened_at),
        "closed": to_micros(trip.closed_at),
        "tag": tag,
        "origin": origin,
        "now": now,
    }
    row_id: int | None = conn.execute(_ADD_TAG, values).scalar()
    return row_id


def remove_tags(conn: Connection, ids: Sequence[int], now: int) -> list[int]:
    """Take tags away; return the ids of those that were there."""
    values = {"ids": json.dumps(list(ids)), "now": now}
    return sorted(conn.execute(_REMOVE_TAG, values).scalars())


def tags(conn: Connection, as_of: int | None, account: str | None) -> list[TagRow]:
    """Return the tags that stood at a moment (microseconds), in the order they were given."""
    values = {"as_of": _moment(as_of), "account": account}
    return [_TAG.read(row) for row in conn.execute(_TAGS, values)]


def used_tags(conn: Connection) -> list[str]:
    """Return the tags that trips have now."""
    return list(conn.execute(_USED_TAGS).scalars())


def tagged(conn: Connection, tag: str) -> list[TagRow]:
    """Return the rows of one tag that stand now."""
    return [_TAG.read(row) for row in conn.execute(_TAGGED, {"tag": tag})]


def tags_of(conn: Connection, trips: Sequence[Trip]) -> list[tuple[TagRow, str]]:
    """Return the tags that trips have now, each with the name of its trip, as they were given.

    A tag of a trip that has another name meanwhile is that of the trip of the same market and
    direction that was open when the tagged one was entered.
    """
    spans = json.dumps([span_of(trip) for trip in trips])
    known = conn.execute(_TAGS_OF, {"trips": spans})
    return [(_TAG.read(row[:-1]), row[-1]) for row in known]


def span_of(trip: Trip) -> tuple[str | int, ...]:
    """Return the name of a trip, its market and direction, and from when to when it was open."""
    closed_at = to_micros(trip.closed_at)
    opened_at = closed_at if trip.opened_at is None else to_micros(trip.opened_at)
    return trip.trip_uid, trip.account, trip.symbol, trip.direction, opened_at, closed_at


def insert_verdict(
    conn: Connection, verdict: TradeVerdict, last: TradeVerdict | None
) -> int | None:
    """Add a verdict; None if another one was made since `last` was read.

    Args:
        verdict: its id is not used.
    """
    values = {
        "account": verdict.account or "",
        "now": to_micros(verdict.known_at),
        "trips": verdict.trips,
        "stretches": verdict.stretches,
        "level": round(verdict.level * _PPB),
        "tried": verdict.tried,
        "book": None if verdict.book is None else json.dumps(asdict(verdict.book)),
        "named": json.dumps([asdict(_brief(cell)) for cell in verdict.named], ensure_ascii=False),
        "version": TRADE_RULE_VERSION,
        "last": 0 if last is None else last.id,
    }
    row_id: int | None = conn.execute(_INSERT_VERDICT, values).scalar()
    return row_id


def last_verdict(conn: Connection, account: str | None, as_of: int | None) -> TradeVerdict | None:
    """Return the verdict on an account, or on all together, that stood at a moment."""
    values = {"account": account or "", "as_of": _moment(as_of), "version": TRADE_RULE_VERSION}
    row = conn.execute(_LAST_VERDICT, values).one_or_none()
    return None if row is None else _verdict(row)


def verdicts(conn: Connection, as_of: datetime | None) -> list[TradeVerdict]:
    """Return the verdict of each account that stood at a moment; that on all together is first."""
    moment = _moment(None if as_of is None else to_micros(as_of))
    values = {"as_of": moment, "version": TRADE_RULE_VERSION}
    return [_verdict(row) for row in conn.execute(_VERDICTS, values)]


def _verdict(row: Any) -> TradeVerdict:
    return TradeVerdict(
        id=row.id,
        account=row.sub_account_id or None,
        known_at=from_micros(row.known_at),
        trips=row.trips,
        stretches=row.stretches,
        level=row.level_ppb / _PPB,
        tried=row.tried,
        named=tuple(Cell(**(cell | {"trip_uids": ()})) for cell in json.loads(row.named)),
        book=None if row.book is None else BookNumbers(**json.loads(row.book)),
    )


def _brief(cell: Cell) -> Cell:
    return replace(cell, trip_uids=())


def _moment(as_of: int | None) -> int:
    return _ALWAYS if as_of is None else as_of
