"""Check how many decisions wait for their reflection."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.decisions import rows, waiting_rows
from afterword.pipeline.operations.doctor.model import Finding

LONG: Final = timedelta(hours=72)
"""Age from which a pending decision is counted separately (R1); slow roles have many of them."""


def examine_roles(conn: Connection, subject: str, now: datetime) -> Iterator[Finding]:
    """Count the decisions of one group; there is no finding if it has none."""
    states: dict[str, int] = {}
    for _, state, _, number in rows.counts(conn):
        states[state] = states.get(state, 0) + number
    if not states:
        return
    said = ", ".join(f"{number:,} {state}" for state, number in sorted(states.items()))
    late = waiting_rows.count_pending(conn, to_micros(now - LONG))
    yield Finding(subject, "fine", f"decisions: {said}; {late:,} pending for more than 72 h")
