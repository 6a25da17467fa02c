"""Accounts at venues: what was added, what there is."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.domain.accounts.model import Account, AddedAccount, SubAccount
from afterword.pipeline.views.blocks import Fields, Paragraph, Table, View
from afterword.pipeline.views.words import moment

_COLUMNS: Final = ("name", "venue", "address", "kind", "role", "added")


def account_list(accounts: Sequence[Account]) -> View:
    """Return accounts below each other."""
    return View([Table(_COLUMNS, [[*_row(account)] for account in accounts], "no accounts yet")])


def account_page(account: Account) -> View:
    """Return what is known of an account."""
    fields = dict(zip(_COLUMNS, _row(account), strict=True))
    if account.master is not None:
        fields["master"] = account.master
    if account.markets:
        fields["markets"] = ", ".join(account.markets)
    return View([Fields(fields)])


def account_added(added: AddedAccount) -> View:
    """Return what adding an account did, and which of its sub-accounts could follow."""
    account = added.account
    state = "was added" if added.is_new else "was there already"
    kinds = {"own": "your account", "reference": "the reference account"}
    at = "" if account.venue in account.address else " at Hyperliquid"
    lines = [f"{account.name} {state}: {kinds[account.kind]} {account.address}{at}."]
    lines += map(_offer, added.sub_accounts)
    if account.venue == "binance" and not account.markets:
        lines.append("Its futures are mirrored. Spot markets are only if they are named: --market.")
    return View([Paragraph(line) for line in lines])


def account_removed(name: str) -> View:
    """Return that nothing more is asked of an account."""
    return View([Paragraph(f"{name} was removed. What was mirrored of it stays.")])


def _offer(sub: SubAccount) -> str:
    return (
        f"It has the sub-account {sub.name}, whose trades are its own: "
        f"afterword account add NAME {sub.address} --own"
    )


def _row(account: Account) -> list[str]:
    return [
        *(account.name, account.venue, account.address, account.kind, account.role),
        moment(account.added_at),
    ]
