"""`afterword history`: bring in what was traded."""

from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Annotated

import typer

from afterword.pipeline.domain.history.import_fills import ImportCounts, import_fills
from afterword.pipeline.domain.history.parse import read_fills_file
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.output import print_fields
from afterword.pipeline.doors.cli.progress import progress
from afterword.pipeline.errors import InvalidInputError

app = section("Import what was traded.")


@app.command("import")
def import_(
    ctx: typer.Context,
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Fills, as the venue's API saves them.")
    ],
    account: Annotated[str, typer.Option(help="Whose they are; slots of a file go below it.")],
    wallet: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[SLOT=]0x...",
            help="Its address, or that of one of its slots: it tells their own liquidations.",
        ),
    ] = None,
) -> None:
    """Mirror fills, and remember the round trips they close; again changes nothing."""
    call = Call(ctx)
    pages = [read_fills_file(file, account) for file in files]  # all are sound before one is kept
    wallets = named_wallets(
        account, wallet or [], {fill.account for page in pages for fill in page}
    )
    store, settings = call.store(create=True), call.settings
    done = ImportCounts(0, 0)
    with progress() as told:
        for number, fills in enumerate(pages, start=1):
            imported = import_fills(
                store,
                fills,
                call.roots.clock,
                call.roots.ids,
                wallets=wallets,
                embedding_enabled=call.embeds,
                max_ready=settings.jobs_max_ready,
            )
            done = ImportCounts(*map(sum, zip(astuple(done), astuple(imported), strict=True)))
            told("files", number, len(pages))
    call.answer(
        done,
        lambda: print_fields(
            {name.replace("_", " "): getattr(done, name) for name in ImportCounts.__slots__}
        ),
    )


def named_wallets(account: str, given: Sequence[str], accounts: set[str]) -> dict[str, str]:
    """Return addresses by the account they belong to.

    Args:
        account: the name all accounts of the files go under.
        given: `0x...` for the account itself, `SLOT=0x...` for one of its slots.
        accounts: those the files hold.

    Raises:
        InvalidInputError: one belongs to no account of the files; it would be of no use, unseen.
    """
    found = {}
    for one in given:
        slot, _, address = one.rpartition("=")
        name = f"{account}/{slot}" if slot else account
        if name not in accounts:
            held = ", ".join(sorted(accounts)) or "none"
            raise InvalidInputError("wallet", f"{name!r} is no account of the files", held)
        found[name] = address
    return found
