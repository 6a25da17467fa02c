"""The portrait: all that is known of the user, for the owner and for prompts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.memory import rows as memory_rows
from afterword.pipeline.domain.memory.model import Memory
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.profile.financial_profile import profile_at, prompt_families
from afterword.pipeline.domain.profile.model import FinancialProfile, UserTag
from afterword.pipeline.domain.profile.observed import comparisons
from afterword.pipeline.domain.profile.tags import declared_tags, tags_at
from afterword.pipeline.rules.user_tags.compared import TagComparison

PERSONALIZATION: Final = "personalization"
"""The category of memories about the user (R3)."""

RECENT_MEMORIES: Final = 20
"""Memories about the user in a portrait, the newest."""


@dataclass(frozen=True, slots=True)
class UserTraits:
    """What is declared, concluded and observed of the user.

    Args:
        tags: of each dimension and source, the one that counts first.
        prompt_families: of the flag of the custom prompt; empty for one that prompts may show.
        observed: what trades say beside what the owner declared.
    """

    profile: FinancialProfile
    prompt_families: tuple[str, ...]
    tags: Sequence[UserTag]
    observed: Sequence[TagComparison]


@dataclass(frozen=True, slots=True)
class Portrait:
    """What `profile show` shows: the traits, and the newest memories about the user."""

    traits: UserTraits
    memories: Sequence[Memory]


def read_portrait(
    store: Store, now: datetime, as_of: datetime | None = None, most: int = RECENT_MEMORIES
) -> Portrait:
    """Return the portrait as its owner sees it, now or as of a moment.

    Args:
        now: the present; of a read of the past the moment is.
        most: memories.

    Raises:
        InvalidInputError: a moment without time zone, or one that was purged.
    """
    with reading(store) as conn:
        at = read_moment(conn, as_of)
        memories = memory_rows.recent(conn, PERSONALIZATION, most, at)
        return Portrait(traits_at(conn, as_of or now, at), memories)


def traits_at(conn: Connection, now: datetime, as_of: int | None) -> UserTraits:
    """Return the traits of the user, now or as of a moment (microseconds).

    Args:
        now: until when trades are looked at.
    """
    tags = tags_at(conn, as_of)
    return UserTraits(
        profile_at(conn, as_of),
        prompt_families(conn, as_of),
        tags,
        comparisons(conn, now, as_of, declared_tags(tags)),
    )
