"""Metrics of the learnings of all groups."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.core.telemetry.numbers import Tally, Values
from afterword.pipeline.domain.learnings import read_rows
from afterword.pipeline.domain.learnings.model import LEARNING_STATES, REVIEWED_VERDICTS


@dataclass(frozen=True, slots=True)
class LearningCounts:
    """The learnings of one group by state, and the reviews of its turns by verdict; counts."""

    states: dict[str, int]
    reviews: dict[str, int]


class LearningNumbers:
    """Reads the learnings of a group, and sums those of all groups; see `GroupNumbers`."""

    def __init__(self, _process: object) -> None: ...

    def read(self, conn: Connection) -> LearningCounts:
        """Return the numbers of a group."""
        return LearningCounts(read_rows.counts(conn, None), read_rows.review_counts(conn))

    def sums(
        self,
        present: Sequence[LearningCounts],
        _gone: Sequence[LearningCounts],
        _now: datetime,
        /,
    ) -> dict[str, Values]:
        """Return the numbers by metric."""
        states: Tally = Counter(dict.fromkeys(((state,) for state in LEARNING_STATES), 0))
        reviews: Tally = Counter(dict.fromkeys(((word,) for word in REVIEWED_VERDICTS), 0))
        for counts in present:
            for state, number in counts.states.items():
                states[state,] += number
            for verdict, number in counts.reviews.items():
                reviews[verdict,] += number
        return {"afterword_learnings": states, "afterword_learning_turn_reviews": reviews}
