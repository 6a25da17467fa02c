"""SQL of what an audit scores; it only reads."""

from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.domain.audit.model import ScoredCase, ScoredEvent, ScoredMethod
from afterword.pipeline.domain.methodologies.model import Gate
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
_CASES: Final = """
SELECT asset_class, outcome_state = 'resolved', due_at, closed_at FROM methodology_cases
WHERE outcome_state = 'pending' OR closed_at >= ? ORDER BY id
"""
# Only a pass opens cases: where none ever ran, these are what it did not do.
_UNOPENED: Final = """
SELECT count(*) FROM role_memory AS m
WHERE m.methods <> '[]' AND m.asset_key IS NOT NULL AND m.from_trip_uid IS NULL
  AND m.known_at <= ?
  AND NOT EXISTS (SELECT 1 FROM methodology_cases AS c WHERE c.decision_id = m.id)
  AND EXISTS (SELECT 1 FROM json_each(m.methods) AS cited
    JOIN methodologies AS one ON one.uid = cited.value)
"""
_TRADED: Final = "SELECT DISTINCT asset_class FROM methodology_cases ORDER BY 1"


def methods(conn: Connection, gate: Gate) -> list[ScoredMethod]:
    """Return the methodologies that stand, as a gate sees them."""
    rows = driver_cursor(conn).execute(_METHODS.format(gate=gate)) or ()
    return [
        ScoredMethod(uid, GROUP_OF[asset_class], bool(graduated), uses, effective)
        for uid, asset_class, graduated, uses, effective in rows
    ]


def events(conn: Connection, since: int, until: int, gate: Gate) -> list[ScoredEvent]:
    """Return what happened to methodologies in a time (microseconds), by time."""
    rows = driver_cursor(conn).execute(_EVENTS, (since, until, gate)) or ()
    return [ScoredEvent(*row) for row in rows]


def cases(conn: Connection, since: int) -> list[ScoredCase]:
    """Return the cases that are pending, or closed since a moment (microseconds)."""
    groups: dict[str, AssetGroup | None] = {}
    found = []
    for asset_class, is_resolved, due_at, closed_at in (
        driver_cursor(conn).execute(_CASES, (since,)) or ()
    ):
        if asset_class not in groups:
            groups[asset_class] = GROUP_OF.get(asset_class)
        found.append(ScoredCase(groups[asset_class], bool(is_resolved), due_at, closed_at))
    return found


def unopened(conn: Connection, until: int) -> int:
    """Return how many decisions of until then (microseconds) cite a methodology and are no case."""
    return int(conn.exec_driver_sql(_UNOPENED, (until,)).scalar_one())


def traded(conn: Connection) -> list[AssetGroup]:
    """Return the groups of assets that any case was ever about."""
    rows = driver_cursor(conn).execute(_TRADED) or ()
    return sorted({GROUP_OF[row[0]] for row in rows if row[0] in GROUP_OF})
