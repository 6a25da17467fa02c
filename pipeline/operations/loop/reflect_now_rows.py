"""SQL of a reflection that a person asks for: which roles a job reflects on, what waits."""

import json
from collections.abc import Sequence

from sqlalchemy import Connection, text

_AT_WORK = text("""
SELECT DISTINCT payload ->> 'role' FROM jobs
WHERE kind = :kind AND state = 'running' AND lease_until > :now
""")
_WAITING = text("""
SELECT count(*), min(retry_at) FROM role_memory
WHERE role_id IN (SELECT value FROM json_each(:roles)) AND state = 'pending' AND retry_at > :now
  AND tries > 0
""")


def at_work(conn: Connection, kind: str, now: int) -> set[str]:
    """Return the roles with a running job of a kind whose lease has not expired."""
    return set(conn.execute(_AT_WORK, {"kind": kind, "now": now}).scalars())


def waiting(conn: Connection, role_ids: Sequence[str], now: int) -> tuple[int, int | None]:
    """Return how many decisions wait for another try, and when the first has it (microseconds)."""
    values = {"roles": json.dumps(list(role_ids)), "now": now}
    found, first = conn.execute(_WAITING, values).one()
    return int(found), first
