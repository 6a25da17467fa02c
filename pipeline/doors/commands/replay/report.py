"""`afterword replay report`: what came of a replay, as text, a page or JSON."""

from dataclasses import replace
from typing import Annotated

import typer

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.patterns.placebos import checked_placebos
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.options import HtmlPage
from afterword.pipeline.doors.cli.page_file import check_page
from afterword.pipeline.doors.cli.progress import progress
from afterword.pipeline.doors.commands.replay.options import ReplayName
from afterword.pipeline.operations.replay.run import roles_for, status_of
from afterword.pipeline.operations.replay_report.coin_roles import (
    MOST_UNASKED,
    USUAL_COINS,
    coin_roles,
    usual_number,
)
from afterword.pipeline.operations.replay_report.report import replay_report
from afterword.pipeline.views.replay.report import replay_findings


def report(
    ctx: typer.Context,
    name: ReplayName,
    html: HtmlPage = None,
    placebos: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help=f"Roles of coin flips beside each role; {USUAL_COINS}, or 0 above "
            f"{MOST_UNASKED:,} decisions.",
        ),
    ] = None,
) -> None:
    """Show what came of a replay: its results, what is told apart from luck, and what was tried.

    Example: afterword replay report sol --html sol.html
    """
    call = Call(ctx)
    check_page(html)
    store = call.stores().replay(name)
    status = status_of(store)
    number = usual_number(status) if placebos is None else checked_placebos(placebos)
    registry = roles_for(call.settings.home, status.settings.horizon_hours)
    with progress() as on_progress, reading(store) as conn:
        coins = coin_roles(conn, registry, status, number, on_progress)
        results = replace(replay_report(conn, status), coins=coins)
    call.answer(results, lambda: replay_findings(results), html=html)
