"""Prices: what decisions wait for is fetched by itself."""

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.decisions.price_needs import price_needs
from afterword.pipeline.domain.decisions.triggers import on_prices
from afterword.pipeline.domain.prices.csv_file import read_interval
from afterword.pipeline.domain.prices.fetch_gaps import Fetcher, fetch_prices
from afterword.workers.worker.context import Work


def fetch(work: Work) -> None:
    """Fetch what waiting decisions lack; while no source is asked the job ends without effect."""
    context = work.context
    if context.feed is None:
        with writing(work.store, finishing=work.leases):
            return
    interval, roles = read_interval(context.settings.price_interval), context.roles
    fetcher = Fetcher(
        work.store,
        context.feed,
        interval,
        context.clock,
        context.monotonic,
        lambda conn, symbols, now: on_prices(conn, roles, symbols, now),
    )
    # Ripe within one bar: what was before the decision is here when its outcome is.
    fetch_prices(fetcher, work.leases, lambda conn: price_needs(conn, roles, work.now(), interval))
