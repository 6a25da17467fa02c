"""Add the markets that the owner trades in to what is known of the user."""

from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.profile.markets import update_markets
from afterword.workers.worker.context import Work


def update(work: Work) -> None:
    """Add the markets of the last 30 days; a second delivery adds nothing."""
    by = Writer(work.store, work.clock, work.context.runtime.ids, "system")
    # Symbols of running strategies are given here, once a room keeps their runs.
    update_markets(by, strategy_symbols=(), finishing=work.leases)
