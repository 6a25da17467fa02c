"""Check the rebuilds of a group's profile: what fails, what waits too long, what was refused."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from afterword.pipeline.clock import iso
from afterword.pipeline.domain.rebuilds.status import RebuildStatus, read_rebuilds
from afterword.pipeline.operations.doctor.model import Finding, SoundFile

_REFRESH: Final = "`afterword profile refresh` tries at once"

_MANY_FAILURES: Final = 3
"""Consecutive failures from which on a rebuild is wrong: by then it has waited for minutes."""

_LATE: Final = timedelta(hours=1)
"""How long after its turn a rebuild is late: the schedule looks every five minutes."""


def check_rebuilds(file: SoundFile) -> Iterator[Finding]:
    """Look at the rebuilds of one group; there is no finding before the first run."""
    statuses = read_rebuilds(file.store, file.settings, file.now())
    subject = f"rebuilds of {file.name}"
    ran = [status for status in statuses if status.state.tried_at is not None]
    if not ran:
        return
    if not all(status.is_enabled for status in statuses):
        says = "they are off, so what is concluded of you gets old"
        yield Finding(subject, "note", says, "set AFTERWORD_PERSONALIZATION_REBUILD=enabled")
        return
    findings = [found for status in ran for found in _of_rebuild(subject, status, file.now())]
    yield from findings
    if not findings:
        last = ", ".join(f"{status.state.name} {_last(status)}" for status in ran)
        yield Finding(subject, "fine", f"last successes: {last}")


def _of_rebuild(subject: str, status: RebuildStatus, now: datetime) -> Iterator[Finding]:
    state = status.state
    if state.error is not None:
        failed = f"failed {state.failures} times" if state.failures > 1 else "failed"
        says = f"{state.name} {failed if state.failures else 'waits'}: {state.error}"
        is_wrong = state.failures >= _MANY_FAILURES
        private = (state.error,)
        yield Finding(subject, "wrong" if is_wrong else "note", says, _REFRESH, private)
    elif status.has_news and state.next_update is not None and now > state.next_update + _LATE:
        says = f"{state.name} is due since {iso(state.next_update)}"
        yield Finding(subject, "wrong", says, f"start `afterword up`; {_REFRESH}")
    for cursor in status.cursors:
        if cursor.error is not None:
            says = f"{state.name} cannot read {cursor.name}: {cursor.error}"
            remedy = "the rest goes on; `afterword store check` looks for damage"
            yield Finding(subject, "wrong", says, remedy, (cursor.error,))
    if state.refusal is not None:
        says = f"{state.name} has the words of the template: {state.refusal}"
        yield Finding(subject, "note", says, "the next rebuild asks again", (state.refusal,))


def _last(status: RebuildStatus) -> str:
    at = status.state.updated_at
    return "none" if at is None else iso(at)
