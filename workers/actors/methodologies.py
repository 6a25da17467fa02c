"""Run a pass of the synthesis of methodologies."""

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.synthesis.build import gate_rules
from afterword.pipeline.domain.synthesis.judge import JUDGE
from afterword.pipeline.domain.synthesis.synthesize import Synthesis
from afterword.pipeline.domain.synthesis.synthesize import synthesize as run_pass
from afterword.workers.worker.context import Work


def synthesize(work: Work) -> None:
    """Score all methodologies and decide what becomes of them; while learning is off, nothing."""
    context = work.context
    if not context.settings.learning_enabled:
        with writing(work.store, finishing=work.leases):
            return
    by = Synthesis(
        work.store,
        context.methodologies.judge,
        gate_rules(context.settings),
        work.clock,
        context.switches.mode(JUDGE),
    )
    run_pass(by, "cron", finishing=work.leases)
