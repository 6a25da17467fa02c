"""SQL of standings: when decisions were made."""

import json
from collections.abc import Iterable

from sqlalchemy import Connection, text

_DECIDED_AT = text("""
SELECT id, decided_at FROM role_memory WHERE id IN (SELECT value FROM json_each(:ids))
""")


def decided_at(conn: Connection, ids: Iterable[int]) -> dict[int, int]:
    """Return when decisions were made (microseconds), by id."""
    found = conn.execute(_DECIDED_AT, {"ids": json.dumps(list(ids))})
    return {int(row_id): int(moment) for row_id, moment in found}
