"""The audit line of every write: who did what to which row, never the row's text."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.domain.memory.model import Actor

_RECORD: Final = """
INSERT INTO audit_log (at, actor, tool_call, object_table, object_id, session_id, detail)
VALUES (?, ?, ?, ?, ?, ?, ?)
"""
_CHANGES: Final = text("""
SELECT tool_call, count(*) AS changes FROM (
  SELECT tool_call, at FROM audit_log ORDER BY id DESC LIMIT :most)
WHERE at > :since GROUP BY tool_call
""")
_MOST_CHANGES: Final = 20_000
_LAST_AT: Final = text("SELECT at FROM audit_log ORDER BY id DESC LIMIT 1")


@dataclass(frozen=True, slots=True)
class ChangedRow:
    """One row an action changed.

    Args:
        id: the row's primary key.
        session_id: the session that acted.
        detail: words and counts that help a reader; no remembered text.
        at: when, if it has a moment of its own.
    """

    id: int
    session_id: str | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)
    at: datetime | None = None


def record(
    conn: Connection,
    now: datetime,
    actor: Actor,
    tool_call: str,
    object_table: str,
    touched: Sequence[ChangedRow],
) -> None:
    """Write one line for each row an action changed, in the action's own transaction.

    Args:
        now: when, for the rows without a moment of their own.
        tool_call: the action, such as `memory.write`.
    """
    if not touched:
        return
    moment = to_micros(now)
    rows = [
        (
            moment if row.at is None else to_micros(row.at),
            *(actor, tool_call, object_table, row.id, row.session_id, json.dumps(row.detail)),
        )
        for row in touched
    ]
    driver_cursor(conn).executemany(_RECORD, rows)


def changes_since(conn: Connection, since: datetime) -> dict[str, int]:
    """Return how many rows each action changed after a moment; of the last 20,000 changes."""
    values = {"since": to_micros(since), "most": _MOST_CHANGES}
    return {row.tool_call: row.changes for row in conn.execute(_CHANGES, values)}


def last_at(conn: Connection) -> int | None:
    """Return when the last action changed a row (microseconds); None before the first one."""
    last: int | None = conn.execute(_LAST_AT).scalar()
    return last
