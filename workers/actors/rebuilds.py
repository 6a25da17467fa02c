"""Rebuild parts of the profile."""

from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.rebuilds.boot import is_forced_job
from afterword.pipeline.domain.rebuilds.kinds import rebuild_of_job
from afterword.pipeline.domain.rebuilds.parts import RebuildParts
from afterword.pipeline.domain.rebuilds.rebuild import run_rebuild
from afterword.workers.worker.context import Work


def run(work: Work) -> None:
    """Do the rebuild that the jobs are for; a second delivery finds that it rests."""
    context = work.context
    by = Writer(
        work.store,
        work.clock,
        context.runtime.ids,
        "system",
        embeds=context.embedder is not None,
    )
    parts = RebuildParts(by, context.settings, context.fast_llm, context.switches.mode)
    is_forced = any(is_forced_job(lease.payload) for lease in work.leases.held)
    rebuild = rebuild_of_job(work.leases.held[0].kind)
    run_rebuild(parts, rebuild, is_forced=is_forced, finishing=work.leases)
