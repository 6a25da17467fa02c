"""Mirror what venues have of the accounts of a group."""

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.accounts.nudge import ask_for_sync, is_for_a_trade
from afterword.pipeline.domain.sync.mirror import MirrorParts
from afterword.pipeline.domain.sync.sync import sync_accounts
from afterword.pipeline.domain.sync.turn import pauses_of
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
        exchanges=context.exchanges,
    )
    report = sync_accounts(parts, context.venue, pauses_of(context.settings))
    with writing(work.store, finishing=work.leases) as conn:
        # What a trade asks for is not forgotten, because the last run was a moment ago.
        if report.resting and any(is_for_a_trade(lease.payload) for lease in work.leases):
            ask_for_sync(conn, work.now(), at=min(report.resting))
