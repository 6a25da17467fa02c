"""`afterword methodology add`: one method, or a file of them."""

from pathlib import Path
from typing import Annotated, Final, cast

import typer

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.methodologies.add import (
    add_methodology,
    check_keys,
    insert_methodology,
)
from afterword.pipeline.domain.methodologies.checks import (
    check_methodology,
    read_phases,
    require_learning,
)
from afterword.pipeline.domain.methodologies.model import (
    AddedMethodology,
    MethodDirection,
    MethodPhase,
    NewMethodology,
    PrimarySignal,
    Timeframe,
)
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.json_text import read_json
from afterword.pipeline.doors.cli.options import RecordKey
from afterword.pipeline.doors.cli.progress import progress
from afterword.pipeline.doors.cli.text_file import read_text_file
from afterword.pipeline.doors.commands.methodology.lines import read_methodologies
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.views.methods.methods import method_added, methods_added

_BATCH: Final = 200
"""Methodologies of one transaction of a file, so that other writers wait for under a second."""


def add(
    ctx: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What to do, and when.")] = "",
    asset_class: Annotated[
        str, typer.Option("--class", help="The class it is about, such as major_crypto.")
    ] = "",
    direction: Annotated[str, typer.Option(help="bullish, bearish or neutral.")] = "",
    timeframe: Annotated[
        str, typer.Option(help="intraday, short, medium or long: 1, 7, 30 or 90 days.")
    ] = "",
    name: Annotated[str | None, typer.Option(help="A short name.")] = None,
    evidence: Annotated[str, typer.Option(help="What speaks for it.")] = "",
    signal: Annotated[
        str | None, typer.Option(help="Its primary signal; read from the text if missing.")
    ] = None,
    indicator: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="What it watches, such as rsi; can be repeated."),
    ] = None,
    phases: Annotated[
        str, typer.Option(metavar="JSON", help="Its steps: a list of objects, or @FILE.")
    ] = "",
    key: RecordKey = None,
    as_new: Annotated[
        bool, typer.Option("--as-new", help="Keep it apart though a stored one looks the same.")
    ] = False,
    file: Annotated[
        Path | None, typer.Option(help="Instead: a JSON object a line; - is standard input.")
    ] = None,
) -> None:
    """Add a method, or all lines of a file; one that says the same as a stored one is a sighting.

    Example: afterword methodology add "Buy BTC when daily RSI is below 30" --class major_crypto
    --direction bullish --timeframe short
    """
    call = Call(ctx)
    require_learning(call.settings.learning_enabled)
    if file is not None:
        fields = (text, asset_class, direction, timeframe, name, evidence, signal, phases, key)
        if any(fields) or indicator:
            raise InvalidInputError("file", "is given beside a methodology", "one of the two")
        _add_file(call, file, as_new=as_new)
        return
    new = NewMethodology(
        text,
        asset_class,
        cast(MethodDirection, direction),
        cast(Timeframe, timeframe),
        name,
        evidence,
        _phases(phases),
        cast(PrimarySignal | None, signal),
        indicator or None,
        key,
        origin="owner",
    )
    check_methodology(new, "owner")  # before the store is opened: a refused one makes none
    done = add_methodology(call.owner(create=True), new, as_new=as_new)
    call.answer(done, lambda: method_added(done))


def _add_file(call: Call, file: Path, *, as_new: bool) -> None:
    """Add the lines of a file: all are checked first, then written a batch at a time."""
    checked = read_methodologies(file)
    by, done = call.owner(create=True), list[AddedMethodology]()
    with reading(by.store) as conn:
        check_keys(conn, checked)
    with progress() as told:
        for start in range(0, len(checked), _BATCH):
            batch = checked[start : start + _BATCH]
            with writing(by.store) as conn:
                now = by.clock()
                done += [
                    insert_methodology(
                        conn, by, method, now, as_new=as_new, at=f"methodologies[{place}]."
                    )
                    for place, method in enumerate(batch, start)
                ]
            told("methodologies", len(done), len(checked))
    call.answer(done, lambda: methods_added(done, checked))


def _phases(written: str) -> tuple[MethodPhase, ...]:
    if not written:
        return ()
    text = read_text_file(Path(written[1:]), "phases") if written.startswith("@") else written
    phases = read_json(text, "phases", "a list of objects")
    return tuple(read_phases(phases, "phases"))
