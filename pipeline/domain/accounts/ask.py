"""What the venue knows of an address: its role, and its sub-accounts."""

from collections.abc import Mapping
from typing import Any, Final

from afterword.pipeline.domain.accounts.checks import is_address
from afterword.pipeline.domain.accounts.model import AddressRole, SubAccount
from afterword.pipeline.gateway.http.model import AskFailedError
from afterword.pipeline.gateway.venue.info import VenueInfo
from afterword.pipeline.gateway.venue.model import InfoRequest

MOST_SUB_ACCOUNTS: Final = 1_000
_SUB_ACCOUNT_BYTES: Final = 65_536
"""A sub-account's part of a reply holds its positions and balances; bytes."""


def role_of(venue: VenueInfo, address: str) -> AddressRole:
    """Return what the venue says of an address.

    Raises:
        AskFailedError: no usable reply; see `HyperliquidInfo.ask` for the others.
    """
    reply: Any = venue.ask(InfoRequest("userRole", {"user": address}, 1))
    role = reply.get("role") if isinstance(reply, Mapping) else None
    if role in ("missing", "user", "vault"):
        return AddressRole(role)
    if role == "agent":
        return AddressRole("agent", _address(reply, "user"))
    if role == "subAccount":
        return AddressRole("subAccount", _address(reply, "master"))
    raise AskFailedError("Hyperliquid sent a role that is not known; try again later")


def sub_accounts_of(venue: VenueInfo, address: str) -> tuple[SubAccount, ...]:
    """Return the sub-accounts of an address, in the venue's order.

    Raises:
        AskFailedError: no usable reply; see `HyperliquidInfo.ask` for the others.
    """
    fields = {"user": address}
    request = InfoRequest("subAccounts", fields, MOST_SUB_ACCOUNTS, _SUB_ACCOUNT_BYTES)
    reply: Any = venue.ask(request)
    if reply is None:
        return ()
    if not isinstance(reply, list):
        raise AskFailedError("Hyperliquid sent no list of sub-accounts; try again later")
    return tuple(map(_sub_account, reply))


def _sub_account(row: Any) -> SubAccount:
    name = row.get("name") if isinstance(row, Mapping) else None
    if not isinstance(name, str) or not name.isprintable():
        raise AskFailedError("Hyperliquid sent a sub-account without a name; try again later")
    return SubAccount(name[:64], _address({"data": row}, "subAccountUser"))


def _address(reply: Mapping[str, Any], field: str) -> str:
    data = reply.get("data")
    address = data.get(field) if isinstance(data, Mapping) else None
    if not isinstance(address, str) or not is_address(address):
        raise AskFailedError(f"Hyperliquid sent no address as {field}; try again later")
    return address.lower()
