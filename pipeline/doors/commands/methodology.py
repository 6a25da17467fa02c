"""`afterword methodology`: methods of analysis, and how each did."""

import json
from pathlib import Path
from typing import Annotated, Any, Final, cast

import typer

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.memory.visibility import read_moment as checked_read
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
from afterword.pipeline.domain.methodologies.delete import clear_injection, delete_methodology
from afterword.pipeline.domain.methodologies.model import (
    AddedMethodology,
    MethodDirection,
    MethodPhase,
    NewMethodology,
    PrimarySignal,
    Timeframe,
)
from afterword.pipeline.domain.methodologies.read import (
    MAX_LISTED_METHODS,
    count_methodologies,
    list_methodologies,
    methodology_story,
)
from afterword.pipeline.domain.synthesis.luck import expected_luck
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.progress import progress
from afterword.pipeline.doors.cli.text_file import read_text_file
from afterword.pipeline.doors.commands.methodology_cases import case, cases
from afterword.pipeline.doors.commands.methodology_lines import read_methodologies
from afterword.pipeline.doors.commands.methodology_synthesize import synthesize
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.views.methods.methods import (
    method_added,
    method_changed,
    method_list,
    method_suggested,
    methods_added,
)
from afterword.pipeline.views.methods.story import method_story

app = section("Methods of analysis: add, list, show, suggest and delete them.")

BATCH: Final = 200
"""Methodologies of one transaction of a file, so that other writers wait for under a second."""

MethodName = Annotated[
    str, typer.Argument(metavar="METHOD", help="Its id, or its number in the list.")
]
AsOf = Annotated[str | None, typer.Option(metavar="MOMENT", help="As it was known at this moment.")]


@app.command()
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
    key: Annotated[
        str | None, typer.Option(help="A name for this writing; a second one with it adds nothing.")
    ] = None,
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


@app.command("ls")
def list_(
    ctx: typer.Context,
    asset_class: Annotated[str | None, typer.Option("--class", help="Only this class.")] = None,
    state: Annotated[
        str | None,
        typer.Option(
            help="Only: new, trying, promising, graduated, demoted, flagged, merged, deleted."
        ),
    ] = None,
    source: Annotated[
        str | None, typer.Option(help="Only: written, cases, pattern, import, placebo.")
    ] = None,
    limit: Annotated[int, typer.Option(help=f"At most, up to {MAX_LISTED_METHODS:,}.")] = 50,
    as_of: AsOf = None,
) -> None:
    """List methods with their state and record, and say how many of them are expected to be luck.

    Example: afterword methodology ls --state graduated
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    with reading(call.store()) as conn:
        checked_read(conn, at)
        found = list_methodologies(
            conn, asset_class=asset_class, state=state, source=source, limit=limit, as_of=at
        )
        counts = count_methodologies(conn, at)
        placebos = sum(count_methodologies(conn, at, placebos=True).values())
        luck = expected_luck(conn, at)

    answer = {"methodologies": found, "counts": counts, "placebos": placebos}
    answer |= {"luck": None if luck is None else luck._asdict()}
    call.answer(answer, lambda: method_list(found, counts, placebos, luck))


@app.command()
def show(ctx: typer.Context, method: MethodName, as_of: AsOf = None) -> None:
    """Show one method as a plan, with its record in both gates and what happened to it.

    Example: afterword methodology show 12
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    with reading(call.store()) as conn:
        checked_read(conn, at)
        found = methodology_story(conn, method, at)
    call.answer(found, lambda: method_story(found))


@app.command()
def suggest(
    ctx: typer.Context,
    asset: Annotated[str, typer.Argument(help="What a decision is about, such as SOL.")],
    as_of: AsOf = None,
) -> None:
    """Print the block of graduated methods that an agent is shown for an asset, and keep the hint.

    Example: afterword methodology suggest BTC
    """
    from afterword.pipeline.recall.methods.suggest import suggest_methods

    call, at = Call(ctx), read_moment(as_of, "as_of")
    require_learning(call.settings.learning_enabled)
    found = suggest_methods(call.owner(), asset, call.settings.methodology_top_k, as_of=at)
    call.answer(found, lambda: method_suggested(found))


@app.command()
def delete(ctx: typer.Context, method: MethodName) -> None:
    """Delete a method: no prompt shows it; its record keeps counting.

    Example: afterword methodology delete 12
    """
    call = Call(ctx)
    require_learning(call.settings.learning_enabled)
    found = delete_methodology(call.owner(), method)
    call.answer(found, lambda: method_changed(found, "deleted"))


@app.command()
def clear(ctx: typer.Context, method: MethodName) -> None:
    """Say that a method's text is no injection, so that it may graduate.

    Example: afterword methodology clear 12
    """
    call = Call(ctx)
    require_learning(call.settings.learning_enabled)
    found = clear_injection(call.owner(), method)
    call.answer(found, lambda: method_changed(found, "cleared"))


app.command("synthesize")(synthesize)
app.command("cases")(cases)
app.command("case")(case)


def _add_file(call: Call, file: Path, *, as_new: bool) -> None:
    """Add the lines of a file: all are checked first, then written a batch at a time."""
    checked = read_methodologies(file)
    by, done = call.owner(create=True), list[AddedMethodology]()
    with reading(by.store) as conn:
        check_keys(conn, checked)
    with progress() as told:
        for start in range(0, len(checked), BATCH):
            batch = checked[start : start + BATCH]
            with writing(by.store) as conn:
                now = by.clock()
                done += [
                    insert_methodology(
                        conn, by, one, now, as_new=as_new, at=f"methodologies[{place}]."
                    )
                    for place, one in enumerate(batch, start)
                ]
            told("methodologies", len(done), len(checked))
    call.answer(done, lambda: methods_added(done, checked))


def _phases(written: str) -> tuple[MethodPhase, ...]:
    if not written:
        return ()
    text = read_text_file(Path(written[1:]), "phases") if written.startswith("@") else written
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInputError("phases", f"is not JSON ({error})", "a list of objects") from None
    return tuple(read_phases(found, "phases"))
