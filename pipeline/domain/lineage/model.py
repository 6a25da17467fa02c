"""One thing in the store, and what it comes from."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple, Protocol

from sqlalchemy import Connection

PRESENT_KINDS: Final = ("tag", "profile", "portrait")
"""Kinds whose names mean what is so at a moment, such as `tag:risk`: it is now for who asks."""


class Cause(NamedTuple):
    """Something that a thing comes from.

    Args:
        how: how it led there, such as `derived from`.
        kind: of thing, such as `memory`; readers of this kind know it.
        key: its name inside the store.
        at: when it led there, where the key names something that lasts, such as a session; UTC
            microseconds.
    """

    how: str
    kind: str
    key: str | int
    at: int | None = None


@dataclass(frozen=True, slots=True)
class LineageStep:
    """A thing, as its room describes it.

    Args:
        name: as commands take it, such as `memory 12`.
        says: its words or figures; empty from a room that only adds causes to another room's thing.
        at: when it became known; aware UTC.
        causes: what it comes from.
    """

    name: str = ""
    says: str = ""
    at: datetime | None = None
    causes: Sequence[Cause] = ()


class ReadLineageStep(Protocol):
    """Reads a thing of one kind."""

    def __call__(self, conn: Connection, key: str | int, at: int | None, /) -> LineageStep | None:
        """Return it; None if there is none of this name."""
