"""Check how many decisions wait for their reflection, and whether their outcomes are measured."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.decisions import due_rows, read_rows
from afterword.pipeline.operations.doctor.model import Finding, SoundFile

_LONG: Final = timedelta(hours=72)
"""Age from which a pending decision is counted separately (R1); slow roles have many of them."""

LATE: Final = timedelta(hours=24)
"""How late an outcome may be measured: the job runs every quarter of an hour where one is due."""


def check_decisions(file: SoundFile) -> Iterator[Finding]:
    """Count the decisions of one group; there is no finding if it has none."""
    with reading(file.store) as conn:
        states: dict[str, int] = {}
        for _, state, _, number in read_rows.counts(conn):
            states[state] = states.get(state, 0) + number
        late = read_rows.count_pending(conn, to_micros(file.now() - _LONG))
        unmeasured = due_rows.count_late(conn, to_micros(file.now() - LATE))
    if states:
        said = ", ".join(f"{number:,} {state}" for state, number in sorted(states.items()))
        said = f"decisions: {said}; {late:,} pending for more than 72 h"
        yield Finding(f"memory of {file.name}", "fine", said)
    if unmeasured:
        said = f"outcomes: {unmeasured:,} wait for more than 24 h to be measured"
        remedy = (
            "a dispatcher and a worker measure them: `afterword cron ls` shows outcomes.measure; "
            "`afterword role reflect` measures them at once"
        )
        yield Finding(f"memory of {file.name}", "note", said, remedy)
