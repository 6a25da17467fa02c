"""Whoever is asked why a decision went wrong, and what to learn from it."""

from dataclasses import dataclass
from typing import Final, Protocol

from afterword.pipeline.domain.decisions.model import Classification, DecisionVerdict
from afterword.pipeline.domain.reflection.case import Case

MAX_LESSON: Final = 400
"""Characters of a lesson: two sentences (R2), and a line of a prompt."""

CLASSIFY: Final = "classify_entry"
DRAFT: Final = "draft_lesson"
"""The two tasks: each has its own switch, and its own line in the books."""


@dataclass(frozen=True, slots=True)
class JudgeOpinion:
    """What a judge says of a decision that was not right.

    Args:
        narrative: what happened, in a sentence or two; up to `MAX_NARRATIVE`.
    """

    classification: Classification
    narrative: str


class DecisionJudge(Protocol):
    """Explains decisions whose outcome is known; it is asked outside any transaction."""

    @property
    def name(self) -> str:
        """Who it is, as it is kept beside what it says."""
        ...

    @property
    def at_once(self) -> int:
        """How many questions may be asked side by side; 0 for one that asks nobody."""
        ...

    def classify(self, case: Case, group: str) -> JudgeOpinion:
        """Say why a decision was wrong.

        Args:
            group: whose budget pays.

        Raises:
            UnavailableError: no answer that could be read; another try may succeed.
            PostponedError: nothing was asked, and nothing should be for now.
            InvalidInputError: it will never answer this.
        """

    def draft(self, case: Case, verdict: DecisionVerdict, group: str) -> str:
        """Return one lesson, up to `MAX_LESSON` characters, on one line.

        Raises:
            as `classify`
        """
