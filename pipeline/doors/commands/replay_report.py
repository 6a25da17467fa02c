"""`afterword replay report`: what came of a replay, as text, a page or JSON."""

from pathlib import Path
from typing import Annotated

import typer

from afterword.pipeline.core.store import reading
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.page_file import check_page, write_page
from afterword.pipeline.doors.commands.replay_report_lines import print_replay_report
from afterword.pipeline.doors.report.replay_page import replay_page
from afterword.pipeline.operations.replay.report import replay_report
from afterword.pipeline.operations.replay.run import status_of


def report(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The replay's name.")],
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write it as one HTML page, too.")
    ] = None,
) -> None:
    """Show what came of a replay: its results, what is told apart from luck, and what was tried.

    Example: afterword replay report sol --html sol.html
    """
    call = Call(ctx)
    check_page(html)
    store = call.stores().replay(name)
    status = status_of(store)
    with reading(store) as conn:
        found = replay_report(conn, status)
    if html is not None:
        write_page(html, replay_page(found))
    call.answer(found, lambda: print_replay_report(found, html))
