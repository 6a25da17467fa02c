"""Mirror what venues have of the accounts of a group."""

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.accounts.nudge import ask_for_sync, is_for_a_trade
from afterword.pipeline.domain.sync.mirror import MirrorParts
from afterword.pipeline.domain.sync.sync import sync_accounts
from afterword.pipeline.domain.sync.turn import pauses_of
from afterword.pipeline.errors import PostponedError
from afterword.workers.worker.context import Work


def sync(work: Work) -> None:
    """Mirror every account whose turn it is; a second delivery finds none."""
    context = work.context
    parts = MirrorParts(
        work.store,
        work.clock,
        context.runtime.ids,
        embeds=context.embedder is not None,
        max_ready=context.settings.jobs_max_ready,
    )
    report = sync_accounts(parts, context.venue, pauses_of(context.settings))
    if isinstance(report.stopped_by, PostponedError):
        raise report.stopped_by  # the job goes on with the rest when there is room again
    with writing(work.store, finishing=work.leases) as conn:
        # What a trade asks for is not forgotten, because the last run was a moment ago. Once the
        # last one may run all may: at the first, those that run now would rest the next time.
        if report.resting and any(is_for_a_trade(lease.payload) for lease in work.leases):
            ask_for_sync(conn, work.now(), at=max(report.resting))
