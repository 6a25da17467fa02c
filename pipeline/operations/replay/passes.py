"""When the passes of a replay are: fixed moments of simulated time, whatever the slices.

A pass does what the schedule does live: measure, reflect, weigh, synthesise, audit. It is half an
hour after each slot of the live synthesis, later than all that the schedule may be late by.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from afterword.pipeline.rules.market.windows import DAY_US

_MINUTE_US: Final = 60_000_000
"""A minute in microseconds."""

EVERY_US: Final = DAY_US // 4
"""Time between two passes: that of two passes of the synthesis (R5); microseconds."""

OFFSET_US: Final = 30 * _MINUTE_US
"""How long after 00:00, 06:00, 12:00 and 18:00 UTC a pass is; microseconds."""

_MICROSECOND: Final = timedelta(microseconds=1)

LINK_US: Final = 30 * DAY_US
"""The span of one link of the chain of digests, counted from 1970; microseconds."""


def pass_at_or_before(moment: int) -> int:
    """Return the last pass that is not after a moment; microseconds."""
    return (moment - OFFSET_US) // EVERY_US * EVERY_US + OFFSET_US


def first_pass_from(moment: int) -> int:
    """Return the first pass that is not before a moment; microseconds."""
    return pass_at_or_before(moment + EVERY_US - 1)


def passes(after: int, until: int) -> Iterator[int]:
    """Yield the passes after a moment, up to another one; microseconds."""
    at = pass_at_or_before(after) + EVERY_US
    while at <= until:
        yield at
        at += EVERY_US


def is_first_of(at: int, span: timedelta) -> bool:
    """Say whether a pass is the first one of its span, where spans are counted from 1970."""
    return at % (span // _MICROSECOND) < EVERY_US


def is_first_of_link(at: int) -> bool:
    """Say whether a pass is the first one of its link, which looks for seeds."""
    return at % LINK_US < EVERY_US


def link_of(moment: int) -> int:
    """Return the number of the link that a moment is in."""
    return moment // LINK_US
