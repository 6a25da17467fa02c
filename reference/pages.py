"""All pages of the reference, and their index."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from reference.alerts import alerts_page
from reference.commands import commands_page
from reference.exit_statuses import exit_statuses_page
from reference.jobs import jobs_page
from reference.log_events import log_events_page
from reference.markdown import page, table
from reference.metrics import metrics_page
from reference.rooms import rooms_page
from reference.settings import settings_page
from reference.tools import tools_page

FOLDER: Final = Path(__file__).parents[1] / "docs" / "reference"

PAGES: Final[dict[str, tuple[str, Callable[[], str]]]] = {
    "commands.md": ("every command with its options and examples", commands_page),
    "settings.md": ("every setting with its default", settings_page),
    "tools.md": ("the tools of an agent with their arguments", tools_page),
    "jobs.md": ("kinds of job, the schedule, and tasks with a switch", jobs_page),
    "metrics.md": ("what `/metrics` of each process shows", metrics_page),
    "alerts.md": ("when each alert fires, and what to do first", alerts_page),
    "log-events.md": ("the lines of the log, with their facts", log_events_page),
    "rooms.md": ("every folder of the program, and every table", rooms_page),
    "exit-statuses.md": ("how a command or a process ends", exit_statuses_page),
}
"""Each page by its file: what it holds, and the function that makes it."""

INTRODUCTION = """Lists to look things up in. They are generated from what the program declares \
(`make reference`), so change the declaration, not these files."""


def pages() -> dict[str, str]:
    """Return the text of every page by the name of its file."""
    rows = [(f"[{name}]({name})", holds) for name, (holds, _made) in PAGES.items()]
    index = page("Reference", INTRODUCTION, table(("page", "what it holds"), rows))
    return {"README.md": index, **{name: made() for name, (_holds, made) in PAGES.items()}}
