"""A tag of the user, and the row of the profile."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from afterword.pipeline.rules.user_tags.schema import TAG_SOURCES, TagSource, tag_label


@dataclass(frozen=True, slots=True)
class UserTag:
    """What one source says of one dimension.

    Args:
        value: as it is stored: one of the values of the dimension, or a JSON array of markets.
        since: from when on it counts.
        superseded_at: when another value of the same source took its place, or it was cleared.
    """

    dimension: str
    value: str
    source: TagSource
    since: datetime
    superseded_at: datetime | None = None

    @property
    def label(self) -> str:
        """Return what the value is called."""
        return tag_label(self.dimension, self.value)

    @property
    def rank(self) -> int:
        """Return the place of its source: the smallest counts."""
        return TAG_SOURCES.index(self.source)


@dataclass(frozen=True, slots=True)
class FinancialProfile:
    """The profile of the user, with the names of R3.

    Args:
        platform_wallet_summary: what was traded, in a paragraph; `reference_wallets_summary`
            likewise of wallets that the owner compares with.
        reference_wallets_json: addresses of these.
        custom_prompt: what the owner tells every agent; its lines are kept.
        include_memories: whether prompts show what is remembered of the user;
            `include_trading_summary` and `include_tags` likewise.
        trading_summary_updated_at: when the summaries were written; apart from `updated_at`.
        onboarding_completed_at: when the owner first answered.
        created_at: of the first row; `updated_at` of this one. None where nothing was set.
    """

    platform_wallet_summary: str | None = None
    reference_wallets_summary: str | None = None
    reference_wallets_json: tuple[str, ...] = ()
    custom_prompt: str | None = None
    include_memories: bool = True
    include_trading_summary: bool = True
    include_tags: bool = True
    trading_summary_updated_at: datetime | None = None
    onboarding_completed_at: datetime | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    superseded_at: datetime | None = None


UNSET_PROFILE: Final = FinancialProfile()
"""The profile before anything was set: everything is shown."""
