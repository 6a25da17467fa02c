"""`afterword forget`: erase content for good, and prove it."""

import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.names import memory_name
from afterword.pipeline.doors.cli.output import Cell, print_line, print_table
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.forget.forget import forget as erase
from afterword.pipeline.operations.forget.forget import preview
from afterword.pipeline.operations.forget.model import ForgetRequest, Preview, Proof
from afterword.pipeline.views.words import moment

MAX_IDS = 12
"""Row numbers that are shown of one table (count); `--json` shows all of them."""


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
    if not apply:
        found = preview(stores, group, request)
        call.answer(found, lambda: _print(_preview_lines(found), found))
        return
    if not yes:
        _ask(call, preview(stores, group, request))
    cassette = call.settings.llm_cassette
    beside = [] if cassette is None else [cassette]
    done = erase(stores, group, request, call.roots.clock, beside)
    call.answer(done, lambda: _print(_done_lines(done.preview, done.proof), done.preview))


def _ask(call: Call, found: Preview) -> None:
    if call.json or not sys.stdin.isatty():
        raise InvalidInputError(
            "yes", "is not given, and there is no terminal to ask", "--apply --yes"
        )
    _print(_preview_lines(found), found)
    typer.confirm("Erase this for good?", abort=True)


def _print(lines: Iterator[str], found: Preview) -> None:
    rows: list[list[Cell]] = [
        [one.table, one.does, len(one.ids), _numbers(one.ids)] for one in found.held
    ]
    rows += [[table, "erased too", count, ""] for table, count in found.follows.items()]
    print_table(("table", "is", "rows", "which"), rows, "no row matches")
    for line in lines:
        print_line(line)


def _preview_lines(found: Preview) -> Iterator[str]:
    yield from _notes(found)
    if found.unfinished:
        yield f"{found.unfinished} erasures are not proved yet; --apply completes the proof"
    if found.rows:
        yield f"nothing was changed; --apply erases these {found.rows:,} rows for good"


def _done_lines(found: Preview, proof: Proof | None) -> Iterator[str]:
    yield from _notes(found)
    if proof is None:
        yield "there was nothing to erase"
        return
    looked_for = proof.phrases + proof.words
    yield (
        f"proved: {proof.found} of {looked_for:,} found in {len(proof.files)} files "
        f"({proof.phrases:,} phrases, {proof.words:,} words that no other row has)"
    )
    for table, count in proof.standing.items():
        yield f"{count:,} of the phrases are also in {table}, in rows that were not requested"
    if proof.too_short:
        yield f"{proof.too_short:,} rows are too short to search for"
    for copy in proof.copies:
        holds = f"contains {copy.holds:,} of them"
        if copy.replay:
            remedy = f"remove it with `afterword replay rm {copy.replay}`"
            yield f"not changed: replay {copy.replay} {holds}; {remedy}"
        else:
            yield f"not changed: {copy.path} {holds}; delete it, or take them out of it"
    yield (
        "not changed: other groups; backups, exports and pages in other places; snapshots of the "
        "disk, logs of other programs, and requests that were sent to a model"
    )


def _notes(found: Preview) -> Iterator[str]:
    for name, at in found.erased_before.items():
        yield f"memory {name} was erased at {moment(at)}; nothing is left to erase"
    if found.versions:
        numbers = _numbers(found.versions)
        yield f"its other versions stay: {numbers}; name them to erase them too"
    for table, count in found.stays.items():
        yield f"{count:,} rows of {table} stay (the venue's own record); --trades erases them"


def _numbers(ids: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, ids[:MAX_IDS]))
    return f"{shown}, …" if len(ids) > MAX_IDS else shown
