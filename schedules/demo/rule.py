"""The demo's trading rule: follow a moving average, long or short."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

FAST: Final = 10
SLOW: Final = 30
"""Days of the two averages. This pair trades often enough for a demo."""


def wanted_side(closes: Sequence[Decimal]) -> int:
    """Return the wanted position from the next open on.

    Args:
        closes: all closes until today, today's last; USD.

    Returns:
        1 long while the fast average is above the slow one, -1 short while it is below, 0 if they
        are equal or there are fewer than `SLOW` closes.
    """
    if len(closes) < SLOW:
        return 0
    fast, slow = sum(closes[-FAST:]) * SLOW, sum(closes[-SLOW:]) * FAST
    return (fast > slow) - (fast < slow)
