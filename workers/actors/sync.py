"""Mirror what venues have of the accounts of a group."""

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.accounts.nudge import (
    ask_for_sync,
    ask_for_the_rest,
    asked_account,
    is_for_a_trade,
)
from afterword.pipeline.domain.sync.mirror import MirrorParts
from afterword.pipeline.domain.sync.sync import sync_accounts
from afterword.pipeline.domain.sync.turn import pauses_of
from afterword.workers.worker.context import Work


def sync(work: Work) -> None:
    """Mirror every account whose turn it is, so that a second delivery finds none; or the one that
    its owner asked for."""
    context = work.context
    (lease,) = work.leases
    with reading(work.store) as conn:
        name = asked_account(conn, lease.payload)
    parts = MirrorParts(
        work.store,
        work.clock,
        context.runtime.ids,
        embeds=context.embedder is not None,
        max_ready=context.settings.jobs_max_ready,
        exchanges=context.exchanges,
    )
    pauses = pauses_of(context.settings)
    report = sync_accounts(parts, context.venue, pauses, is_forced=name is not None, name=name)
    with writing(work.store, finishing=work.leases) as conn:
        # What a trade asks for is not forgotten, because the last run was a moment ago. Once the
        # last one may run all may: at the first, those that run now would rest the next time.
        if report.resting and is_for_a_trade(lease.payload):
            ask_for_sync(conn, work.now(), at=max(report.resting))
        if report.goes_on_at is not None:
            ask_for_the_rest(conn, work.now(), at=report.goes_on_at)
