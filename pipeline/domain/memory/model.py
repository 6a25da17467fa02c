"""A memory, and the closed vocabularies of its fields.

Two vocabularies share one list of categories. R1's are `preference`, `observation`,
`trade_outcome`, `lesson`, `personalization`, `alert`, `reference` and `fact`; R4's types are
`preference`, `fact`, `instruction`, `context` and `correction`. A typed entry's category is its
type, so the list is their union, and `preference` or `fact` may be typed or not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal

TYPES: Final = ("preference", "fact", "instruction", "context", "correction")
"""Kinds of a typed entry (R4)."""

MEMORY_CATEGORIES: Final = (
    *("preference", "observation", "trade_outcome", "lesson", "personalization", "alert"),
    *("reference", "fact", "instruction", "context", "correction"),
)
"""Every category there is (R1 and R4)."""

DEFAULT_CATEGORY: Final = "observation"
"""Category of what the owner writes without one: kept and found, and no rule for the agent."""

BEHAVIORAL: Final = frozenset({"preference", "instruction", "correction"})
"""Categories that influence how the agent acts, typed or not; a brief marks them (R4)."""

SOURCES: Final = (
    *("user_manual", "user_explicit", "learned_preference", "inferred", "chat_extracted"),
    "agent_recorded",
)
"""Provenance an operator sees (R1); most rows have no source."""

OWNER_SOURCES: Final = frozenset({"user_manual", "user_explicit"})
"""Sources that claim the owner's own words; only the owner's door sets them."""

ORIGINS: Final = ("owner", "agent", "tool", "web", "import", "system")
"""Where the words came from; derived rows inherit it."""

Actor = Literal["owner", "agent", "system"]
"""Who acts, as the audit log names them; a door sets it, never its caller."""


@dataclass(frozen=True, slots=True)
class NewMemory:
    """A memory to be written.

    Args:
        category: one of `MEMORY_CATEGORIES`.
        content: the text; up to 100,000 characters, 2,000 where `type` is set.
        metadata: a JSON object stored as it is; nothing in it is trusted.
        source: one of `SOURCES`, or None.
        origin: one of `ORIGINS`.
        type: one of `TYPES` for a typed entry, then equal to `category`.
        tags: up to 10 of up to 50 characters.
        session_id: uid of the session it was said in, never the handle, which is a key; the session
            of its `Writer` overrides it.
        occurred_at: when it happened, if known; aware.
        scenario_id: the scenario it belongs to, set by the system, never read from text.
        parents: ids of the memories it was derived from; it goes stale with any of them.
    """

    category: str
    content: str
    metadata: dict[str, Any] = field(default_factory=dict)
    source: str | None = None
    origin: str = "agent"
    type: str | None = None
    tags: Sequence[str] = ()
    session_id: str | None = None
    occurred_at: datetime | None = None
    scenario_id: str | None = None
    parents: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class MemoryIds:
    """The ids of a new row: `id` inside the store, `uid` outside."""

    id: int
    uid: str


@dataclass(frozen=True, slots=True)
class SameWords:
    """An earlier rule with the words of a new one.

    Args:
        stands: which of the two rows stands: `this`, the new one, the `other` one, which is more
            trusted, or `both`, where each is more trusted in some respect.
    """

    id: int
    uid: str
    stands: Literal["this", "other", "both"]


@dataclass(frozen=True, slots=True)
class WrittenMemory:
    """The ids of a new row.

    Args:
        same_as: the rule with the same words that stood before; None if there was none.
        flagged: families of injections that its words look like.
    """

    id: int
    uid: str
    same_as: SameWords | None
    flagged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Memory:
    """A memory as read; moments are aware UTC.

    In a read as of a moment its fields are those of that moment; `superseded_by`, `embedding_state`
    and `embedding_error` are None there, since their earlier values are not stored.

    Args:
        behavioral: whether it influences how the agent acts; derived from the category.
        known_at: when this store learned it.
        deleted_at: since when it is deleted, if it is.
        superseded_by: id of the row that replaced it.
        stale_at: since when one of its parents is no longer visible.
        embedding_state: `pending`, `embedded`, `failed` or `skipped`; None in a read of the past.
        embedding_error: why embedding failed.
        flagged: families of injections that its words look like, unless its owner cleared the flag;
            as of now, also in a read of the past.
    """

    id: int
    uid: str
    category: str
    content: str
    metadata: dict[str, Any]
    source: str | None
    origin: str
    type: str | None
    behavioral: bool
    tags: tuple[str, ...]
    session_id: str | None
    scenario_id: str | None
    occurred_at: datetime | None
    known_at: datetime
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None
    superseded_by: int | None
    superseded_at: datetime | None
    stale_at: datetime | None
    embedding_state: str | None
    embedding_error: str | None
    flagged: tuple[str, ...] = ()

    @property
    def is_said_by_owner(self) -> bool:
        """Whether these are the owner's own words, which an agent may not replace or delete."""
        return self.origin == "owner" or self.source in OWNER_SOURCES
