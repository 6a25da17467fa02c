"""A judge in the shadow: it is asked, what it says is recorded, and everything is kept."""

from collections.abc import Sequence
from dataclasses import replace

from afterword.pipeline.domain.facts.judge import MAX_REASON, FactJudge, FactQuestion, FactVerdict


class ShadowJudge(FactJudge):
    """A `FactJudge` whose verdicts stand in the history and change no fact.

    Args:
        judge: who is asked.
    """

    def __init__(self, judge: FactJudge) -> None:
        self._judge = judge

    def judge(self, question: FactQuestion, guidance: str, group: str) -> Sequence[FactVerdict]:
        """Return the other's verdicts as reasons to keep."""
        verdicts = self._judge.judge(question, guidance, group)
        return [_in_shadow(verdict) for verdict in verdicts]


def _in_shadow(verdict: FactVerdict) -> FactVerdict:
    said = f"in the shadow, {verdict.relation}: {verdict.reason}"
    return replace(verdict, relation="keep", reason=said[:MAX_REASON])
