"""Whether decisions get their reflection, and the job for those that wait for it."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.decisions import rows, waiting_rows
from afterword.pipeline.operations.doctor.model import Finding, SoundFile

LONG: Final = timedelta(hours=72)
"""A pending decision this old is counted apart (R1); slow roles have many."""


def check_decisions(file: SoundFile) -> Iterator[Finding]:
    """Look at one group's decisions; nothing is said where none was recorded."""
    with reading(file.store) as conn:
        states: dict[str, int] = {}
        for _, state, _, number in rows.counts(conn):
            states[state] = states.get(state, 0) + number
        late = waiting_rows.count_pending(conn, to_micros(file.now() - LONG))
    if states:
        said = ", ".join(f"{number:,} {state}" for state, number in sorted(states.items()))
        said = f"decisions: {said}; {late:,} pending for more than 72 h"
        yield Finding(f"memory of {file.name}", "fine", said)
