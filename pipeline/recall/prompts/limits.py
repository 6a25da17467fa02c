"""How much a prompt contains: what a door is given long before it makes one."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from afterword.pipeline.domain.patterns.ageing import UNPLAYED_DAYS

if TYPE_CHECKING:  # pydantic: loaded by who reads the settings
    from afterword.pipeline.settings import Settings

MAX_CHARS: Final = 8_000
"""Characters of a snapshot: twice R1's number, for users who write long sentences."""


@dataclass(frozen=True, slots=True)
class BriefLimits:
    """How much a brief may contain, and how long a starting agent waits for one.

    Args:
        max_entries: entries shown.
        max_chars: characters of the rendered block.
        timeout_s: seconds.
        unplayed_days: see `Ageing`.
    """

    max_entries: int = 50
    max_chars: int = 10_000
    timeout_s: float = 5.0
    unplayed_days: int = UNPLAYED_DAYS


def limits_of(settings: "Settings") -> BriefLimits:
    """Return the limits of a brief that the settings name."""
    return BriefLimits(
        settings.brief_max_entries,
        settings.brief_max_chars,
        settings.brief_timeout_s,
        settings.pattern_unplayed_days,
    )
