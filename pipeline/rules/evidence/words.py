"""Words of the evidence rules that several texts share."""

from typing import Final

from afterword.pipeline.rules.evidence.model import Setup
from afterword.pipeline.rules.setup import Trend

_DIRECTIONS: Final = {"long": "longs", "short": "shorts"}
_TRENDS: Final = {
    "down": "after a fall beyond the band",
    "flat": "after no clear move",
    "up": "after a rise beyond the band",
}

MOVES: Final[dict[Trend, str]] = {"down": "a fall", "flat": "no clear move", "up": "a rise"}
"""The move before a decision, in short."""

_SEEN_HALF: Final = 60
_SEEN_THIRD: Final = 125
"""Stretches by which a flaw of a whole setup is found, if it turns half or a third of the hits.
Measured: 66-75 % are found by the first, 55 % of those of 30 % by the second."""

SEEN_BY: Final = (
    f"A flaw that turns half of a setup's hits into misses shows after about {_SEEN_HALF} "
    f"stretches of it, one that turns a third after about {_SEEN_THIRD}."
)
"""What a record of some length would show."""


def setup_name(setup: Setup) -> str:
    """Return the words for a setup: "longs after a rise beyond the band"."""
    return f"{_DIRECTIONS[setup.direction]} {_TRENDS[setup.trend]}"
