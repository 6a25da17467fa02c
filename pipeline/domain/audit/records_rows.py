"""SQL of what an audit scores; it only reads."""

from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.domain.audit.model import (
    AuditedCases,
    AuditWindow,
    ScoredEvent,
    ScoredMethod,
)
from afterword.pipeline.domain.methodologies.model import MethodGate
from afterword.pipeline.rules.market.taxonomy import GROUP_OF, AssetGroup

_METHODS: Final = """
SELECT uid, asset_class, {gate}_since IS NOT NULL,
  iif('{gate}' = 'strict', effective_uses, times_used), effective_uses
FROM methodologies
WHERE merged_into IS NULL AND deleted_at IS NULL AND source <> 'placebo' ORDER BY id
"""
# Of both gates' events, only those of the gate in force changed what prompts show.
_EVENTS: Final = """
SELECT coalesce(m.uid, ''), e.kind, e.reason_text, e.known_at
FROM methodology_lifecycle_events AS e LEFT JOIN methodologies AS m ON m.id = e.methodology_id
WHERE e.known_at >= ? AND e.known_at <= ? AND (e.gate IS NULL OR e.gate = ?)
  AND (m.source IS NULL OR m.source <> 'placebo')
ORDER BY e.known_at, e.id
"""
_CLOSED: Final = """
SELECT count(*), coalesce(sum(outcome_state = 'resolved'), 0) FROM methodology_cases
WHERE closed_at >= ?
"""
_WAITING: Final = """
SELECT count(*), coalesce(sum(due_at < ?), 0) FROM methodology_cases
WHERE outcome_state = 'pending' AND due_at <= ?
"""
# Only a pass opens cases: where none ever ran, these are what it did not do.
_UNOPENED: Final = """
SELECT count(*) FROM role_memory AS m
WHERE m.methods <> '[]' AND m.asset_key IS NOT NULL AND m.from_trip_uid IS NULL
  AND m.known_at <= ?
  AND NOT EXISTS (SELECT 1 FROM methodology_cases AS c WHERE c.decision_id = m.id)
  AND EXISTS (SELECT 1 FROM json_each(m.methods) AS cited
    JOIN methodologies AS method ON method.uid = cited.value)
"""
# From one asset to the next by the index: there are few assets, and many cases of each.
_TRADED: Final = """
WITH RECURSIVE traded (asset) AS (
  SELECT min(asset_key) FROM methodology_cases UNION ALL
  SELECT (SELECT min(asset_key) FROM methodology_cases WHERE asset_key > asset) FROM traded
  WHERE asset IS NOT NULL
)
SELECT (SELECT asset_class FROM methodology_cases WHERE asset_key = asset
  ORDER BY decided_at DESC LIMIT 1) FROM traded WHERE asset IS NOT NULL
"""


def methods(conn: Connection, gate: MethodGate) -> list[ScoredMethod]:
    """Return the methodologies that stand, as a gate sees them."""
    rows = driver_cursor(conn).execute(_METHODS.format(gate=gate)) or ()
    return [
        ScoredMethod(uid, GROUP_OF[asset_class], bool(graduated), uses, effective)
        for uid, asset_class, graduated, uses, effective in rows
    ]


def events(conn: Connection, since: int, until: int, gate: MethodGate) -> list[ScoredEvent]:
    """Return what happened to methodologies in a time (microseconds), by time."""
    rows = driver_cursor(conn).execute(_EVENTS, (since, until, gate)) or ()
    return [ScoredEvent(*row) for row in rows]


def cases(conn: Connection, window: AuditWindow, backlog_after: int) -> AuditedCases:
    """Count the cases that were closed in a window, and those that wait at its end.

    Args:
        backlog_after: how long after its outcome was due a case waits too long; microseconds.
    """
    cursor = driver_cursor(conn)
    cursor.execute(_CLOSED, (window.start,))
    closed = cursor.fetchone() or (0, 0)
    cursor.execute(_WAITING, (window.now - backlog_after, window.now))
    return AuditedCases(*closed, *(cursor.fetchone() or (0, 0)))


def unopened(conn: Connection, until: int) -> int:
    """Return how many decisions of until then (microseconds) cite a methodology and are no case."""
    return int(conn.exec_driver_sql(_UNOPENED, (until,)).scalar_one())


def traded(conn: Connection) -> list[AssetGroup]:
    """Return the groups of assets that cases were ever about, each asset by its latest class."""
    rows = driver_cursor(conn).execute(_TRADED) or ()
    return sorted({GROUP_OF[row[0]] for row in rows if row[0] in GROUP_OF})
