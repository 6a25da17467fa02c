"""`afterword methodology cases` and `case`: what was shown, what was done, what came of it."""

from typing import Annotated, Final

import typer

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.cases.read import case_story, list_cases
from afterword.pipeline.domain.memory.checks import check_word
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.options import OnlyAsset, most_shown
from afterword.pipeline.views.methods.cases import case_list, case_view

_STATES: Final = ("pending", "resolved", "unresolved")


def cases(
    ctx: typer.Context,
    asset: OnlyAsset = None,
    methodology: Annotated[
        str,
        typer.Option(metavar="METHOD", help="Only cases that cite this one."),
    ] = "",
    state: Annotated[
        str, typer.Option(metavar="STATE", help="pending, resolved or unresolved.")
    ] = "",
    limit: Annotated[int, most_shown("cases", 10_000, is_checked=False)] = 20,
) -> None:
    """List decisions that cite methodologies, the latest first.

    Example: afterword methodology cases --asset BTC --state pending
    """
    call = Call(ctx)
    if state:
        check_word(state, _STATES, "state")
    with reading(call.store()) as conn:
        listed = list_cases(conn, asset, methodology or None, state or None, limit)
    call.answer(listed, lambda: case_list(listed))


def case(
    ctx: typer.Context,
    case_id: Annotated[int, typer.Argument(metavar="ID", help="Its number in `cases`.")],
) -> None:
    """Show a case: the hint, the decision, its outcomes and trades, and who has which part.

    Example: afterword methodology case 1
    """
    call = Call(ctx)
    with reading(call.store()) as conn:
        story = case_story(conn, case_id)
    call.answer(story, lambda: case_view(story))
