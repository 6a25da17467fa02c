"""A token, and what its role may do."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal

CallerRole = Literal["agent", "owner", "observer"]

CALLER_ROLES: Final = ("agent", "owner", "observer")
"""An agent has the tools of one group, the owner everything, an observer every read."""


@dataclass(frozen=True, slots=True)
class AccessToken:
    """A token of the network door.

    Args:
        id: the row's primary key.
        group: of an agent; None for the owner and observers, who name a group with each request.
        label: what its owner calls it; masked.
    """

    id: int
    role: CallerRole
    group: str | None
    label: str
    issued_at: datetime
    revoked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A new token, with its text, which is returned only here."""

    token: AccessToken
    text: str = field(repr=False)
