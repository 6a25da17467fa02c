"""Check the jobs of a group: none is dead, late, or leased by a dead worker."""

from collections.abc import Collection, Iterator
from typing import Final

from afterword.pipeline.core.jobs.inspect import counts, oldest_ready_s, pauses
from afterword.pipeline.core.jobs.reconcile import holders
from afterword.pipeline.core.jobs.registrations import living
from afterword.pipeline.core.store import reading
from afterword.pipeline.operations.doctor.model import Finding, SoundFile

_LONGEST_WAIT_S: Final = 300.0
"""A due job that waits longer is late: no worker runs, or too few; seconds."""


def check_ledger(file: SoundFile) -> Iterator[Finding]:
    """Check the jobs of one group."""
    subject = f"jobs of {file.name}"
    with reading(file.store) as conn:
        holding = holders(conn)
        by_state = counts(conn)
        paused = {pause.kind for pause in pauses(conn)}
        ages = oldest_ready_s(conn, file.now())
    # Read after the rows: else a worker that starts in between would count as dead.
    gone = holding - {worker.uid for worker in living(file.settings.home, file.monotonic)}
    waiting = {kind: age for kind, age in ages.items() if kind not in paused}
    findings = (
        _dead(subject, {kind: n for (kind, state), n in by_state.items() if state == "dead"}),
        _late(subject, waiting),
        _orphaned(subject, gone),
    )
    wrong = [finding for finding in findings if finding is not None]
    yield from wrong
    if not wrong:
        still_open = sum(by_state.values())
        yield Finding(subject, "fine", f"{still_open:,} open, none late, none dead")
    if paused:
        yield Finding(subject, "note", f"paused kinds: {', '.join(sorted(paused))}")


def _dead(subject: str, dead: dict[str, int]) -> Finding | None:
    if not dead:
        return None
    named = ", ".join(f"{number:,} {kind}" for kind, number in sorted(dead.items()))
    remedy = "`afterword jobs dead` shows the errors; `afterword jobs redrive` runs them again"
    return Finding(subject, "wrong", f"dead jobs: {named}", remedy)


def _late(subject: str, waiting: dict[str, float]) -> Finding | None:
    kind = max(waiting, key=waiting.__getitem__, default=None)
    if kind is None or waiting[kind] <= _LONGEST_WAIT_S:
        return None
    said = f"a job {kind} has been due for {waiting[kind] / 60:.0f} minutes"
    return Finding(subject, "wrong", said, "start `afterword up`, or more workers")


def _orphaned(subject: str, gone: Collection[str]) -> Finding | None:
    if not gone:
        return None
    said = f"{len(gone)} dead workers still lease jobs"
    return Finding(
        subject, "wrong", said, "start a dispatcher or `afterword up`; it frees these jobs"
    )
