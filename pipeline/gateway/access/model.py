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


PageRole = Literal["owner", "observer"]

PAGE_ROLES: Final = ("owner", "observer")
"""Roles that look at pages; an agent does not."""


@dataclass(frozen=True, slots=True)
class PageSession:
    """A browser that may look at the pages, or the link that will open one.

    Args:
        id: the row's primary key.
        token_id: of the token that was typed in; None if a link opened it.
        opened_at: None while nobody has used its link.
        seen_at: of its last request, to the minute.
        ended_at: when it was ended by somebody; it may have ended by itself without one.
    """

    id: int
    role: PageRole
    token_id: int | None
    made_at: datetime
    opened_at: datetime | None
    seen_at: datetime | None
    ended_at: datetime | None

    @property
    def called(self) -> str:
        """Who it is, in words."""
        token = "" if self.token_id is None else f", token {self.token_id}"
        return f"{self.role} (browser {self.id}{token})"


@dataclass(frozen=True, slots=True)
class PageAction:
    """What was done on a page.

    Args:
        by: who did it, in words.
        action: the method-less path of its form, such as `/jobs/7/retry`.
        outcome: None while it runs, or if it was cut off.
        words: what the page said about it.
    """

    id: int
    session_id: int
    by: str
    group: str
    action: str
    began_at: datetime
    outcome: Literal["done", "refused", "failed"] | None
    words: str
