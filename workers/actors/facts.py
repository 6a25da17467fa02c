"""Consolidation of facts: by rule, and by a judge where one is switched on."""

from pipeline.facts.consolidate import consolidate_facts
from pipeline.facts.judge import Judge
from pipeline.facts.kinds import JUDGE_FACTS
from pipeline.facts.resolve import judge_facts
from pipeline.facts.shadow import ShadowJudge
from pipeline.store import writing
from workers.context import Work


def consolidate(work: Work) -> None:
    """Settle the facts that are pending; restatements give way."""
    consolidate_facts(work.store, work.leases, work.context.clock, judging=_judge(work) is not None)


def judge(work: Work) -> None:
    """Ask the judge about facts; while there is none the job ends without effect."""
    judge = _judge(work)
    if judge is None:
        with writing(work.store, finishing=work.leases):
            return
    guidance = work.context.settings.consolidation_guidance
    judge_facts(work.store, work.leases, judge, guidance, work.context.clock)


def _judge(work: Work) -> Judge | None:
    judge = work.context.judge
    mode = work.context.switches.mode(JUDGE_FACTS.name)
    if judge is None or not work.context.settings.consolidation_enabled or not mode.runs:
        return None
    return judge if mode.counts else ShadowJudge(judge)
