"""Metrics of the methodologies of all groups, and of their last synthesis."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.telemetry.numbers import Tally, Values
from afterword.pipeline.domain.methodologies.model import METHOD_STATES
from afterword.pipeline.domain.methodologies.read import count_methodologies
from afterword.pipeline.domain.synthesis.rows import PassRow, last_pass

_PLACEBO: Final = "placebo"
"""Label of placebos, whatever their state."""


@dataclass(frozen=True, slots=True)
class MethodologyCounts:
    """The methodologies of one group.

    Args:
        states: methodologies by state; count.
        last: the last pass of the synthesis; None without one.
    """

    states: dict[str, int]
    last: PassRow | None


class MethodologyNumbers:
    """Reads the methodologies of a group, and sums those of all groups; see `GroupNumbers`."""

    def __init__(self, _process: object) -> None: ...

    def read(self, conn: Connection) -> MethodologyCounts:
        """Return the numbers of a group."""
        states: dict[str, int] = dict(count_methodologies(conn).items())
        placebos = sum(count_methodologies(conn, placebos=True).values())
        if placebos:
            states[_PLACEBO] = placebos
        return MethodologyCounts(states, last_pass(conn))

    def sums(
        self,
        present: Sequence[MethodologyCounts],
        _gone: Sequence[MethodologyCounts],
        now: datetime,
        /,
    ) -> dict[str, Values]:
        """Return the numbers by metric."""
        states: Tally = Counter(
            dict.fromkeys(((state,) for state in (*METHOD_STATES, _PLACEBO)), 0)
        )
        for counts in present:
            for state, number in counts.states.items():
                states[state,] += number
        passes = [counts.last for counts in present if counts.last is not None]
        ages = [
            (now - from_micros(counts.last.finished_at)).total_seconds()
            for counts in present
            if counts.states and counts.last is not None
        ]
        return {
            "afterword_methodologies": states,
            "afterword_methodologies_tried": {(): _sum(passes, "tried")},
            "afterword_methodologies_expected_false": {(): _sum(passes, "expected_false")},
            "afterword_methodologies_synthesis_age_seconds": {(): max(0.0, *ages, 0.0)},
            "afterword_methodologies_frozen_groups": {(): sum(row.is_frozen for row in passes)},
        }


def _sum(passes: Sequence[PassRow], name: str) -> float:
    return float(sum(row.numbers.get(name, 0) for row in passes))
