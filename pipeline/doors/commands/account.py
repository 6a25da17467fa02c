"""`afterword account`: the accounts at venues that are the owner's, or that it compares with."""

from contextlib import closing
from typing import Annotated

import typer

from afterword.pipeline.domain.accounts.add import add_account
from afterword.pipeline.domain.accounts.model import AccountKind
from afterword.pipeline.domain.accounts.read import list_accounts, show_account
from afterword.pipeline.domain.accounts.remove import remove_account
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import AsOf
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.venue.build import build_info
from afterword.pipeline.views.trades.accounts import (
    account_added,
    account_list,
    account_page,
    account_removed,
)

app = section("Name the accounts at venues that are yours.")

Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of the account, as `ls` shows it.")]


@app.command()
def add(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What its trades are to carry.")],
    address: Annotated[
        str,
        typer.Argument(metavar="ADDRESS", help="Public address at Hyperliquid, never a key."),
    ],
    own: Annotated[bool, typer.Option("--own", help="You trade it.")] = False,
    reference: Annotated[
        bool, typer.Option("--reference", help="You only want to compare with it.")
    ] = False,
) -> None:
    """Add an account, once Hyperliquid has said what its address is.

    Example: afterword account add main 0x… --own
    """
    if own == reference:
        raise InvalidInputError("own", "must be given, or --reference", "one of the two")
    kind: AccountKind = "own" if own else "reference"
    call = Call(ctx)
    stores = call.stores(create=True)
    store = stores.group(call.settings.group, create=True)
    with closing(build_info(call.settings, stores.instance, call.roots.clock, "accounts")) as venue:
        added = add_account(store, venue, name, address, kind, call.roots.clock)
    call.answer(added, lambda: account_added(added))


@app.command("ls")
def list_(ctx: typer.Context, as_of: AsOf = None) -> None:
    """List the accounts by name.

    Example: afterword account ls
    """
    call = Call(ctx)
    accounts = list_accounts(call.store(), read_moment(as_of, "as_of"))
    call.answer(accounts, lambda: account_list(accounts))


@app.command()
def show(ctx: typer.Context, name: Name) -> None:
    """Show one account.

    Example: afterword account show main
    """
    call = Call(ctx)
    account = show_account(call.store(), name)
    call.answer(account, lambda: account_page(account))


@app.command("rm")
def remove(ctx: typer.Context, name: Name) -> None:
    """Ask nothing more of an account; what was mirrored of it stays.

    Example: afterword account rm main
    """
    call = Call(ctx)
    remove_account(call.store(), name, call.roots.clock)
    call.answer({"name": name, "removed": True}, lambda: account_removed(name))
