"""Add an account, once the venue has said what its address is."""

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.accounts import rows
from afterword.pipeline.domain.accounts.ask import sub_accounts_of
from afterword.pipeline.domain.accounts.checks import checked_address, checked_name
from afterword.pipeline.domain.accounts.known_role import trading_role
from afterword.pipeline.domain.accounts.model import (
    VENUE,
    Account,
    AccountKind,
    AddedAccount,
    SubAccount,
)
from afterword.pipeline.domain.accounts.one_name import check_one_name
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.model import Actor
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.venue.info import VenueInfo


def add_account(
    store: Store,
    venue: VenueInfo,
    name: str,
    address: str,
    kind: AccountKind,
    clock: Clock,
    actor: Actor = "owner",
) -> AddedAccount:
    """Add an account whose trades are to be mirrored; the same one again changes nothing.

    A wrong address answers every question with an empty list, so the venue is asked once what the
    address is.

    Raises:
        InvalidInputError: a bad name or address; a name or an address that is taken; an address
            that the venue never saw, or that only signs for another one.
        UnavailableError: the venue gave no usable reply; nothing was added.
    """
    name, address = checked_name(name), checked_address(address)
    with reading(store) as conn:
        known = known_account(conn, name, address, kind)
    if known is not None:
        return AddedAccount(known, is_new=False)
    role = trading_role(venue, address)
    subs = sub_accounts_of(venue, address) if role.role == "user" else ()
    with writing(store) as conn:
        # Another process may have added it since.
        known = known_account(conn, name, address, kind)
        if known is not None:
            return AddedAccount(known, is_new=False)
        now = clock()
        account = Account(name, VENUE, address, kind, role.role, role.master, now)
        row_id = rows.insert(conn, account)
        record(conn, now, actor, "account.add", "accounts", [ChangedRow(row_id)])
        return AddedAccount(account, is_new=True, sub_accounts=_not_added(conn, subs))


def known_account(
    conn: Connection, name: str, address: str, kind: AccountKind, venue: str = VENUE
) -> Account | None:
    """Return the account if it is there as it is asked for.

    Raises:
        InvalidInputError: its name or its address is another account's.
    """
    same_name = rows.named(conn, name)
    same_address = rows.at_address(conn, venue, address)
    if same_address is not None and (same_address.name, same_address.kind) != (name, kind):
        problem = f"must be new, and is the {same_address.kind} account {same_address.name}"
        raise InvalidInputError("address", problem, "another address; or remove that account first")
    if same_name is not None and same_name.address != address:
        problem = f"must be new, and {name} is {same_name.address}"
        raise InvalidInputError("name", problem, "another name; or remove that account first")
    if same_address is None and kind == "own":
        check_one_name(conn, name, address, venue)
    return same_address


def _not_added(conn: Connection, sub_accounts: tuple[SubAccount, ...]) -> tuple[SubAccount, ...]:
    return tuple(sub for sub in sub_accounts if rows.at_address(conn, VENUE, sub.address) is None)
