"""Compute what the owner's accounts hold together."""

from datetime import timedelta

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.capital.nudge import ask_for_capital, is_asked, is_for_activity
from afterword.pipeline.domain.capital.refresh import refresh_capital
from afterword.workers.worker.context import Work


def refresh(work: Work) -> None:
    """Compute the capital; a second delivery finds a new one and asks nothing."""
    context = work.context
    cooldown = timedelta(seconds=context.settings.capital_cooldown)
    asked = any(is_asked(lease.payload) for lease in work.leases)
    done = refresh_capital(work.store, context.venue, work.clock, cooldown, is_forced=asked)
    with writing(work.store, finishing=work.leases) as conn:
        # What activity asks for is not forgotten, because the last look was a moment ago.
        if done.rests_until and any(is_for_activity(lease.payload) for lease in work.leases):
            ask_for_capital(conn, work.now(), at=done.rests_until)
