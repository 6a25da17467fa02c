"""SQL of lifecycle events: they are only ever added."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.core.store.codec import Codec, Coding
from afterword.pipeline.domain.methodologies.model import LifecycleKind, MethodGate


class NewLifecycleEvent(NamedTuple):
    """An event to be written; see `LifecycleEvent`."""

    methodology_id: int | None
    kind: LifecycleKind
    said_by: str
    numbers: Mapping[str, Any]
    gate: MethodGate | None = None
    reason_text: str = ""


_EVENT: Final = Codec(
    NewLifecycleEvent, codings={"numbers": Coding(json.loads, partial(json.dumps, sort_keys=True))}
)
_ADD: Final = _EVENT.insert("methodology_lifecycle_events", "known_at")
# The group is an expression, so that SQLite begins with the events of that time.
_ADJUSTED: Final = """
SELECT methodology_id, count(*) FROM methodology_lifecycle_events
WHERE kind = 'reflection_adjusted' AND known_at > ? GROUP BY +methodology_id
"""
_LOOSEST: Final = """
SELECT max(e.numbers ->> 'fdr') FROM methodologies AS m
  CROSS JOIN methodology_lifecycle_events AS e ON e.methodology_id = m.id
    AND e.kind = 'graduated' AND e.gate = 'strict' AND e.known_at = m.strict_since
WHERE m.strict_since IS NOT NULL AND m.merged_into IS NULL AND m.deleted_at IS NULL
"""


def add_events(conn: Connection, events: Sequence[NewLifecycleEvent], now: int) -> None:
    """Write events of one moment (microseconds)."""
    rows = [(*_EVENT.write(event), now) for event in events]
    driver_cursor(conn).executemany(_ADD, rows)


def adjusted_since(conn: Connection, moment: int) -> dict[int, int]:
    """Return how often the judge adjusted each methodology since a moment (microseconds)."""
    return dict(driver_cursor(conn).execute(_ADJUSTED, (moment,)) or ())


def loosest_level(conn: Connection) -> float:
    """Return the loosest level that any standing graduate was graduated with; 0 without one."""
    cursor = driver_cursor(conn)
    cursor.execute(_LOOSEST)
    (level,) = cursor.fetchall()[0]
    return float(level or 0.0)
