"""SQL over past decisions that a model is asked again."""

import json
from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Connection, text

from afterword.pipeline.domain.decisions.model import Decision
from afterword.pipeline.domain.decisions.read_rows import decision_columns, to_decision
from afterword.pipeline.domain.outcomes.counting import COUNTS
from afterword.pipeline.domain.outcomes.model import RULE_VERSION

# The verdict of the prices comes first: a mark changes the class of a decision, never its vote.
# What no price judges has its judge's.
_PAST: Final = f"""
FROM role_memory AS m LEFT JOIN json_each(:windows) AS own ON own.key = m.role_id
  LEFT JOIN outcomes AS o ON o.subject_kind = 'decision' AND o.subject_id = m.id
    AND o.window_hours = own.value AND o.rule_version = {RULE_VERSION}
WHERE {COUNTS} AND (:role IS NULL OR m.role_id = :role)
"""
_WRONG: Final = text(f"""
SELECT {decision_columns("m.")} {_PAST} AND coalesce(o.verdict, m.outcome) = 'wrong'
ORDER BY m.decided_at DESC, m.id DESC LIMIT :limit
""")
_MEASURED: Final = text(f"""
SELECT m.id {_PAST} AND coalesce(o.verdict, m.outcome) IS NOT NULL AND m.asset_key IS NOT NULL
ORDER BY m.decided_at, m.uid
""")


def wrong(
    conn: Connection, role_id: str | None, windows: Mapping[str, int], limit: int
) -> list[Decision]:
    """Return the latest wrong decisions that count, the latest first.

    Args:
        windows: by which roles are judged; hours.
    """
    values = _values(role_id, windows) | {"limit": limit}
    return [to_decision(row) for row in conn.execute(_WRONG, values)]


def measured(conn: Connection, role_id: str | None, windows: Mapping[str, int]) -> list[int]:
    """Return the ids of all decisions about an asset whose outcome counts, in their order.

    Args:
        windows: by which roles are judged; hours.
    """
    rows = conn.execute(_MEASURED, _values(role_id, windows))
    return [int(row_id) for (row_id,) in rows]


def _values(role_id: str | None, windows: Mapping[str, int]) -> dict[str, Any]:
    return {"role": role_id, "windows": json.dumps(windows)}
