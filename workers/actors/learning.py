"""The driver of jobs: one step of the learning loop for each kind, one bounded run a job."""

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.audit.busy import Courtesy
from afterword.pipeline.domain.institution.area import REFLECT_TASK
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.patterns.triggers import weigh_later
from afterword.pipeline.domain.patterns.word import Wording
from afterword.pipeline.domain.patterns.writer import WORD_TASK
from afterword.pipeline.domain.preferences.mine import MINE_TASK
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.reflection.effects import effects_of
from afterword.pipeline.domain.reflection.judge import CLASSIFY, DRAFT
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.reflection.setup_walk import SetupWalk
from afterword.pipeline.domain.synthesis.build import gate_rules
from afterword.pipeline.domain.synthesis.judge import JUDGE
from afterword.pipeline.domain.synthesis.parts import Synthesis
from afterword.pipeline.domain.synthesis.seed_writer import EXTRACT
from afterword.pipeline.operations.loop.methodologies import AuditTerms
from afterword.pipeline.operations.loop.model import (
    Learner,
    roles_named,
    step_of,
)
from afterword.pipeline.operations.loop.preferences import MiningTerms
from afterword.workers.worker.context import Work


def run_step(work: Work) -> None:
    """Run the step that the jobs are for, and end them with its effect.

    Jobs of a step that has nothing to do here end without effect: there is no model, learning is
    off, or no skill declares their role.
    """
    step = step_of(work.leases.held[0].kind)
    payloads = [lease.payload for lease in work.leases]
    roles = roles_named(work.context.decisions.roles, payloads)
    if step.run(_learner(work), roles) is None:
        with writing(work.store, finishing=work.leases):
            pass


def _learner(work: Work) -> Learner:
    context = work.context
    has_writer, learns = context.decisions.writer is not None, context.settings.learning_enabled
    mines = context.switches.mode(MINE_TASK).is_enabled
    captures = context.settings.institution_learning_enabled
    return Learner(
        store=work.store,
        registry=context.decisions.roles,
        clock=work.clock,
        prices=StoredPrices,
        reflector=lambda: _reflector(work),
        on_own=weigh_later,
        level=context.settings.pattern_error,
        leases=work.leases,
        wording=(lambda: _wording(work)) if has_writer else None,
        synthesis=(lambda: _synthesis(work)) if learns else None,
        audit=(lambda: _audit(work)) if learns else None,
        mining=(lambda: _mining(work)) if learns and mines else None,
        runs=context.switches.mode(REFLECT_TASK) if captures else None,
    )


def _reflector(work: Work) -> Reflector:
    context = work.context
    return Reflector(
        work.store,
        context.decisions.roles,
        context.decisions.judge,
        StoredPrices,
        work.clock,
        effects_of(context.switches.mode(CLASSIFY), context.switches.mode(DRAFT)),
        work.leases,
        standings=SetupWalk(context.settings.pattern_error),
    )


def _wording(work: Work) -> Wording:
    writer = work.context.decisions.writer
    assert writer is not None  # else there is no wording
    return Wording(writer, work.context.switches.mode(WORD_TASK))


def _synthesis(work: Work) -> Synthesis:
    context = work.context
    return Synthesis(
        work.store,
        context.methodologies.judge,
        gate_rules(context.settings),
        work.clock,
        context.runtime.ids,
        context.methodologies.writer,
        context.switches.mode(JUDGE),
        context.switches.mode(EXTRACT),
    )


def _mining(work: Work) -> MiningTerms:
    context = work.context
    embeds = context.settings.embedding_provider != "disabled"
    by = Writer(work.store, work.clock, context.runtime.ids, "system", embeds=embeds)
    mode = context.switches.mode(MINE_TASK)
    return MiningTerms(by, "on" if mode.has_effect else "shadow")


def _audit(work: Work) -> AuditTerms:
    settings, runtime = work.context.settings, work.context.runtime
    (lease,) = work.leases
    return AuditTerms(
        Courtesy(work.store, work.clock, runtime.stopping.wait),
        f"job-{lease.id}",
        "cron",
        settings.graduation_gate,
        settings.methodology_audit_window_days,
    )
