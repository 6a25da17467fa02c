"""`afterword history`: bring in what was traded."""

from dataclasses import astuple
from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.call import Call
from pipeline.cli.lazy import section
from pipeline.cli.output import print_fields
from pipeline.cli.progress import progress
from pipeline.history.import_fills import Imported, import_fills
from pipeline.history.parse import read_fills_file

app = section("Import what was traded.")


@app.command("import")
def import_(
    ctx: typer.Context,
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Fills, as the venue's API saves them.")
    ],
    account: Annotated[str, typer.Option(help="Whose they are; slots of a file go below it.")],
    wallet: Annotated[
        str | None, typer.Option(help="Its 0x address, which tells its own liquidations.")
    ] = None,
) -> None:
    """Mirror fills, and remember the round trips they close; again changes nothing."""
    call = Call(ctx)
    pages = [read_fills_file(file, account) for file in files]  # all are sound before one is kept
    store, settings = call.store(create=True), call.settings
    done = Imported(0, 0)
    with progress() as told:
        for number, fills in enumerate(pages, start=1):
            imported = import_fills(
                store,
                fills,
                call.roots.clock,
                call.roots.ids,
                wallets={account: wallet} if wallet else None,
                embedding_enabled=call.embeds,
                max_ready=settings.jobs_max_ready,
            )
            done = Imported(*map(sum, zip(astuple(done), astuple(imported), strict=True)))
            told("files", number, len(pages))
    call.answer(
        done,
        lambda: print_fields(
            {name.replace("_", " "): getattr(done, name) for name in Imported.__slots__}
        ),
    )
