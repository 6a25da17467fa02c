"""SQL over the peer assets that waiting decisions are compared with."""

import json
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Connection, text

_RIPE: Final = """
role_id = :role_id AND (state = 'parked' OR (state = 'pending' AND decided_at <= :ripe))
"""
PEERS: Final = """
json_each(role_memory.inputs) AS input,
  json_each(CASE input.type WHEN 'array' THEN input.value ELSE '[]' END) AS peer
"""
"""The input that lists peers, if it is a list. Its key is compared, because a JSON path would
interpret some names."""

_IS_RIPE = text(f"SELECT EXISTS (SELECT 1 FROM role_memory WHERE {_RIPE})")
_NAMED = text(f"""
SELECT DISTINCT peer.value FROM role_memory, {PEERS}
WHERE {_RIPE} AND input.key = :field AND peer.type = 'text'
""")
_RETRY: Final = """
UPDATE role_memory SET retry_at = :now
WHERE role_id = :role_id AND state = 'parked' AND retry_at > :now
"""
_RETRY_ALL = text(_RETRY)
_RETRY_COMPARED = text(f"""
{_RETRY} AND EXISTS (SELECT 1 FROM {PEERS}
  WHERE input.key = :field AND peer.value IN (SELECT value FROM json_each(:peers)))
""")


def is_ripe(conn: Connection, role_id: str, ripe_at: int) -> bool:
    """Return whether a role has a decision that is parked, or old enough to be measured.

    Args:
        ripe_at: decisions made by then have reached their minimum age; microseconds.
    """
    return bool(conn.execute(_IS_RIPE, {"role_id": role_id, "ripe": ripe_at}).scalar_one())


def named(conn: Connection, role_id: str, field: str, ripe_at: int) -> list[str]:
    """Return the peers such decisions list in an input, each once, as they are written."""
    values = {"role_id": role_id, "field": field, "ripe": ripe_at}
    return list(conn.execute(_NAMED, values).scalars())


def retry_now(
    conn: Connection,
    role_id: str,
    now: int,
    field: str | None = None,
    peers: Sequence[str] | None = None,
) -> None:
    """Make a role's parked decisions due now (microseconds).

    Args:
        field: only those that list one of `peers` in this input; None: all of them.
    """
    values: dict[str, Any] = {"role_id": role_id, "now": now}
    if field is None:
        conn.execute(_RETRY_ALL, values)
    else:
        values |= {"field": field, "peers": json.dumps(peers)}
        conn.execute(_RETRY_COMPARED, values)
