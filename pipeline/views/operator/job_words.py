"""What a job, a run or a backlog is about, in words for an operator."""

import signal
from datetime import datetime

from afterword.pipeline.core.jobs.inspect import Backlog, Pause
from afterword.pipeline.core.jobs.model import Job
from afterword.pipeline.views.words import ago, duration, in_time


def situation_words(job: Job, now: datetime) -> str:
    """Return what a job waits for."""
    match job.state:
        case "dead":
            words = f"an operator; its last error: {job.last_error or 'unknown'}"
        case "running":
            words = f"the end of its run in worker {(job.lease_owner or '?')[:8]}"
        case "sent":
            words = f"a worker; its message was sent {ago(job.sent_at or now, now)}"
        case "later":
            words = f"its start time, {in_time(job.available_at, now)}"
        case _:
            words = f"the dispatcher; it was due {ago(job.available_at, now)}"
    return f"{words} ({job.waits_for})" if job.waits_for else words


def crash_words(job: Job) -> str | None:
    """Return how often its process died under a job; None if it never did."""
    excused = f"and {job.excused} excused" if job.excused else ""
    return f"{job.crashes} {excused}".strip() if job.crashes or job.excused else None


def ended_words(status: int | None) -> str:
    """Return how a process ended; a signal is a negative status."""
    if status is None:
        return "unknown"
    if status >= 0:
        return f"exit status {status}"
    names = {number.value: number.name for number in signal.Signals}
    return names.get(-status, f"signal {-status}")


def drain_words(backlog: Backlog) -> str:
    """Return how fast a backlog is done, and when it is empty."""
    waiting = sum(number for state, number in backlog.states.items() if state != "dead")
    if not waiting:
        return "nothing waits"
    if backlog.empty_in_s is None:
        return "no job finishes"
    return f"{backlog.rate:,.1f}/s, empty in {duration(backlog.empty_in_s)}"


def paused_words(pause: Pause | None, now: datetime) -> str:
    """Return since when a kind is paused, and why; empty if it is not."""
    if pause is None:
        return ""
    return f"paused {ago(pause.paused_at, now)}" + (f": {pause.note}" if pause.note else "")


def state_words(job: Job) -> str:
    """Return the state of a job so that any run of it meanwhile shows: `dead after run 3`."""
    return f"{job.state} after run {job.epoch}"
