"""A fact, the decisions about it, and how far its origin is trusted."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

FactState = Literal["pending", "settled", "retired"]
"""`pending`: waits for the pass. `settled`: readers see it. `retired`: another fact replaces it.
No fact is removed."""

EventKind = Literal["settled", "retired", "superseded", "kept", "refused", "undone"]
"""`retired`: the older statement replaced a restatement. `superseded`: a newer statement replaced
an older one. `kept`: a judge left both. `refused`: a rule overruled a judge."""

DecidedBy = Literal["rule", "judge", "owner"]

FACT_SOURCE: Final = "agent_recorded"
"""The provenance of a fact that an agent recorded (R1)."""

CHAT_SOURCE: Final = "chat_extracted"
"""The provenance of a fact that the user stated in a chat (R1)."""

FactSource = Literal["agent_recorded", "chat_extracted"]
"""The provenance of every fact of this layer."""

MAX_FACT: Final = 2_000
"""Characters of a fact: one statement, and one line of a prompt."""

TRUST: Final[Mapping[str, int]] = {"web": 0, "import": 1, "tool": 1, "agent": 2, "system": 2}
"""Trust in an origin: text of a web page never replaces the agent's own."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact as it is read; moments are aware UTC.

    Args:
        id: its memory's.
        version: rises with every change; a decision made on an older one is refused.
        said_at: when it was last stated, by itself or by a restatement.
        retired_by: id of the fact that replaces it.
    """

    id: int
    uid: str
    content: str
    origin: str
    state: FactState
    version: int
    known_at: datetime
    said_at: datetime
    retired_by: int | None


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A fact as a reader sees it; it never changes, so a read of the past returns the same."""

    id: int
    uid: str
    content: str
    origin: str
    known_at: datetime


@dataclass(frozen=True, slots=True)
class Event:
    """One decision about a fact.

    Args:
        memory_id: the fact it is about: the one retired or kept.
        other_id: the fact that replaces it, or it was compared with.
        version: the fact's version after it.
        detail: a fixed reason, and the numbers it was decided on.
        said: the judge's own reason; it may quote facts.
        undone: whether a later event undid it.
    """

    id: int
    at: datetime
    kind: EventKind
    memory_id: int
    other_id: int | None
    version: int
    decided_by: DecidedBy
    undoes: int | None
    detail: Mapping[str, Any]
    said: str
    undone: bool


@dataclass(frozen=True, slots=True)
class NewEvent:
    """One decision to be recorded; fields as in `Event`."""

    kind: EventKind
    memory_id: int
    other_id: int | None
    version: int
    decided_by: DecidedBy
    detail: Mapping[str, Any]
    said: str = ""
    undoes: int | None = None


def is_as_trusted(origin: str, other: str) -> bool:
    """Return whether text of one origin may replace text of another."""
    return TRUST[origin] >= TRUST[other]
