"""Every exit status of a process, and what it means."""

from afterword.pipeline.doors.cli.root import STATUSES
from afterword.workers.worker.process import EXIT_STUCK, STUCK_MEANS
from reference.markdown import page, table

INTRODUCTION = """How a command or a process ends. An error is one line on stderr for each \
mistake, after its traceback with `--debug`; nothing of it is written to stdout."""


def exit_statuses_page() -> str:
    """Return the page: one table."""
    statuses = sorted({**STATUSES, EXIT_STUCK: STUCK_MEANS}.items())
    rows = [(str(status), meaning) for status, meaning in statuses]
    return page("Exit statuses", INTRODUCTION, table(("status", "meaning"), rows))
