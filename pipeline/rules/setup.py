"""The setup of a decision: its direction, and the move of the market before it.

Below the rooms: `market` measures by it, and `evidence` counts by it.
"""

from typing import Final, Literal, get_args

Direction = Literal["long", "short"]
"""The claim of a decision: the price rises or falls."""

Trend = Literal["down", "flat", "up"]
"""The move before a decision, over the length of its window: beyond the band down, inside, up."""

TRENDS: Final[tuple[Trend, ...]] = get_args(Trend)
