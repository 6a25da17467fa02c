"""Consolidation of facts: by rule, and by a judge where one is switched on."""

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.facts.area import JUDGE_FACTS
from afterword.pipeline.domain.facts.consolidate import consolidate_facts
from afterword.pipeline.domain.facts.resolve import judge_facts
from afterword.pipeline.gateway.switches import Mode
from afterword.workers.worker.context import Work


def consolidate(work: Work) -> None:
    """Settle the facts that are pending; restatements give way."""
    consolidate_facts(work.store, work.leases, work.context.clock, judging=_judging(work))


def judge(work: Work) -> None:
    """Ask the judge about facts; while there is none the job ends without effect."""
    judge, mode = work.context.judge, _judging(work)
    if judge is None or not mode.is_enabled:
        with writing(work.store, finishing=work.leases):
            return
    guidance = work.context.settings.consolidation_guidance
    judge_facts(work.store, work.leases, judge, guidance, work.context.clock, mode)


def _judging(work: Work) -> Mode:
    """Return how facts are judged: as the switch says, where anybody may be asked at all."""
    context = work.context
    if context.judge is None or not context.settings.consolidation_enabled:
        return Mode.OFF
    return context.switches.mode(JUDGE_FACTS.name)
