"""SQL that reads the decisions of a replay by their keys, each with what became of it."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.core.store import driver_cursor

_DECISIONS: Final = """
SELECT coalesce(record_key, uid), decided_at, direction, state, outcome, rule_class, lesson,
  json_extract(measured, '$.result')
FROM role_memory WHERE known_at <= ? ORDER BY 1
"""


class PairedRow(NamedTuple):
    """A decision, and what became of it by now.

    Args:
        decided_at: microseconds.
        result: what it earned net of costs, as a share; decimal text, None where unknown.
    """

    key: str
    decided_at: int
    direction: str
    state: str
    outcome: str | None
    rule_class: str | None
    lesson: str | None
    result: str | None


def decisions(conn: Connection, until: int) -> Iterator[PairedRow]:
    """Yield the decisions that were known by a moment (microseconds), by key."""
    return map(PairedRow._make, driver_cursor(conn).execute(_DECISIONS, (until,)) or ())
