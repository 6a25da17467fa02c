"""Run all jobs that a filter means: counted first, then run up to the last one that was counted."""

from typing import Literal

from sqlalchemy import Connection

from afterword.pipeline.areas import kinds_of_queue
from afterword.pipeline.core.jobs.operate import (
    JobFilter,
    added_before,
    later_jobs,
    redrive,
    revivable,
    run_all_now,
)
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import ActionAnswer, PageContent, PageField, PageForm
from afterword.pipeline.views.operator.jobs import jobs_to_run, matching_jobs_run

RunnableState = Literal["dead", "later"]


def confirm(
    by: PageCaller,
    state: RunnableState,
    kind: str | None = None,
    queue: str | None = None,
    older_than_min: float | None = None,
    error: str | None = None,
) -> PageContent:
    """Return how many jobs match and could run, and the button that runs them."""
    among = _among(by, kind, queue, older_than_min, error)
    with reading(by.store()) as conn:
        numbers = _numbers(conn, state, among)
    first, last = (numbers[0], numbers[-1]) if numbers else (None, None)
    counted = jobs_to_run(state, len(numbers), first, last)
    if last is None:
        return PageContent([counted])
    named = {
        "state": state,
        "kind": kind,
        "queue": queue,
        "older_than_min": older_than_min,
        "error": error,
        "up_to": last,
        "counted": len(numbers),
    }
    hidden = {name: str(value) for name, value in named.items() if value is not None}
    rate = PageField("rate", "Jobs per second at most", "number", hint="Empty for all at once.")
    fields = [rate] if state == "dead" else []
    return PageContent([counted, PageForm("/jobs/run", "Run them", fields, hidden)])


def run_jobs(
    by: PageCaller,
    state: RunnableState,
    up_to: int,
    counted: int,
    kind: str | None = None,
    queue: str | None = None,
    older_than_min: float | None = None,
    error: str | None = None,
    rate: float | None = None,
) -> ActionAnswer:
    """Run the jobs that were counted and still match."""
    among = _among(by, kind, queue, older_than_min, error, up_to)

    def run() -> int:
        with writing(by.store()) as conn:
            if state == "dead":
                return redrive(conn, None, by.now(), rate, among=among)
            return run_all_now(conn, among, by.now())

    jobs = by.write(run)
    return ActionAnswer(matching_jobs_run(state, jobs, counted), "/jobs")


def _numbers(conn: Connection, state: RunnableState, among: JobFilter) -> list[int]:
    return revivable(conn, None, -1, among) if state == "dead" else later_jobs(conn, among)


def _among(
    by: PageCaller,
    kind: str | None,
    queue: str | None,
    older_than_min: float | None,
    error: str | None,
    up_to: int | None = None,
) -> JobFilter:
    before = added_before(older_than_min, by.now())
    return JobFilter(kind, kinds_of_queue(queue), before, up_to, error)
