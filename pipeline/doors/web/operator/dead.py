"""Why jobs are dead, by kind and error, and the newest of them."""

from typing import Final

from afterword.pipeline.core.jobs import inspect
from afterword.pipeline.core.store import reading
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import PageContent
from afterword.pipeline.views.operator.jobs import dead_reason_list, job_list

MOST_REASONS: Final = 100
"""Kinds and errors on the page, the most frequent first."""

MOST_DEAD: Final = 100
"""Dead jobs on the page, oldest first."""


def dead(by: PageCaller) -> PageContent:
    """Return the reasons, each leading to the button that runs its jobs again, and dead jobs."""
    with reading(by.store()) as conn:
        reasons = inspect.dead_reasons(conn, MOST_REASONS)
        listed = inspect.listing(conn, "dead", limit=MOST_DEAD)
    why = dead_reason_list([(by.group, reason) for reason in reasons], by.now())
    jobs = [(by.group, job) for job in listed]
    return PageContent([why, *([job_list(jobs, "dead", None, by.now())] if jobs else [])])
