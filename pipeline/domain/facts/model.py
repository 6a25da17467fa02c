"""A fact, the decisions about it, and what consolidation may and may not touch."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

State = Literal["pending", "settled", "retired"]
"""A fact waits for the pass, stands, or gave way to another one. Nothing removes it."""

EventKind = Literal["settled", "retired", "superseded", "kept", "refused", "undone"]
"""`retired`: a restatement gave way to the older statement. `superseded`: the older one gave way
to the newer. `kept`: a judge left both. `refused`: a rule overruled a judge."""

DecidedBy = Literal["rule", "judge", "owner"]

SOURCE: Final = "agent_recorded"
"""The provenance of every fact of this layer (R1)."""

MAX_FACT: Final = 2_000
"""Characters of a fact: it is one statement, and a line of a prompt."""

TRUST: Final[Mapping[str, int]] = {"web": 0, "import": 1, "tool": 1, "agent": 2, "system": 2}
"""How far an origin is believed: the words of a page never make an agent's own give way."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact as it is read; moments are aware UTC.

    Args:
        id: its memory's.
        version: rises with every change of its state; a decision on an older one is refused.
        said_at: when it was last stated, by itself or by a restatement.
        retired_by: id of the fact that stands for it.
    """

    id: int
    uid: str
    content: str
    origin: str
    state: State
    version: int
    known_at: datetime
    said_at: datetime
    retired_by: int | None


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A fact as a reader sees it: nothing of it ever changes, so the past reads the same."""

    id: int
    uid: str
    content: str
    origin: str
    known_at: datetime


@dataclass(frozen=True, slots=True)
class Event:
    """One decision about a fact.

    Args:
        memory_id: the fact it is about: the one that gave way, or was kept.
        other_id: the one that stands for it, or it was compared with.
        version: the fact's version after it.
        detail: why, in a word of ours, and the numbers it was decided on.
        said: a judge's reason; it may quote what is remembered.
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
    """One decision to be written down; fields as in `Event`."""

    kind: EventKind
    memory_id: int
    other_id: int | None
    version: int
    decided_by: DecidedBy
    detail: Mapping[str, Any]
    said: str = ""
    undoes: int | None = None


def is_as_trusted(origin: str, other: str) -> bool:
    """Say whether words of one origin may stand for words of another."""
    return TRUST[origin] >= TRUST[other]
