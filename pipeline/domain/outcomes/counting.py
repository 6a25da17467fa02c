"""Which outcomes of decisions count: one rule for patterns, cases, calibration, reports and probes.

A decision counts unless its maker replaced it before its entry, or at it. Later its maker has seen
how it goes: without the losers that were replaced, coin flips look skilled. A decision made from a
trip is corrected by the trip at any time, since a source does not choose by result.
"""

from typing import Final

_AT_ENTRY: Final = "(m.superseded_at IS NULL OR m.superseded_at > o.entry_at)"

COUNTS: Final = f"(m.corrected_at IS NULL AND {_AT_ENTRY})"
"""`does_count` in SQL, of the decision `m` and its outcome `o`; false where a replaced decision has
none yet."""

COUNTED_THEN: Final = f"((m.corrected_at IS NULL OR m.corrected_at > :as_of) AND {_AT_ENTRY})"
"""The same as of a moment at which the outcome was known, `:as_of`; microseconds."""


def does_count(superseded_at: int | None, corrected_at: int | None, entry_at: int) -> bool:
    """Return whether the outcome of a decision counts.

    Args:
        superseded_at: when its replacement was recorded, not when that claims to be made; None
            without one. Microseconds, as the other two.
        corrected_at: when its trip said something else, or was gone; None if it was not.
        entry_at: the entry of the outcome.
    """
    return corrected_at is None and (superseded_at is None or superseded_at > entry_at)
