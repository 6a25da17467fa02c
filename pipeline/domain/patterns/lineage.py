"""A lesson of many decisions, and the decisions that it counts."""

from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.domain.lineage.model import Cause, LineageStep
from afterword.pipeline.domain.patterns import form_rows, rows
from afterword.pipeline.domain.patterns.model import STORED_STATES

_MOST: Final = 1_000
"""Decisions of a pattern that are counted; more are not."""


def pattern_lineage(conn: Connection, key: str | int, at: int | None) -> LineageStep | None:
    """Return a pattern by role, class, direction and trend; see `ReadLineageStep`."""
    del at
    named = str(key).split()
    if len(named) != 4:
        return None
    stored = form_rows.current(conn, named[:1], STORED_STATES, None)
    known = [
        pattern
        for pattern in stored
        if [pattern.asset_class, pattern.direction, pattern.trend] == named[1:]
    ]
    if not known:
        return None
    pattern = known[0]
    window_hours = pattern.numbers.window_hours
    members = rows.members(conn, pattern.key, window_hours, _MOST, None)
    causes = [Cause("counts", "decision", member.uid) for member in members]
    says = f"[{pattern.state}] {pattern.text}"
    return LineageStep(f"pattern {' '.join(named)}", says, pattern.known_at, causes)
