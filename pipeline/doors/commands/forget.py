"""`afterword forget`: erase content for good, and prove it."""

import sys
import time
from typing import Annotated

import typer

from afterword.pipeline.domain.workspace.source import source_of
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.commands.memory.options import memory_name
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.forget.forget import forget as erase
from afterword.pipeline.operations.forget.forget import preview
from afterword.pipeline.operations.forget.model import ForgetRequest, Preview
from afterword.pipeline.views.operator.forget import forget_preview, forget_proof, replica_note


def forget(
    ctx: typer.Context,
    memory: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Number or uid of a memory; may be repeated."),
    ] = None,
    subject: Annotated[
        str,
        typer.Option(
            help="Instead of --memory: a name, ticker, chain or address; all texts that name it."
        ),
    ] = "",
    trades: Annotated[
        bool,
        typer.Option("--trades", help="Also erase the imported fills of that account or wallet."),
    ] = False,
    apply: Annotated[
        bool, typer.Option("--apply", help="Erase it; without this option, only show it.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask again.")] = False,
) -> None:
    """Show all rows about a memory or a subject; with --apply, erase them for good and prove it.

    Example: afterword forget --subject "Jane Doe"
    """
    call = Call(ctx)
    request = ForgetRequest(tuple(map(memory_name, memory or ())), subject, trades)
    stores, group = call.stores(), call.settings.group
    workspace = source_of(call.settings).folder
    if not apply:
        rows = preview(stores, group, request, workspace)
        call.answer(rows, lambda: forget_preview(rows))
        return
    if not yes:
        _ask(call, preview(stores, group, request, workspace))
    cassette = call.settings.llm_cassette
    beside = [] if cassette is None else [cassette]
    done = erase(stores, group, request, call.roots.clock, beside, workspace, wait=time.sleep)
    call.answer(done, lambda: forget_proof(done))
    if (replica := call.settings.replica) is not None and not call.json:
        call.say(replica_note(replica, group))


def _ask(call: Call, rows: Preview) -> None:
    if call.json or not sys.stdin.isatty():
        raise InvalidInputError(
            "yes", "is not given, and there is no terminal to ask", "--apply --yes"
        )
    call.say(forget_preview(rows))
    typer.confirm("Erase this for good?", abort=True)
