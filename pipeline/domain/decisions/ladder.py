"""The ladder of a decision: the windows it is measured at, and when it is looked at next."""

from collections.abc import Container, Sequence
from functools import cache
from typing import Final, NamedTuple

from afterword.pipeline.domain.decisions.lateness import HOUR
from afterword.pipeline.domain.outcomes.model import LADDER_HOURS
from afterword.pipeline.domain.skills import PeerRelative, PriceDelta, Role

RETRY_AFTER: Final = 6 * HOUR
"""How soon a window that could not be measured is tried again if no new prices come earlier."""

PATIENCE: Final = 30 * 24 * HOUR
"""How long after its end a window is tried again; from then on only new prices make it due."""


class NextLook(NamedTuple):
    """When a decision is to be measured next.

    Args:
        at: microseconds; None if only new prices can make it due, or nothing is left.
        missing: windows that passed without an outcome; count.
    """

    at: int | None
    missing: int


def windows_of(role: Role | None) -> tuple[int, ...]:
    """Return the windows that decisions of a role are measured at: the ladder and its own; hours.

    Args:
        role: None if no skill declares it any more.
    """
    return _with_own(own_window(role))


def own_window(role: Role | None) -> int | None:
    """Return the window by which prices judge a role; None if they do not."""
    probe = None if role is None else role.reflection_policy.outcome_probe
    return probe.window_hours if isinstance(probe, PriceDelta | PeerRelative) else None


def windows_beside_reflection(role: Role | None) -> tuple[int, ...]:
    """Return the windows of `windows_of` that no reflection of the role measures; hours.

    Its own is left to the reflection while a decision waits for that: both must read the same
    prices.
    """
    return _without(windows_of(role), own_window(role))


def next_look(
    entered_at: int, windows: Sequence[int], measured: Container[int], now: int
) -> NextLook:
    """Return when a decision is to be measured next, after what could be measured was.

    Args:
        entered_at: its entry, or the decision where that is not known; microseconds, as `now`.
        measured: the windows that have an outcome; hours.
    """
    missing, is_tried, at = 0, False, None
    for hours in windows:
        if hours in measured:
            continue
        end = entered_at + hours * HOUR
        if end <= now:
            missing += 1
            is_tried |= end + PATIENCE > now
        elif at is None or end < at:
            at = end
    if is_tried:
        at = now + RETRY_AFTER if at is None else min(at, now + RETRY_AFTER)
    return NextLook(at, missing)


@cache
def _without(windows: tuple[int, ...], own: int | None) -> tuple[int, ...]:
    return tuple(hours for hours in windows if hours != own)


@cache
def _with_own(own: int | None) -> tuple[int, ...]:
    return LADDER_HOURS if own is None else tuple(sorted({*LADDER_HOURS, own}))
