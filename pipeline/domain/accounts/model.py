"""An account at a venue, and what the venue says of an address."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

AccountKind = Literal["own", "reference"]
"""Whether the owner trades it, or only wants to compare with it."""

AccountRole = Literal["user", "vault", "subAccount"]
"""What the venue calls an address that can hold trades."""

VENUE: Final = "hyperliquid"
"""The venue whose accounts are public; those of all others need a key."""


@dataclass(frozen=True, slots=True)
class Account:
    """An account whose trades are mirrored.

    Args:
        name: inside this store; its fills carry it.
        venue: short name in small letters.
        address: public, in small letters; of an exchange the venue and its number of the account:
            `binance:123`.
        master: the address that a sub-account belongs to.
        paused_at: since when the venue is not asked for it; None if it is.
        markets: spot markets to ask for, of a venue that tells of one at a time.
    """

    name: str
    venue: str
    address: str
    kind: AccountKind
    role: AccountRole
    master: str | None
    added_at: datetime
    paused_at: datetime | None = None
    removed_at: datetime | None = None
    markets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SubAccount:
    """A sub-account that the venue has of an address."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class AddressRole:
    """What the venue says of an address.

    Args:
        role: `missing` for one that never did anything there; `agent` for a wallet that may only
            sign for another address.
        master: of an agent or a sub-account, the address that it works for.
    """

    role: Literal["missing", "agent"] | AccountRole
    master: str | None = None


@dataclass(frozen=True, slots=True)
class TradingRole:
    """What the venue says of an address that can hold trades; see `AddressRole`."""

    role: AccountRole
    master: str | None


@dataclass(frozen=True, slots=True)
class AddedAccount:
    """What adding an account did.

    Args:
        is_new: whether it was added now; False if it was there already.
        sub_accounts: of its address, those that are not added.
    """

    account: Account
    is_new: bool
    sub_accounts: tuple[SubAccount, ...] = ()
