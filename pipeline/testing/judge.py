"""Judges of facts that answer by a script, without a model or a network."""

from collections.abc import Callable, Sequence

from afterword.pipeline.domain.facts.judge import FactQuestion, FactRelation, FactVerdict


class ScriptedFactJudge:
    """A `Judge` that answers by a script and records its questions.

    Args:
        answer: returns the answer to a question; it may do other work or raise.
    """

    def __init__(self, answer: Callable[[FactQuestion], Sequence[FactVerdict]]) -> None:
        self._answer = answer
        self.asked: list[FactQuestion] = []
        self.guided_by: list[str] = []

    def judge(
        self,
        question: FactQuestion,
        guidance: str,
        group: str,  # noqa: ARG002 - the protocol's; nothing is paid here
    ) -> Sequence[FactVerdict]:
        """Return the script's answer."""
        self.asked.append(question)
        self.guided_by.append(guidance)
        return self._answer(question)


def eager_judge(relation: FactRelation) -> ScriptedFactJudge:
    """Return a judge with the same answer for every pair."""
    return ScriptedFactJudge(
        lambda question: [FactVerdict(other.id, relation, "eager") for other in question.candidates]
    )
