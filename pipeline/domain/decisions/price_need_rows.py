"""SQL over the assets that waiting decisions need prices of."""

import json
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.domain.decisions.peer_rows import PEERS

# Two walks of an index each: decisions never measured, and those parked for a lack of prices, or
# postponed until their windows end. A marked or judged decision needs no price any more.
_WAITING: Final = """
WITH waiting AS (
  SELECT id, asset, decided_at FROM role_memory
  WHERE role_id = :role_id AND state = 'pending' AND retry_at IS NULL AND decided_at <= :ripe
    AND classified_at IS NULL AND known_at >= :oldest
  UNION ALL
  SELECT id, asset, decided_at FROM role_memory
  WHERE role_id = :role_id AND retry_at IS NOT NULL
    AND (state = 'pending' OR (state = 'parked'
      AND reason IN (SELECT value FROM json_each(:reasons))))
    AND mark IS NULL AND classified_at IS NULL AND known_at >= :oldest)
"""
# The same two walks, each to its first row.
_FIRST = text("""
SELECT min(at) FROM (
  SELECT * FROM (SELECT decided_at AS at FROM role_memory
    WHERE role_id = :role_id AND state = 'pending' AND retry_at IS NULL
      AND classified_at IS NULL AND known_at >= :oldest ORDER BY decided_at LIMIT 1)
  UNION ALL
  SELECT * FROM (SELECT decided_at FROM role_memory
    WHERE role_id = :role_id AND retry_at IS NOT NULL
      AND (state = 'pending' OR (state = 'parked'
        AND reason IN (SELECT value FROM json_each(:reasons))))
      AND mark IS NULL AND classified_at IS NULL AND known_at >= :oldest LIMIT 1))
""")
_ASSETS = text(f"""
{_WAITING}
SELECT asset, min(decided_at), max(decided_at) FROM waiting WHERE asset IS NOT NULL GROUP BY asset
""")
_PEERS = text(f"""
{_WAITING}
SELECT peer.value, min(decided_at), max(decided_at) FROM role_memory, {PEERS}
WHERE role_memory.id IN (SELECT id FROM waiting) AND input.key = :field AND peer.type = 'text'
GROUP BY peer.value
""")


class RolePriceNeeds(NamedTuple):
    """Which decisions of a role wait for prices; moments in microseconds.

    Args:
        ripe: the latest moment of decision that counts.
        oldest: a decision recorded before then is about to be skipped and does not count.
        reasons: the parking reasons that more prices may end.
    """

    role_id: str
    ripe: int
    oldest: int
    reasons: Sequence[str]


class AssetNeed(NamedTuple):
    """An asset as it is written, and when its oldest and newest decisions were made
    (microseconds)."""

    name: str
    first: int
    last: int


def first(conn: Connection, role_id: str, oldest: int, reasons: Sequence[str]) -> int | None:
    """Return when the oldest decision that waits for prices, or will, was made (microseconds)."""
    values = {"role_id": role_id, "oldest": oldest, "reasons": json.dumps(list(reasons))}
    found: int | None = conn.execute(_FIRST, values).scalar_one()
    return found


def assets(conn: Connection, waiting: RolePriceNeeds) -> list[AssetNeed]:
    """Return the assets of such decisions."""
    return [AssetNeed(*row) for row in conn.execute(_ASSETS, _values(waiting))]


def peers(conn: Connection, waiting: RolePriceNeeds, field: str) -> list[AssetNeed]:
    """Return the peers that such decisions list in an input."""
    values = _values(waiting) | {"field": field}
    return [AssetNeed(*row) for row in conn.execute(_PEERS, values)]


def _values(waiting: RolePriceNeeds) -> dict[str, Any]:
    return waiting._asdict() | {"reasons": json.dumps(list(waiting.reasons))}
