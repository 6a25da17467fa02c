"""`afterword account`: the accounts at venues that are the owner's, or that it compares with."""

from contextlib import closing
from typing import Annotated

import typer

from afterword.pipeline.domain.accounts.add import add_account
from afterword.pipeline.domain.accounts.add_exchange import add_exchange_account
from afterword.pipeline.domain.accounts.model import VENUE, AccountKind, AddedAccount
from afterword.pipeline.domain.accounts.read import list_accounts, show_account
from afterword.pipeline.domain.accounts.remove import remove_account
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import AsOf
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.exchanges.build import Exchanges
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
        str | None,
        typer.Argument(metavar="ADDRESS", help="Public address at Hyperliquid, never a key."),
    ] = None,
    venue: Annotated[
        str, typer.Option(help="hyperliquid, or binance, bybit, okx, kraken by a key.")
    ] = VENUE,
    market: Annotated[
        list[str] | None,
        typer.Option(metavar="BASE/QUOTE", help="Spot market at Binance; repeat it for more."),
    ] = None,
    own: Annotated[bool, typer.Option("--own", help="You trade it.")] = False,
    reference: Annotated[
        bool, typer.Option("--reference", help="You only want to compare with it.")
    ] = False,
) -> None:
    """Add an account, once its venue has said what its address or its key is.

    A key stands in the environment: AFTERWORD_EXCHANGE_NAME_KEY and _SECRET.

    Example: afterword account add main 0x… --own

    Example: afterword account add spot --venue binance --market BTC/USDT --own
    """
    if own == reference:
        raise InvalidInputError("own", "must be given, or --reference", "one of the two")
    kind: AccountKind = "own" if own else "reference"
    is_public = venue.lower() == VENUE
    if is_public != (address is not None):
        problem = "must be given" if is_public else f"must not be given for {venue!a:.40}"
        raise InvalidInputError("address", problem, "an address at Hyperliquid, a key elsewhere")
    if not is_public and reference:
        raise InvalidInputError("reference", "must have a public address", f"--venue {VENUE}")
    call = Call(ctx)
    if address is None:
        added = _add_exchange(call, venue, name, market or [])
    else:
        if market:
            problem = "must not be named for Hyperliquid, which tells all of them"
            raise InvalidInputError("market", problem, "no --market")
        added = _add_public(call, name, address, kind)
    call.answer(added, lambda: account_added(added))


def _add_public(call: Call, name: str, address: str, kind: AccountKind) -> AddedAccount:
    stores, clock = call.stores(create=True), call.roots.clock
    store = stores.group(call.settings.group, create=True)
    with closing(build_info(call.settings, stores.instance, clock, "accounts")) as info:
        return add_account(store, info, name, address, kind, clock)


def _add_exchange(call: Call, venue: str, name: str, markets: list[str]) -> AddedAccount:
    stores, clock = call.stores(create=True), call.roots.clock
    store = stores.group(call.settings.group, create=True)
    exchanges = Exchanges(call.settings, stores.instance, clock)
    return add_exchange_account(store, exchanges, venue, name, markets, clock)


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
