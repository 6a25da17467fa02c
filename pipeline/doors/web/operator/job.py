"""One job: what it waits for, its runs, its error; and running it now."""

from afterword.pipeline.core.jobs import inspect, operate
from afterword.pipeline.core.jobs.model import Job
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import ActionAnswer, PageContent, PageForm, check_unchanged
from afterword.pipeline.views.operator.job_words import state_words
from afterword.pipeline.views.operator.jobs import job_retried, job_story


def job(by: PageCaller, job: int) -> PageContent:
    """Return the story of a job, and what can be done with it."""
    with reading(by.store()) as conn:
        row, runs = inspect.show(conn, job)
        paused = {pause.kind: pause for pause in inspect.pauses(conn)}
    story = job_story(row, runs, paused, by.now(), with_traceback=True)
    forms = [] if row is None or row.state not in ("later", "dead") else [_retry(row)]
    return PageContent([story, *forms], title=f"Job {job}")


def retry(by: PageCaller, job: int, shown: str) -> ActionAnswer:
    """Run a waiting or dead job now, if it is still as it was shown."""

    def run() -> str:
        with writing(by.store()) as conn:
            row, _runs = inspect.show(conn, job)
            present = "finished" if row is None else state_words(row)
            check_unchanged(shown, present, f"job {job}")
            return operate.retry(conn, job, by.now())

    was = by.write(run)
    return ActionAnswer(job_retried(job, was), f"/jobs/{job}")


def _retry(job: Job) -> PageForm:
    button = "Run it again" if job.state == "dead" else "Run it now"
    return PageForm(f"/jobs/{job.id}/retry", button, hidden={"shown": state_words(job)})
