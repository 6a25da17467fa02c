"""The backlog of a group by kind, and its jobs by state, kind, queue and age."""

from typing import Final

from afterword.pipeline.areas import kinds_of_queue, queues
from afterword.pipeline.clock import monotonic
from afterword.pipeline.core.jobs import inspect
from afterword.pipeline.core.jobs.fleet import problems, processes, started_for_agents, waiting
from afterword.pipeline.core.jobs.inspect import JOB_STATES, JobState
from afterword.pipeline.core.jobs.operate import added_before
from afterword.pipeline.core.store import reading
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import PageContent, PageField
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.views.blocks import Fields, View
from afterword.pipeline.views.cells import Ref
from afterword.pipeline.views.operator.jobs import backlog_list, job_list

MOST_JOBS: Final = 100
"""Jobs on one page; the filters find the others."""


def jobs(
    by: PageCaller,
    state: JobState | None = None,
    kind: str | None = None,
    queue: str | None = None,
    older_than_min: float | None = None,
) -> PageContent:
    """Return backlogs with their drain, and the jobs that the filters let through."""
    now, filters = by.now(), (state, kind, queue, older_than_min)
    fleet = processes(by.settings.home, now, monotonic)
    with reading(by.store()) as conn:
        counted = inspect.state_counts(conn)
        wanted = waiting(conn, now, counted)
        paused = {pause.kind: pause for pause in inspect.pauses(conn)}
        backlogs = [
            (by.group, backlog, paused.get(backlog.kind))
            for backlog in inspect.backlogs(conn, now, counted=counted)
        ]
        listed = inspect.listing(
            conn,
            state,
            kind,
            MOST_JOBS,
            kinds=kinds_of_queue(queue),
            before=added_before(older_than_min, now),
        )
    remarks = problems(fleet, wanted, one_process=not by.settings.redis_url)
    remarks += started_for_agents(fleet)
    rows = job_list([(by.group, job) for job in listed], state, kind and mask(kind), now)
    parts = [backlog_list(backlogs, remarks, now), rows]
    if state in ("dead", "later") and listed:
        named = {"state": state, "kind": kind, "queue": queue, "older_than_min": older_than_min}
        query = {name: str(value) for name, value in named.items() if value is not None}
        way = Ref("Count them, then run them", "jobs to run", filters=query)
        parts.append(View([Fields({"all that match": way})]))
    return PageContent(parts, filters=_filters(*filters))


def _filters(
    state: str | None, kind: str | None, queue: str | None, older_than_min: float | None
) -> list[PageField]:
    age = "" if older_than_min is None else f"{older_than_min:g}"
    return [
        _select("state", "State", JOB_STATES, state),
        PageField("kind", "Kind", value=kind or "", most=100),
        _select("queue", "Queue", queues(), queue),
        PageField("older_than_min", "Older than (minutes)", "number", age),
    ]


def _select(name: str, label: str, values: object, value: str | None) -> PageField:
    assert isinstance(values, list | tuple)
    choices = [("", "any"), *((item, item) for item in values)]
    return PageField(name, label, "select", value or "", choices)
