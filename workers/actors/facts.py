"""Consolidate facts: by rules, and by a judge if one is switched on."""

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.facts.area import JUDGE_FACTS
from afterword.pipeline.domain.facts.consolidate import consolidate_facts
from afterword.pipeline.domain.facts.effects import effects_of
from afterword.pipeline.domain.facts.resolve import judge_facts
from afterword.pipeline.gateway.switches import Mode
from afterword.workers.worker.context import Work


def consolidate(work: Work) -> None:
    """Settle the pending facts; restatements are retired."""
    judging = effects_of(_mode(work))
    consolidate_facts(work.store, work.leases, work.clock, judging=judging)


def judge(work: Work) -> None:
    """Ask the judge about facts; without a judge the job ends without effect."""
    facts, mode = work.context.facts, _mode(work)
    if facts.judge is None or not mode.is_enabled:
        with writing(work.store, finishing=work.leases):
            return
    effects = effects_of(mode)
    judge_facts(work.store, work.leases, facts.judge, facts.guidance, work.clock, effects)


def _mode(work: Work) -> Mode:
    """Return the mode of the judge: the switch's, or off if no judge may be asked."""
    facts = work.context.facts
    if facts.judge is None or not facts.is_enabled:
        return Mode.OFF
    return work.context.switches.mode(JUDGE_FACTS.name)
