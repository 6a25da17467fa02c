"""`afterword layout`: the layouts of exports that are known, and those that their owner writes."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from afterword.pipeline.domain.documents.document import open_document
from afterword.pipeline.domain.exports.contents import contents_of
from afterword.pipeline.domain.exports.layout_files import (
    LayoutFile,
    own_layouts,
    read_layout_file,
    shipped_layouts,
)
from afterword.pipeline.domain.exports.proposal import propose_layout
from afterword.pipeline.domain.exports.read import known_layouts, layout_of, read_document
from afterword.pipeline.domain.layouts.layout import Origin
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.page_file import write_page
from afterword.pipeline.doors.cli.services import llm_of
from afterword.pipeline.doors.commands.export_options import (
    ContractSizes,
    Day,
    Decimals,
    Symbol,
    TimeFormat,
    TimeUnitName,
    Zone,
    kept_by,
    reading_options,
)
from afterword.pipeline.errors import InvalidInputError, NotFoundError
from afterword.pipeline.rules.masking import shown
from afterword.pipeline.rules.tabular.stated import stated_zone
from afterword.pipeline.views.trades.layouts import (
    layout_contents,
    layout_list,
    layout_proposal,
    layout_text,
)

app = section("See the layouts of exports, and try one of your own.")


@app.command("ls")
def list_(ctx: typer.Context) -> None:
    """List the layouts that are known, those of your own first.

    Example: afterword layout ls
    """
    call = Call(ctx)
    own = [file.mapping.program for file in own_layouts(call.settings.home)]
    names = {program.name for program in own}
    files = {file.name for file in shipped_layouts()}
    rows = [(program.name, program.title, "your own") for program in own]
    rows += [
        (layout.name, layout.title, "a file" if layout.name in files else "a reader")
        for layout in known_layouts()
        if layout.name not in names
    ]
    listed = [{"name": name, "title": title, "read_by": reader} for name, title, reader in rows]
    call.answer(listed, lambda: layout_list(rows))


@app.command()
def show(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="As `ls` shows it.")],
) -> None:
    """Print a layout file, as a start for one of your own.

    Example: afterword layout show kucoin-fills
    """
    call = Call(ctx)
    file = _file(call, name)
    answer = {"name": file.name, "is_own": file.is_own, "text": file.text}
    call.answer(answer, lambda: layout_text(file.text))


@app.command()
def check(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="An export of trades.")],
    with_: Annotated[
        Path | None,
        typer.Option("--with", metavar="LAYOUT", help="Read it by this layout file: my.toml."),
    ] = None,
    zone: Zone = None,
    day: Day = None,
    symbol: Symbol = None,
    time_unit: TimeUnitName = None,
    time_format: TimeFormat = None,
    decimal: Decimals = None,
    contract_size: ContractSizes = None,
) -> None:
    """Read a whole export and say what it holds; nothing is stored.

    Example: afterword layout check trades.csv --with my-broker.toml
    """
    call = Call(ctx)
    options = reading_options(
        zone=zone,
        symbol=symbol,
        columns=None,
        time_unit=time_unit,
        time_format=time_format,
        decimal=decimal,
        contract_size=contract_size,
        day=day,
    )
    document = open_document(file)
    own = None if with_ is None else read_layout_file(with_)
    if own is not None and not own.fits(document):
        columns = ", ".join(own.mapping.program.header)
        problem = f"has not the columns of {own.name}"
        raise InvalidInputError(document.name, problem, f"a header with {columns}")
    known = kept_by(call) if own is None else (own,)
    layout, items = read_document(document, options.of(document), None, known)
    contents = contents_of(items)
    answer = {"layout": layout.name, "title": layout.title, **asdict(contents)}
    call.answer(answer, lambda: layout_contents(layout, contents))


@app.command()
def propose(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="An export of trades.")],
    name: Annotated[
        str, typer.Option(help="Name of the layout: small letters, digits and -.")
    ] = "proposed",
    out: Annotated[
        Path | None, typer.Option(metavar="LAYOUT", help="Write its text to this file: my.toml.")
    ] = None,
    zone: Zone = None,
    symbol: Symbol = None,
) -> None:
    """Ask a model for the layout of an export, and say what the file holds by it.

    The model sees the header and three rows, their digits as 9; AFTERWORD_LAYOUT_MODEL=1 allows it.
    Nothing is kept: say yes by copying the text into the folder `layouts` of the home.

    Example: afterword layout propose trades.csv --out my-broker.toml
    """
    call = Call(ctx)
    if not call.settings.layout_model:
        accepted = "1, to show a model the header and three masked rows"
        raise InvalidInputError("AFTERWORD_LAYOUT_MODEL", "is off", accepted)
    document = open_document(file)
    known = layout_of(document)
    if known is not None:
        problem = f"is known already: {known.title} ({known.name})"
        raise InvalidInputError(document.name, problem, "afterword learn FILE")
    llm = llm_of(call, call.stores(create=True))
    if llm is None:
        raise InvalidInputError("AFTERWORD_LLM_PROVIDER", "is disabled", "anthropic")
    origin = Origin(document.name, "", stated_zone(zone), symbol)
    proposal = propose_layout(document, llm, call.settings.group, name, origin)
    if out is not None:
        write_page(out, proposal.text, "out")
    answer = {**proposal._asdict(), "contents": asdict(proposal.contents)}
    call.answer(answer, lambda: layout_proposal(proposal))


def _file(call: Call, name: str) -> LayoutFile:
    """Return the layout file of a name, that of the owner first.

    Raises:
        NotFoundError: there is no such file; a reader in code has none.
    """
    for file in (*own_layouts(call.settings.home), *shipped_layouts()):
        if file.name == name:
            return file
    if any(layout.name == name for layout in known_layouts()):
        problem = f"{name} is read by code and has no layout file"
    else:
        problem = f"no layout {shown(name, 60)}"
    raise NotFoundError(f"{problem}; see `afterword layout ls`")
