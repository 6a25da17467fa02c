"""Judges of facts that answer as they are told: no model, no network."""

from collections.abc import Callable, Sequence

from afterword.pipeline.domain.facts.judge import Question, Relation, Verdict


class ScriptedJudge:
    """A `Judge` that answers by a script and remembers what it was asked.

    Args:
        answer: what it says to a question; it may do something else meanwhile, or raise.
    """

    def __init__(self, answer: Callable[[Question], Sequence[Verdict]]) -> None:
        self._answer = answer
        self.asked: list[Question] = []
        self.guided_by: list[str] = []

    def judge(
        self,
        question: Question,
        guidance: str,
        group: str,  # noqa: ARG002 - the protocol's; nothing is paid here
    ) -> Sequence[Verdict]:
        """Return what the script says."""
        self.asked.append(question)
        self.guided_by.append(guidance)
        return self._answer(question)


def eager_judge(relation: Relation) -> ScriptedJudge:
    """Return a judge that says the same of every pair, whatever it is asked."""
    return ScriptedJudge(
        lambda question: [Verdict(other.id, relation, "eager") for other in question.candidates]
    )
