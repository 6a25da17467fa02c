"""The processes of a home as they are told, and why waiting jobs do not run."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.core.jobs.fleet import OpenJobs, Process
from afterword.pipeline.views.blocks import Block, Paragraph, Table, View
from afterword.pipeline.views.cells import Cell
from afterword.pipeline.views.words import duration

_PROCESSES: Final = ("process", "pid", "state", "heartbeat", "queues", "busy", "port")
_NO_PROCESS: Final = "no worker or dispatcher is registered"


def fleet_view(
    fleet: Sequence[Process], wanted: OpenJobs, problems: Sequence[str], notes: Sequence[str]
) -> View:
    """Return the processes, what is wrong with them, and what else to know."""
    blocks: list[Block] = [Table(_PROCESSES, list(map(_process, fleet)), _NO_PROCESS)]
    blocks += (Paragraph(f"wrong: {problem}") for problem in problems)
    blocks += (Paragraph(f"note: {note}") for note in notes)
    if not problems:
        jobs = sum(wanted.kinds.values())
        some = f"{jobs:,} jobs wait or run, and nothing blocks them"
        blocks.append(Paragraph(some if jobs else "no job waits"))
    return View(blocks)


def _process(one: Process) -> list[Cell]:
    return [
        one.called,
        "?" if one.pid is None else str(one.pid),
        one.state,
        f"{duration(one.heartbeat_age_s)} ago",
        ", ".join(one.queues) or "-",
        "-" if one.role == "dispatcher" else f"{one.busy} of {one.threads}",
        "-" if one.port is None else str(one.port),
    ]
