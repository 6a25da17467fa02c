"""What passes of reflection did, counted; tallies add up."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Tally:
    """What one pass did; counts of decisions.

    Args:
        reflected: by class, `right` and `noise` decisions among them.
        parked, skipped: by reason.
        failed: decisions with a failed question.
        shadowed: decisions recorded in the shadow.
        again_at: when the first failed question is asked again.
    """

    reflected: Mapping[str, int] = field(default_factory=dict)
    parked: Mapping[str, int] = field(default_factory=dict)
    skipped: Mapping[str, int] = field(default_factory=dict)
    failed: int = 0
    shadowed: int = 0
    again_at: datetime | None = None

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            _sum(self.reflected, other.reflected),
            _sum(self.parked, other.parked),
            _sum(self.skipped, other.skipped),
            self.failed + other.failed,
            self.shadowed + other.shadowed,
            min(filter(None, (self.again_at, other.again_at)), default=None),
        )

    @property
    def settled(self) -> int:
        """Decisions that no longer wait."""
        return sum(self.reflected.values()) + sum(self.skipped.values())


def tally_all(tallies: Sequence[Tally]) -> Tally:
    """Return the sum of tallies."""
    return sum(tallies, Tally())


def _sum(counts: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {name: counts.get(name, 0) + other.get(name, 0) for name in sorted({*counts, *other})}
