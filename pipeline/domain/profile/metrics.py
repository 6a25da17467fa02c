"""Metrics of the profiles of all groups: how many tags there are, never which."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.core.telemetry.numbers import Values
from afterword.pipeline.domain.profile import profile_rows, tag_rows
from afterword.pipeline.rules.user_tags.schema import TAG_SOURCES


class ProfileCounts(NamedTuple):
    """Tags of a group by source (counts), and whether its user answered the onboarding."""

    tags: Counter[str]
    is_onboarded: bool


class ProfileNumbers:
    """Reads what is known of the user of a group; see `GroupNumbers`."""

    def __init__(self, process: object) -> None:
        del process

    def read(self, conn: Connection) -> ProfileCounts:
        """Return the numbers of a group."""
        row = profile_rows.current(conn)
        is_onboarded = row is not None and row.profile.onboarding_completed_at is not None
        return ProfileCounts(Counter(tag.source for tag in tag_rows.current(conn)), is_onboarded)

    def sums(
        self, present: Sequence[ProfileCounts], gone: Sequence[ProfileCounts], now: datetime, /
    ) -> dict[str, Values]:
        """Return the numbers by metric."""
        del gone, now
        return {
            "afterword_profile_tags": {
                (source,): sum(counts.tags[source] for counts in present) for source in TAG_SOURCES
            },
            "afterword_profile_onboarded_groups": {
                (): sum(counts.is_onboarded for counts in present)
            },
        }
