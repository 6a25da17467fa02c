"""SQL over past decisions that a model is asked again."""

from typing import Any, Final

from sqlalchemy import Connection, text

from afterword.pipeline.domain.decisions.model import Decision
from afterword.pipeline.domain.decisions.rows import COLUMNS, to_decision

_WRONG: Final = text(f"""
SELECT {COLUMNS} FROM role_memory
WHERE outcome = 'wrong' AND superseded_at IS NULL AND (:role IS NULL OR role_id = :role)
ORDER BY decided_at DESC, id DESC LIMIT :limit
""")
_MEASURED: Final = text("""
SELECT id FROM role_memory
WHERE outcome IS NOT NULL AND superseded_at IS NULL AND asset_key IS NOT NULL
  AND (:role IS NULL OR role_id = :role)
ORDER BY decided_at, uid
""")


def wrong(conn: Connection, role_id: str | None, limit: int) -> list[Decision]:
    """Return the latest wrong decisions that none has replaced, the latest first."""
    values: dict[str, Any] = {"role": role_id, "limit": limit}
    return [to_decision(row) for row in conn.execute(_WRONG, values)]


def measured(conn: Connection, role_id: str | None) -> list[int]:
    """Return the ids of all decisions about an asset whose outcome is known, in their order."""
    return [int(row_id) for (row_id,) in conn.execute(_MEASURED, {"role": role_id})]
