"""The ladder of a decision: the windows it is measured at, and when it is looked at next."""

from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final, NamedTuple

from afterword.pipeline.domain.decisions.model import DecisionState
from afterword.pipeline.domain.outcomes.model import LADDER_HOURS, MeasuredVerdict
from afterword.pipeline.domain.skills import PeerRelative, PriceDelta, Role
from afterword.pipeline.rules.market.outcome import Stance
from afterword.pipeline.rules.market.windows import HOUR_US

RETRY_WINDOW_US: Final = 6 * HOUR_US
"""How soon a window that could not be measured is tried again if no new prices come earlier."""

PATIENCE_US: Final = 30 * 24 * HOUR_US
"""How long after its end a window is tried again; from then on only new prices make it due."""


class LadderDecision(NamedTuple):
    """A decision with an outcome that is due; moments in microseconds.

    Args:
        asset: as it is written.
        measure_at: when it was to be measured.
        inputs: a JSON object as text.
        stop_price: its own plan, as the next three; decimal text.
    """

    id: int
    role_id: str
    asset: str
    asset_key: str
    direction: Stance
    decided_at: int
    measure_at: int
    state: DecisionState
    inputs: str
    stop_price: str | None
    target_price: str | None
    size_usd: str | None
    leverage: str | None

    @property
    def plan(self) -> tuple[str | None, ...]:
        """Its own plan, as it is stored."""
        return self.stop_price, self.target_price, self.size_usd, self.leverage


@dataclass(frozen=True, slots=True)
class MeasuredBefore:
    """What was measured of a decision before.

    Args:
        entries: the entry by the present rules (microseconds), by window (hours).
        older: the verdict by the newest older rules, by window.
    """

    entries: dict[int, int] = field(default_factory=dict)
    older: dict[int, MeasuredVerdict] = field(default_factory=dict)


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
        end = entered_at + hours * HOUR_US
        if end <= now:
            missing += 1
            is_tried |= end + PATIENCE_US > now
        elif at is None or end < at:
            at = end
    if is_tried:
        at = now + RETRY_WINDOW_US if at is None else min(at, now + RETRY_WINDOW_US)
    return NextLook(at, missing)


@cache
def _without(windows: tuple[int, ...], own: int | None) -> tuple[int, ...]:
    return tuple(hours for hours in windows if hours != own)


@cache
def _with_own(own: int | None) -> tuple[int, ...]:
    return LADDER_HOURS if own is None else tuple(sorted({*LADDER_HOURS, own}))
