"""The operator's routes: jobs, budget, switches, audit and replays, as their commands."""

from datetime import timedelta
from typing import Annotated, Any, Literal

from fastapi import Path, Query
from pydantic import Field
from sqlalchemy import Connection

from afterword.pipeline.areas import all_areas, kinds_of_queue
from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.jobs import inspect, operate
from afterword.pipeline.core.jobs.inspect import JobState
from afterword.pipeline.core.jobs.model import Job
from afterword.pipeline.core.jobs.operate import JobFilter, added_before
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.audit.read import read_audit, read_audits
from afterword.pipeline.domain.memory.checks import check_text
from afterword.pipeline.doors.http.caller import By
from afterword.pipeline.doors.http.routes.asked import MostShown, RequestForm
from afterword.pipeline.doors.http.routes.listing import AfterPage, ListPage
from afterword.pipeline.gateway.budget import Budget, caps_of
from afterword.pipeline.gateway.http.gates import gates_of, reopen_everywhere
from afterword.pipeline.gateway.switches import Mode, Switches, tasks_of
from afterword.pipeline.operations.replay.run import list_replays
from afterword.pipeline.rules.masking import mask

JobNumber = Annotated[int, Path(description="Its number in the group.", ge=1, le=2**63 - 1)]
OnlyKind = Annotated[str | None, Query(description="Only of this kind.", max_length=100)]
OnlyQueue = Annotated[str | None, Query(description="Only of this queue.", max_length=100)]
OlderThan = Annotated[float | None, Query(description="Only jobs added so many minutes ago.")]
KindName = Annotated[str, Path(description="A kind of job.", max_length=100)]


class NoteForm(RequestForm):
    """The operator's reason; masked."""

    note: str = Field("", max_length=200)


class RedriveForm(RequestForm):
    """Which dead jobs run again, and how fast; with `dry_run` they are only counted."""

    kind: str | None = Field(None, max_length=100)
    queue: str | None = Field(None, max_length=100)
    older_than_min: float | None = Field(None, description="Only jobs added so many minutes ago.")
    rate: float | None = Field(None, gt=0, description="Most jobs per second.")
    limit: int | None = Field(None, ge=1, description="Most jobs, oldest first.")
    dry_run: bool = False


class ModeForm(RequestForm):
    """How a task runs from now on."""

    mode: Literal["on", "off", "shadow"]
    note: str = Field("", max_length=500)


def list_jobs(
    by: By,
    state: Annotated[JobState | None, Query(description="Only in this state.")] = None,
    kind: OnlyKind = None,
    queue: OnlyQueue = None,
    older_than_min: OlderThan = None,
    limit: MostShown = 50,
    after: AfterPage = None,
) -> Any:
    """Return the backlog of the group by kind, and the jobs that the arguments choose."""
    page = ListPage("jobs", limit, after, by.group, state, kind, queue, older_than_min)
    place = page.place(int) or (0,)
    among = _among(by, kind, queue, older_than_min)
    is_narrowed = state is not None or among != operate.EVERY_JOB
    with reading(by.store()) as conn:
        backlogs, pauses = inspect.backlogs(conn, by.now()), inspect.pauses(conn)
        jobs = _listed(conn, state, among, limit, place[0]) if is_narrowed else []
    return page.answer(jobs, _job_place, backlog=backlogs, paused=pauses)


def list_dead(
    by: By,
    kind: OnlyKind = None,
    queue: OnlyQueue = None,
    older_than_min: OlderThan = None,
    limit: MostShown = 50,
    after: AfterPage = None,
) -> Any:
    """Return dead jobs with their errors."""
    page = ListPage("dead", limit, after, by.group, kind, queue, older_than_min)
    place = page.place(int) or (0,)
    among = _among(by, kind, queue, older_than_min)
    with reading(by.store()) as conn:
        jobs = _listed(conn, "dead", among, limit, place[0])
    return page.answer(jobs, _job_place)


def _among(by: By, kind: str | None, queue: str | None, older_than_min: float | None) -> JobFilter:
    return JobFilter(kind, kinds_of_queue(queue), added_before(older_than_min, by.now()))


def _listed(
    conn: Connection, state: str | None, among: JobFilter, limit: int, after: int
) -> list[Job]:
    return inspect.listing(
        conn, state, among.kind, limit, after=after, kinds=among.kinds, before=among.before
    )


def _job_place(job: Job) -> tuple[int]:
    return (job.id,)


def get_job(by: By, job: JobNumber) -> Any:
    """Return one job: what it waits for, its runs, its last error."""
    with reading(by.store()) as conn:
        found, runs = inspect.show(conn, job)
    return {"job": found, "runs": runs}


def retry(by: By, job: JobNumber) -> Any:
    """Run one waiting or dead job now."""
    store = by.store()

    def run() -> dict[str, Any]:
        with writing(store) as conn:
            return {"id": job, "was": operate.retry(conn, job, by.now())}

    return by.write(store, run)


def redrive(by: By, form: RedriveForm = RedriveForm()) -> Any:  # noqa: B008  # never changed
    """Run dead jobs again with new attempts, all at once or at a rate."""
    store, most = by.store(), -1 if form.limit is None else form.limit
    among = _among(by, form.kind, form.queue, form.older_than_min)

    def run() -> dict[str, Any]:
        opened = reading if form.dry_run else writing
        with opened(store) as conn:
            revivable = operate.redrive(
                conn, None, by.now(), form.rate, most, dry_run=form.dry_run, among=among
            )
        revived = 0 if form.dry_run else revivable
        return {"revived": revived, "revivable": revivable, "dry_run": form.dry_run}

    return by.write(store, run)


def pause(by: By, kind: KindName, form: NoteForm = NoteForm()) -> Any:  # noqa: B008  # never changed
    """Stop sending jobs of a kind in the group; running jobs finish."""
    store, masked = by.store(), mask(kind)
    check_text(kind, 100, "kind")

    def run() -> dict[str, Any]:
        with writing(store) as conn:
            changed = operate.pause(conn, masked, by.now(), mask(form.note))
            known = masked in inspect.kinds(conn)
        told = {"group": by.group, "kind": masked, "paused": True}
        return told | {"changed": changed, "known": known}

    return by.write(store, run)


def resume(by: By, kind: KindName) -> Any:
    """Send jobs of a paused kind again."""
    store, masked = by.store(), mask(kind)

    def run() -> dict[str, Any]:
        with writing(store) as conn:
            changed = operate.resume(conn, masked)
        return {"group": by.group, "kind": masked, "paused": False, "changed": changed}

    return by.write(store, run)


def get_budget(by: By) -> Any:
    """Return every cap, the money left, and this month's cost by model."""
    return _budget(by).overview()


def stop_budget(by: By, form: NoteForm = NoteForm()) -> Any:  # noqa: B008  # never changed
    """Stop all spending in every process at once; repeated, it changes nothing."""
    return {"stopped": True, "changed": _budget(by).stop(form.note)}


def resume_budget(by: By) -> Any:
    """Allow spending again; jobs that waited for it go on."""
    budget = _budget(by)
    changed = budget.resume()
    woken = reopen_everywhere(by.parts.stores, gates_of(budget, []), by.parts.clock)
    return {"stopped": False, "changed": changed, "jobs_woken": woken}


def list_switches(by: By) -> Any:
    """Return how each model task runs: on, off or in shadow mode."""
    return _switches(by).all()


def set_switch(
    by: By, task: Annotated[str, Path(description="A task.", max_length=100)], form: ModeForm
) -> Any:
    """Set how a task runs from now on, in every process."""
    _switches(by).set(task, Mode(form.mode), form.note)
    return {"task": task, "mode": form.mode}


def get_audit(
    by: By,
    audit_pass: Annotated[str, Query(alias="pass", description="Which; the last without.")] = "",
) -> Any:
    """Return a report of the audit: the score of each dimension, findings, what may be done."""
    return read_audit(by.store(), audit_pass)


def get_audit_trend(
    by: By,
    days: Annotated[int, Query(description="Days to look back.", ge=1, le=3_650)] = 90,
    limit: MostShown = 100,
    after: AfterPage = None,
) -> Any:
    """Return the reports of the last days, oldest first."""
    page = ListPage("reports", limit, after, by.group, days)
    place = page.place(int, str) or (-1, "")
    reports = read_audits(by.store(), by.now() - timedelta(days=days), limit, place)
    return page.answer(reports, lambda report: (to_micros(report.known_at), report.uid))


def list_all_replays(by: By, limit: MostShown = 100, after: AfterPage = None) -> Any:
    """Return the replays of this installation, by name."""
    page = ListPage("replays", limit, after)
    place = page.place(str) or ("",)
    replays = list_replays(by.parts.stores, limit, place[0])
    return page.answer(replays, lambda replay: (replay.name,))


def _budget(by: By) -> Budget:
    return Budget(by.parts.stores.instance, caps_of(by.settings), by.parts.clock, by.parts.ids)


def _switches(by: By) -> Switches:
    return Switches(by.parts.stores.instance, by.parts.clock, tasks_of(all_areas()))
