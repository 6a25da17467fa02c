"""SQL that finds trips by their names, and by the position that an older name stood for."""

import json
from collections.abc import Sequence
from operator import itemgetter
from typing import Final, NamedTuple

from sqlalchemy import Connection, text

_STANDS: Final = (
    "(superseded_at IS NULL OR superseded_at > :at) AND (:at IS NULL OR known_at <= :at)"
)
_COUNTS: Final = "(covered_at IS NULL OR covered_at > :at) AND (:at IS NULL OR known_at <= :at)"
_BEGIN: Final = text(f"""
SELECT trip_uid FROM round_trips
WHERE trip_uid >= :name AND trip_uid < :name || '~' AND {_STANDS}
UNION SELECT trip_uid FROM closed_trades
WHERE trip_uid >= :name AND trip_uid < :name || '~' AND {_COUNTS}
ORDER BY trip_uid LIMIT :most
""")
_HOLDERS: Final = text("""
SELECT key, coalesce(
  (SELECT trip_uid FROM round_trips
    WHERE trip_uid = value ->> 0 AND superseded_at IS NULL),
  (SELECT trip_uid FROM closed_trades WHERE trip_uid = value ->> 0 AND covered_at IS NULL),
  (SELECT trip_uid FROM round_trips
    WHERE sub_account_id = value ->> 1 AND symbol = value ->> 2 AND direction = value ->> 3
      AND superseded_at IS NULL AND opened_at <= value ->> 4 AND closed_at >= value ->> 4
    ORDER BY closed_at, trip_uid LIMIT 1),
  (SELECT trip_uid FROM closed_trades
    WHERE sub_account_id = value ->> 1 AND symbol = value ->> 2 AND direction = value ->> 3
      AND covered_at IS NULL AND coalesce(opened_at, closed_at) <= value ->> 4
      AND closed_at >= value ->> 4
    ORDER BY closed_at, trip_uid LIMIT 1))
FROM json_each(:positions)
""")

_MEMORY: Final = text("""
SELECT memory_id FROM round_trips WHERE trip_uid = :uid AND superseded_at IS NULL
UNION ALL SELECT memory_id FROM closed_trades WHERE trip_uid = :uid
""")


class NamedPosition(NamedTuple):
    """A position by the name that its trip had, and by what finds it under another one.

    Args:
        entry_at: when it was entered, or closed where that is not known; microseconds.
    """

    trip_uid: str
    account: str
    symbol: str
    direction: str
    entry_at: int


def names_from(conn: Connection, name: str, at: int | None, most: int) -> list[str]:
    """Return the names of trips that begin so.

    Args:
        at: as known at a moment (microseconds); now if None.
    """
    return list(conn.execute(_BEGIN, {"name": name, "at": at, "most": most}).scalars())


def memory_of(conn: Connection, trip_uid: str) -> int | None:
    """Return the id of the memory that tells of a trip; None if there is none."""
    memory_id: int | None = conn.execute(_MEMORY, {"uid": trip_uid}).scalar()
    return memory_id


def holders(conn: Connection, positions: Sequence[NamedPosition]) -> list[str | None]:
    """Return the name that the trip of each position has now; None where it is in none."""
    rows = conn.execute(_HOLDERS, {"positions": json.dumps(positions)})
    return [name for _, name in sorted(rows, key=itemgetter(0))]
