"""Metrics of the methodologies of all groups, and of their last synthesis."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.methodologies.score_rows import count_states
from afterword.pipeline.domain.synthesis.rows import PassRow, last_pass
from afterword.workers.observability.cached import Tally, Values

STATES: Final = (
    *("new", "trying", "promising", "graduated", "demoted", "flagged", "merged", "deleted"),
    "placebo",
)


@dataclass(frozen=True, slots=True)
class MethodologyNumbers:
    """The methodologies of one group.

    Args:
        states: methodologies by state; count.
        last: the last pass of the synthesis; None without one.
    """

    states: dict[str, int]
    last: PassRow | None


def read_methodologies(conn: Connection) -> MethodologyNumbers:
    """Return the numbers of a group."""
    return MethodologyNumbers(count_states(conn), last_pass(conn))


def methodology_sums(present: Sequence[MethodologyNumbers], now: datetime) -> dict[str, Values]:
    """Return the numbers of all groups, by metric."""
    states: Tally = Counter(dict.fromkeys(((state,) for state in STATES), 0))
    for found in present:
        for state, number in found.states.items():
            states[state,] += number
    passes = [one.last for one in present if one.last is not None]
    waiting = [one for one in present if one.states and one.last is not None]
    ages = [
        (now - from_micros(one.last.finished_at)).total_seconds()
        for one in waiting
        if one.last is not None
    ]
    return {
        "afterword_methodologies": states,
        "afterword_methodologies_tried": {(): _sum(passes, "tried")},
        "afterword_methodologies_expected_false": {(): _sum(passes, "expected_false")},
        "afterword_methodologies_synthesis_age_seconds": {(): max(0.0, *ages, 0.0)},
        "afterword_methodologies_frozen_groups": {(): sum(one.is_frozen for one in passes)},
    }


def _sum(passes: Sequence[PassRow], name: str) -> float:
    return float(sum(one.numbers.get(name, 0) for one in passes))
