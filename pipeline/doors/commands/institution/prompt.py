"""`afterword institution retrospect` and `tool`: how a run begins, and what its roles fill in."""

from typing import Annotated

import typer

from afterword.pipeline.domain.institution.forms import forced_choice, output_tool
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import AsOf
from afterword.pipeline.recall.institution.retrospect import tell_runs
from afterword.pipeline.views.methods.institution import retrospect_view, tool_view


def retrospect(
    ctx: typer.Context,
    asset: Annotated[str, typer.Argument(metavar="ASSET", help="The ticker of the next run.")],
    as_of: AsOf = None,
) -> None:
    """Print how earlier runs on an asset came out, for the prompt of the next one (Phase 0).

    Example: afterword institution retrospect BTC
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    told = tell_runs(
        call.owner(), asset, is_kept=call.settings.institution_learning_enabled, as_of=at
    )
    call.answer(told, lambda: retrospect_view(told))


def tool(
    ctx: typer.Context,
    form: Annotated[
        str, typer.Argument(metavar="FORM", help="Such as analyst_report or portfolio_decision.")
    ],
) -> None:
    """Print the tool that a role's model is forced to call, and the choice that forces it.

    Example: afterword institution tool portfolio_decision --json
    """
    call = Call(ctx)
    answer = {"tool": output_tool(form), "tool_choice": forced_choice(form)}
    call.answer(answer, lambda: tool_view(answer))
