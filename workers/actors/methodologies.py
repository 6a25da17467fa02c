"""Run a pass of the synthesis of methodologies, and audit the learning loop."""

from afterword.pipeline.core.jobs.inspect import runs
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.audit.busy import (
    DEFERRED_FOR,
    MOST_DEFERRALS,
    Courtesy,
    is_busy,
)
from afterword.pipeline.domain.audit.run_audit import run_audit
from afterword.pipeline.domain.synthesis.build import gate_rules
from afterword.pipeline.domain.synthesis.judge import JUDGE
from afterword.pipeline.domain.synthesis.parts import Synthesis
from afterword.pipeline.domain.synthesis.seed_writer import EXTRACT
from afterword.pipeline.domain.synthesis.synthesize import synthesize as run_pass
from afterword.pipeline.errors import PostponedError
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
        context.runtime.ids,
        context.methodologies.writer,
        context.switches.mode(JUDGE),
        context.switches.mode(EXTRACT),
    )
    run_pass(by, "cron", finishing=work.leases)


def audit(work: Work) -> None:
    """Audit the learning loop; while an agent is busy the job waits, some times at most.

    Raises:
        PostponedError: an agent is busy.
    """
    settings = work.context.settings
    if not settings.learning_enabled:
        with writing(work.store, finishing=work.leases):
            return
    (lease,) = work.leases
    with reading(work.store) as conn:
        deferrals = sum(one.outcome == "postponed" for one in runs(conn, lease.id))
        busy = is_busy(conn, work.now()) and deferrals < MOST_DEFERRALS
    if busy:
        raise PostponedError("an agent is busy", work.now() + DEFERRED_FOR)
    run_audit(
        Courtesy(work.store, work.clock, work.context.runtime.stopping.wait),
        f"job-{lease.id}",
        "cron",
        settings.graduation_gate,
        settings.methodology_audit_window_days,
        finishing=work.leases,
    )
