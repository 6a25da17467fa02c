"""SQL of what seeds are made of, and of the seeds that were planted before."""

import json
from collections.abc import Iterable
from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.domain.cases.votes import method_vote
from afterword.pipeline.domain.methodologies.model import HORIZON_HOURS
from afterword.pipeline.domain.outcomes.model import RULE_VERSION
from afterword.pipeline.domain.synthesis.clusters import ClusterKind, SeedCase

MOST_CASES: Final = 10_000
"""The latest cases that are looked at; count."""

# SQLite begins with the latest case and stops at the limit: the order of the tables is told.
# A decision that was recorded late knew a part of its outcome; one that was withdrawn
# before its entry is none.
_CASES: Final = f"""
SELECT m.uid, c.asset_class, c.direction, o.window_hours, m.decision, o.entry_at, o.exit_at,
  c.asset_key, o.window_verdict, o.base_ppb
FROM methodology_cases AS c CROSS JOIN role_memory AS m ON m.id = c.decision_id
  CROSS JOIN outcomes AS o ON o.subject_kind = 'decision' AND o.subject_id = c.decision_id
    AND o.rule_version = ? AND o.window_hours IN ({", ".join(map(str, HORIZON_HOURS.values()))})
WHERE c.outcome_state = 'resolved' AND EXISTS (SELECT 1 FROM methodology_citations AS ci
  WHERE ci.case_id = c.id AND ci.window_hours = o.window_hours
    AND ci.standing NOT IN ('late', 'withdrawn'))
ORDER BY c.id DESC LIMIT ? + 0
"""
_KNOWN: Final = "SELECT asset_class, direction, timeframe, indicators FROM methodologies"
_PLANTED: Final = text("""
SELECT given.value FROM json_each(:keys) AS given
WHERE EXISTS (SELECT 1 FROM methodologies WHERE record_key = given.value)
  OR EXISTS (SELECT 1 FROM methodology_sightings WHERE record_key = given.value)
""")


def seed_cases(conn: Connection) -> list[SeedCase]:
    """Return the latest cases with an outcome, once for each window of a method they cite."""
    rows = driver_cursor(conn).execute(_CASES, (RULE_VERSION, MOST_CASES)) or ()
    return [SeedCase._make((*row[:5], method_vote(*row[5:]))) for row in rows]


def watched(conn: Connection) -> set[tuple[ClusterKind, tuple[str, ...]]]:
    """Return what every methodology that was ever written watches, deleted ones too."""
    return {
        (ClusterKind(*kind), tuple(json.loads(indicators)))
        for *kind, indicators in driver_cursor(conn).execute(_KNOWN) or ()
    }


def planted(conn: Connection, keys: Iterable[str]) -> set[str]:
    """Return the keys of seeds that were planted before, whatever became of them."""
    known = conn.execute(_PLANTED, {"keys": json.dumps(list(keys))})
    return {str(key) for key in known.scalars()}
