"""`afterword history`: import fills of a trading account."""

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

app = section("Import trades.")


@app.command("import")
def import_(
    ctx: typer.Context,
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Fills as JSON of the venue's API.")
    ],
    account: Annotated[str, typer.Option(help="Name of the account; slots of a file go below it.")],
    wallet: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[SLOT=]0x...",
            help="Address of the account or of a slot, to recognise its own liquidations.",
        ),
    ] = None,
) -> None:
    """Store fills and the round trips that they close; a second import changes nothing."""
    call = Call(ctx)
    # Every file is checked before the first fill is stored.
    pages = [read_fills_file(file, account) for file in files]
    wallets = named_wallets(
        account, wallet or [], {fill.account for page in pages for fill in page}
    )
    store, settings = call.store(create=True), call.settings
    done = ImportCounts(0, 0)
    with progress() as report:
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
            report("files", number, len(pages))
    call.answer(
        done,
        lambda: print_fields(
            {name.replace("_", " "): getattr(done, name) for name in ImportCounts.__slots__}
        ),
    )


def named_wallets(account: str, given: Sequence[str], accounts: set[str]) -> dict[str, str]:
    """Return addresses by account.

    Args:
        account: the name above all accounts of the files.
        given: `0x...` for the account itself, `SLOT=0x...` for one of its slots.
        accounts: the accounts in the files.

    Raises:
        InvalidInputError: an address names an account that is not in the files.
    """
    wallets = {}
    for one in given:
        slot, _, address = one.rpartition("=")
        name = f"{account}/{slot}" if slot else account
        if name not in accounts:
            accepted = ", ".join(sorted(accounts)) or "none"
            raise InvalidInputError("wallet", f"{name!r} is not in the files", accepted)
        wallets[name] = address
    return wallets
