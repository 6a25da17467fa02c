"""Fetch the prices that decisions wait for."""

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.decisions.price_needs import price_needs
from afterword.pipeline.domain.decisions.triggers import on_prices
from afterword.pipeline.domain.prices.fetch_gaps import Fetcher, fetch_prices
from afterword.workers.worker.context import Work


def fetch(work: Work) -> None:
    """Fetch the prices that decisions wait for; without a source the job ends without effect."""
    prices, roles = work.context.prices, work.context.decisions.roles
    if prices.feed is None:
        with writing(work.store, finishing=work.leases):
            return
    fetcher = Fetcher(
        work.store,
        prices.feed,
        prices.interval,
        work.clock,
        work.context.runtime.monotonic,
        lambda conn, symbols, now: on_prices(conn, roles, symbols, now),
    )
    # Also for decisions that are ripe within one bar: their earlier prices are then here in time.
    fetch_prices(
        fetcher, work.leases, lambda conn: price_needs(conn, roles, work.now(), prices.interval)
    )
