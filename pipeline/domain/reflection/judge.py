"""The judge of decisions: why one went wrong, and the lesson it teaches."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from afterword.pipeline.domain.decisions.model import Classification, DecisionVerdict
from afterword.pipeline.domain.reflection.case import Case

MAX_LESSON: Final = 400
"""Characters of a lesson: two sentences (R2), and a line of a prompt."""

CLASSIFY: Final = "classify_entry"
DRAFT: Final = "draft_lesson"
"""The two tasks; each has its own switch and its own entries in the budget."""


@dataclass(frozen=True, slots=True)
class JudgeOpinion:
    """A judge's opinion of a decision that went wrong.

    Args:
        narrative: what happened, in a sentence or two; up to `MAX_NARRATIVE`.
        asked: the texts a model was asked with, by name; kept as evidence. Empty without a model.
    """

    classification: Classification
    narrative: str
    asked: Mapping[str, str] = field(default_factory=dict)


class DecisionJudge(Protocol):
    """Explains decisions whose outcome is known; it is asked outside any transaction."""

    @property
    def name(self) -> str:
        """Its name, stored with every verdict and lesson."""
        ...

    @property
    def at_once(self) -> int:
        """How many questions may be asked side by side; 0 for a judge that asks no model."""
        ...

    def classify(self, case: Case, group: str) -> JudgeOpinion:
        """Say why a decision was wrong.

        Args:
            group: the group that pays.

        Raises:
            UnavailableError: no usable answer; another try may succeed.
            PostponedError: nothing was asked, and nothing may be asked for now.
            InvalidInputError: it will never answer this question.
        """

    def draft(self, case: Case, verdict: DecisionVerdict, group: str) -> str:
        """Return one lesson, up to `MAX_LESSON` characters, on one line.

        Raises:
            as `classify`
        """
