"""`afterword history edges`: trades of which two files cannot tell whether they are the same."""

import typer

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.history.files import known_files
from afterword.pipeline.domain.history.undecided import undecided_fills
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.options import OnlyAccount
from afterword.pipeline.views.trades.history_import import undecided_list


def edges(
    ctx: typer.Context,
    account: OnlyAccount = None,
) -> None:
    """List trades that may stand in two files, with how to decide it.

    Example: afterword history edges
    """
    call = Call(ctx)
    with reading(call.store()) as conn:
        fills = undecided_fills(known_files(conn, account))
    call.answer(fills, lambda: undecided_list(fills))
