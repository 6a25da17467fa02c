"""The audit line of every write: who did what to which row, never the row's text."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.memory.model import Actor

_RECORD: Final = """
INSERT INTO audit_log (at, actor, tool_call, object_table, object_id, session_id, detail)
SELECT :now, :actor, :tool_call, :object_table, value ->> 0, value ->> 1, value ->> 2
FROM json_each(:touched)
"""
_LAST_AT: Final = text("SELECT at FROM audit_log ORDER BY id DESC LIMIT 1")


@dataclass(frozen=True, slots=True)
class ChangedRow:
    """One row an action changed.

    Args:
        id: the row's primary key.
        session_id: the session that acted.
        detail: words and counts that help a reader; no remembered text.
    """

    id: int
    session_id: str | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)


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
        tool_call: the action, such as `memory.write`.
    """
    rows = [(row.id, row.session_id, json.dumps(row.detail)) for row in touched]
    conn.exec_driver_sql(
        _RECORD,
        {
            "now": to_micros(now),
            "actor": actor,
            "tool_call": tool_call,
            "object_table": object_table,
            "touched": json.dumps(rows),
        },
    )


def last_at(conn: Connection) -> int | None:
    """Return when the last action changed a row (microseconds); None before the first one."""
    found: int | None = conn.execute(_LAST_AT).scalar()
    return found
