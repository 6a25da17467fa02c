"""Runs of an institution, and one of them with its ladder."""

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.institution.read import list_runs, run_story
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import PageContent, PageField
from afterword.pipeline.views.methods.institution import run_list, run_view

MOST_RUNS_SHOWN = 100
"""Runs on one page."""


def runs(by: PageCaller, asset: str | None = None) -> PageContent:
    """Return runs with the answers of their ladder, the latest first."""
    with reading(by.store()) as conn:
        listed = list_runs(conn, asset, MOST_RUNS_SHOWN, by.now(), None)
    return PageContent([run_list(listed)], filters=[PageField("asset", "Asset", value=asset or "")])


def run(by: PageCaller, run: str) -> PageContent:
    """Return a run: what its roles handed in, its ladder, and what was said of it."""
    with reading(by.store()) as conn:
        story = run_story(conn, run, by.now(), None)
    return PageContent([run_view(story)], title=f"Run {run}")
