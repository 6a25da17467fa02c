"""`afterword memory flagged` and `unflag`: texts that read like orders to the agent."""

from typing import Annotated

import typer

from afterword.pipeline.domain.memory.flags import MAX_LISTED, clear_flag, list_flagged
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.options import most_shown
from afterword.pipeline.views.memory.memory import flag_cleared, flagged_list, flagged_reasons


def flagged(
    ctx: typer.Context,
    limit: Annotated[int, most_shown("texts", MAX_LISTED)] = 50,
    why: Annotated[
        bool, typer.Option("--why", help="Show which arm of the scan saw which words.")
    ] = False,
) -> None:
    """List the texts that read like orders to the agent, and so stay out of prompts.

    Example: afterword memory flagged --why
    """
    call = Call(ctx)
    texts = list_flagged(call.store(), limit)
    call.answer(texts, lambda: flagged_reasons(texts) if why else flagged_list(texts))


def unflag(
    ctx: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="As `flagged` lists it, or a memory's number.")
    ],
) -> None:
    """Let prompts show a flagged text after all; the scan does not flag it again.

    Example: afterword memory unflag memory:1
    """
    call = Call(ctx)
    cleared = clear_flag(call.owner(), name)
    call.answer({"name": cleared, "flagged": False}, lambda: flag_cleared(cleared))
