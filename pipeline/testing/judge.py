"""Judges of facts that answer as they are told: no model, no network."""

from collections.abc import Callable, Sequence

from afterword.pipeline.domain.facts.judge import FactQuestion, FactVerdict, Relation


class ScriptedFactJudge:
    """A `Judge` that answers by a script and remembers what it was asked.

    Args:
        answer: what it says to a question; it may do something else meanwhile, or raise.
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
        """Return what the script says."""
        self.asked.append(question)
        self.guided_by.append(guidance)
        return self._answer(question)


def eager_judge(relation: Relation) -> ScriptedFactJudge:
    """Return a judge that says the same of every pair, whatever it is asked."""
    return ScriptedFactJudge(
        lambda question: [FactVerdict(other.id, relation, "eager") for other in question.candidates]
    )
