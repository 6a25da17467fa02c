"""`afterword methodology cases` and `case`: what was shown, what was done, what came of it."""

from typing import Annotated, Final

import typer

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.cases import read_rows
from afterword.pipeline.domain.cases.read import case_story
from afterword.pipeline.domain.methodologies.read import find_methodology
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.symbols import normalise_symbol
from afterword.pipeline.views.methods.cases import case_list, case_view

_STATES: Final = ("pending", "resolved", "unresolved")


def cases(
    ctx: typer.Context,
    asset: Annotated[str, typer.Option(help="Only this asset.")] = "",
    methodology: Annotated[
        str,
        typer.Option(metavar="METHOD", help="Only cases that cite this one."),
    ] = "",
    state: Annotated[
        str, typer.Option(metavar="STATE", help="pending, resolved or unresolved.")
    ] = "",
    limit: Annotated[int, typer.Option(help="Cases shown.", min=1, max=10_000)] = 20,
) -> None:
    """List decisions that cite methodologies, the latest first.

    Example: afterword methodology cases --asset BTC --state pending
    """
    call = Call(ctx)
    if state and state not in _STATES:
        raise InvalidInputError("--state", f"unknown: {state!r}", ", ".join(_STATES))
    key = normalise_symbol(asset) if asset else None
    with reading(call.store()) as conn:
        one = find_methodology(conn, methodology).uid if methodology else None
        found = read_rows.listing(conn, key, one, state or None, limit)
    call.answer(found, lambda: case_list(found))


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
