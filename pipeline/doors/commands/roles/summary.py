"""`afterword role summary`: what the record of each role says, on one screen or as one page."""

from typing import Annotated

import typer

from afterword.pipeline.domain.decisions.read import count_roles
from afterword.pipeline.domain.patterns.ageing import Ageing
from afterword.pipeline.domain.patterns.placebos import MOST_PLACEBOS, checked_placebos
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import AsOf, HtmlPage
from afterword.pipeline.doors.cli.page_file import check_page
from afterword.pipeline.doors.cli.progress import progress
from afterword.pipeline.operations.roles.placebos import with_placebos
from afterword.pipeline.operations.roles.summary import RoleSummary, summarise_roles
from afterword.pipeline.views.roles.summary import role_summary


def summary(
    ctx: typer.Context,
    roles: Annotated[
        list[str] | None, typer.Argument(metavar="[ROLE]...", help="Only these; all if missing.")
    ] = None,
    html: HtmlPage = None,
    placebos: Annotated[
        int,
        typer.Option(
            metavar="N", help=f"Send N roles of coin flips through the same; to {MOST_PLACEBOS}."
        ),
    ] = 0,
    as_of: AsOf = None,
) -> None:
    """Show how decisions did against the base rate, and what can be told apart from luck.

    Example: afterword role summary market.spot.momentum --html summary.html
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    check_page(html)
    checked_placebos(placebos)
    registry = load_roles(call.settings.home)
    named = [registry.role(role) for role in roles or ()]
    summaries: list[RoleSummary] = []
    level = call.settings.pattern_error
    if call.has_group():
        store = call.store()
        waiting = (
            {} if at else {count.role_id: count.waiting for count in count_roles(store, registry)}
        )
        asked_roles = [(role, waiting.get(role.id, {})) for role in named or registry]
        ageing = Ageing(at or call.now(), call.settings.pattern_unplayed_days)
        summaries = summarise_roles(store, asked_roles, level, at, ageing)
        if placebos:
            with progress() as on_progress:
                summaries = with_placebos(
                    *(store, summaries, [role for role, _ in asked_roles], placebos),
                    *(call.now(), level, at, on_progress),
                )
    shown = [
        record for record in summaries if named or record.classes or record.waiting or record.erased
    ]
    call.answer(
        shown,
        lambda: role_summary(shown, level, call.settings.group, is_past=at is not None),
        html=html,
    )
