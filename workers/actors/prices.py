"""Prices: what decisions wait for is fetched by itself."""

from pipeline.prices.fetch_missing import Fetcher, fetch_prices
from pipeline.roles.awaited import awaited
from pipeline.roles.triggers import on_prices
from pipeline.sources.csv_file import read_interval
from pipeline.store import writing
from workers.context import Work


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
    fetch_prices(fetcher, work.leases, lambda conn: awaited(conn, roles, work.now(), interval))
