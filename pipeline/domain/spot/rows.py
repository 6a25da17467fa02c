"""SQL over what wallets did on chains."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store.codec import Codec
from afterword.pipeline.domain.fills.accounts import of_account
from afterword.pipeline.domain.spot.model import SpotActivity, SpotValue, StoredActivity

ACTIVITY: Final = Codec(
    SpotActivity,
    names={"time_ms": "ts_ms", "from_amount": "amount", "raw": "raw_json"},
    given=("line",),
    amounts=("from_amount", "to_amount", "gas"),
)
_VALUE: Final = Codec(
    SpotValue,
    names={"usd": "value_usd"},
    amounts=("usd", "price"),
    moments=("price_at",),
)
# Two imports at once cannot both add a leg: each looks for it inside its own write.
_INSERT: Final = ACTIVITY.insert(
    "external_spot_activities",
    *("leg", "created_at", *_VALUE.names, "valued_at"),
    otherwise="ON CONFLICT (account, chain, tx_hash, leg) DO NOTHING",
)
_LEGS: Final = f"""
SELECT {ACTIVITY.columns} FROM external_spot_activities
WHERE account = ? AND chain = ? AND tx_hash = ? ORDER BY leg
"""
_SET_VALUE: Final = f"""
UPDATE external_spot_activities
SET {", ".join(f"{name} = ?" for name in _VALUE.names)}, valued_at = ?
WHERE id = ? AND basis IS NULL
"""
_UNVALUED = text(f"""
SELECT id, {ACTIVITY.columns} FROM external_spot_activities
WHERE basis IS NULL AND status = 'confirmed' AND id > :after ORDER BY id LIMIT :limit
""")
# A value that became known later was none then.
_THEN: Final = {
    name: f"CASE WHEN :at IS NULL OR valued_at <= :at THEN {name} END" for name in _VALUE.names
}
_LISTED = text(f"""
SELECT leg, {ACTIVITY.columns}, {", ".join(_THEN.values())} FROM external_spot_activities
WHERE {of_account("account")}
  AND (:chain IS NULL OR chain = :chain)
  AND (:token IS NULL OR from_token = :token OR to_token = :token)
  AND (:since IS NULL OR ts_ms >= :since)
  AND (:at IS NULL OR created_at <= :at)
ORDER BY ts_ms DESC, id DESC
""")
_READ_AT_ONCE: Final = 1_000


def insert(
    conn: Connection,
    activities: Iterable[tuple[SpotActivity, int, SpotValue | None]],
    now: int,
) -> int:
    """Add activities that are not known, and return how many were new.

    One is known if as many legs of its transaction have its content as its file has up to it.

    Args:
        activities: each with the number of equal ones before it in its file, and its dollars.
        now: UTC microseconds; they are known from then on.
    """
    new = 0
    for activity, equals, value in activities:
        place = (activity.account, activity.chain, activity.tx_hash)
        legs = [ACTIVITY.read(row).content for row in conn.exec_driver_sql(_LEGS, place)]
        if legs.count(activity.content) > equals:
            continue
        columns = (*ACTIVITY.write(activity), len(legs), now)
        valued = (None,) * len(_VALUE.names) if value is None else _VALUE.write(value)
        conn.exec_driver_sql(_INSERT, (*columns, *valued, None if value is None else now))
        new += 1
    return new


def unvalued(conn: Connection, after: int, limit: int) -> list[tuple[int, SpotActivity]]:
    """Return confirmed activities without dollars as (row id, activity), behind a row id."""
    rows = conn.execute(_UNVALUED, {"after": after, "limit": limit})
    return [(row[0], ACTIVITY.read(row[1:])) for row in rows]


def set_values(conn: Connection, values: Iterable[tuple[int, SpotValue]], now: int) -> int:
    """Store the dollars of activities that have none, by row id; return how many got some."""
    return sum(
        conn.exec_driver_sql(_SET_VALUE, (*_VALUE.write(value), now, row_id)).rowcount
        for row_id, value in values
    )


def activities(
    conn: Connection,
    *,
    account: str | None = None,
    chain: str | None = None,
    token: str | None = None,
    since: datetime | None = None,
    at: datetime | None = None,
) -> Iterator[StoredActivity]:
    """Yield activities as known at a moment, the latest first."""
    values = {
        "account": account,
        "chain": chain,
        "token": token,
        "since": None if since is None else to_micros(since) // 1_000,
        "at": None if at is None else to_micros(at),
    }
    for rows in conn.execute(_LISTED, values).partitions(_READ_AT_ONCE):
        yield from map(_stored, rows)


def _stored(row: Sequence[Any]) -> StoredActivity:
    ends = 1 + len(ACTIVITY.names)
    value = None if row[ends] is None else _VALUE.read(row[ends:])
    return StoredActivity(ACTIVITY.read(row[1:ends]), row[0], value)
