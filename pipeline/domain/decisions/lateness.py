"""Whether a decision was recorded in time: later, its maker may have seen a part of its outcome.

A late decision is measured and shown, and counts in no lesson and in no share. Exempt is what an
owner brings from files and trips, who answers for its moments, and a replay, whose decisions have
those of their input.
"""

from typing import Final

from afterword.pipeline.rules.market.windows import HOUR_US

LATE_PARTS: Final = 288
"""A decision is recorded too late after one part in so many of its window: 5 minutes of a day, 35
of a week. Measured: who records a coin's calls only after a good 24th of the window is right in
66 %, after a good 288th in 54 %."""


def is_too_long(waited: int, window_hours: int) -> bool:
    """Return whether a part of an outcome was known when its decision was recorded.

    Args:
        waited: from the decision to its record; microseconds.
    """
    return waited > window_hours * HOUR_US // LATE_PARTS


def is_late(recorded_by: str, waited: int, window_hours: int) -> bool:
    """Return whether a decision counts nowhere over a window: an agent's door recorded it late.

    Args:
        waited: see `is_too_long`.
    """
    return recorded_by == "agent" and is_too_long(waited, window_hours)


def in_time(decision: str, hours: str) -> str:
    """Return the SQL condition that a decision is not late (see `is_late`) over a window.

    Args:
        decision: alias of its row of `role_memory`.
        hours: an expression.
    """
    waited = f"{decision}.known_at - {decision}.decided_at"
    return f"({decision}.recorded_by <> 'agent' OR {waited} <= {hours} * {HOUR_US} / {LATE_PARTS})"
