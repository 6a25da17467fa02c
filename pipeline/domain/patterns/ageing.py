"""When a failing pattern ages: nobody makes such decisions any more, so nothing tests it.

An agent that heeds a lesson ends its evidence. What was true of another market must not be told for
ever: after a while the pattern says since when it is untested, then it leaves the default prompts.
It stays confirmed, so the first such decision that is measured brings it back.
"""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:  # a door that passes the days on needs no pattern
    from afterword.pipeline.domain.patterns.model import Pattern

UNPLAYED_DAYS: Final = 180
"""Days without a decision of its kind after which a failing pattern leaves the default prompts."""

_SAID_AT: Final = 2
"""It says that it is untested from this part of that time on, a half."""


class Ageing(NamedTuple):
    """How old patterns are at a moment.

    Args:
        at: the moment that a prompt is for; aware UTC.
        days: after how many days without a decision a failing pattern leaves the default prompts.
    """

    at: datetime
    days: int = UNPLAYED_DAYS

    def has_left(self, pattern: "Pattern") -> bool:
        """Return whether a pattern is told no more by default."""
        return self._unplayed(pattern) > timedelta(days=self.days)

    def words(self, pattern: "Pattern") -> str:
        """Return that nobody makes such decisions any more, and since when; else nothing."""
        unplayed = self._unplayed(pattern)
        if unplayed <= timedelta(days=self.days) / _SAID_AT:
            return ""
        return (
            f"No such decision in the last {unplayed.days:,} days: untested since then, and told by"
            f" default for {self.days:,} days only."
        )

    def _unplayed(self, pattern: "Pattern") -> timedelta:
        last_at = pattern.numbers.last_at
        if pattern.side != "failing" or last_at is None:
            return timedelta(0)
        return self.at - last_at
