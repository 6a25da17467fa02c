"""Facts that an import wrote without what consolidation knows of them."""

from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import run_sql

_ADD: Final = """
INSERT INTO facts (memory_id, said_at)
SELECT id, known_at FROM memories AS m
WHERE category = 'fact' AND type IS NULL AND source IN ('agent_recorded', 'chat_extracted')
  AND origin <> 'owner' AND known_at <= ? AND NOT EXISTS (
    SELECT 1 FROM facts WHERE memory_id = m.id)
"""


def add_missing(conn: Connection, now: datetime) -> int:
    """Let consolidation look at the facts that it does not know; return how many these are."""
    return int(run_sql(conn, _ADD, (to_micros(now),)).rowcount)
