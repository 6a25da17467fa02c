"""`afterword replay compare`: where two replays part, and which decisions ended otherwise."""

from typing import Annotated

import typer

from afterword.pipeline.core.store import reading
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.operations.replay.run import status_of
from afterword.pipeline.operations.replay_report.compare import compare_replays
from afterword.pipeline.views.replay.compare import replay_comparison


def compare(
    ctx: typer.Context,
    left: Annotated[str, typer.Argument(metavar="NAME", help="One replay.")],
    right: Annotated[str, typer.Argument(metavar="OTHER", help="The other one.")],
) -> None:
    """Name the first event in which two replays differ, and count their decisions by key.

    Example: afterword replay compare sol sol-stricter
    """
    call = Call(ctx)
    stores = call.stores()
    first, second = stores.replay(left), stores.replay(right)
    before, after = status_of(first), status_of(second)
    with reading(first) as conn, reading(second) as beside:
        comparison = compare_replays((conn, before), (beside, after))
    call.answer(comparison, lambda: replay_comparison(comparison))
