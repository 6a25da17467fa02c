"""Decisions that an import inserted as they were: what a record of them would cause beside."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.core.jobs.add import add_many
from afterword.pipeline.core.store import run_sql
from afterword.pipeline.domain.decisions.area import EMBED_ROLE_ENTRIES, EXTRACT_ROLE_EDGES
from afterword.pipeline.domain.memory.writer import Writer

_IS_FLAGGED: Final = """
SELECT 1 FROM injection_flags
WHERE object_table = 'role_memory' AND object_id = ? AND cleared_at IS NULL
"""


def queue_edges(
    conn: Connection, by: Writer, row_id: int, _columns: Mapping[str, Any], now: datetime
) -> None:
    """Let jobs extract the edges of a decision, and embed it unless it is flagged."""
    payload = {"role_memory_id": row_id}
    add_many(conn, EXTRACT_ROLE_EDGES, [payload], now)
    if by.embeds and run_sql(conn, _IS_FLAGGED, (row_id,)).fetchone() is None:
        add_many(conn, EMBED_ROLE_ENTRIES, [payload], now)
