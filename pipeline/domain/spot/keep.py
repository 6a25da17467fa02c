"""Keep what wallets did, with dollars where these are known."""

from collections.abc import Iterable, Sequence
from typing import Final

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.spot import rows
from afterword.pipeline.domain.spot.model import SpotActivity
from afterword.pipeline.domain.spot.value import priced_value, stable_value

AT_ONCE: Final = 1_000
"""Activities that one transaction takes."""


def bulk_insert_external_spot(
    store: Store, chunks: Iterable[Sequence[tuple[SpotActivity, int]]], clock: Clock
) -> int:
    """Store activities that are not known; R1's `bulkInsertExternalSpot`.

    Args:
        chunks: each is one transaction; every activity with the number of equal ones before it in
            its file.

    Returns:
        How many were new.
    """
    new = 0
    for chunk in chunks:
        valued = [(activity, equals, stable_value(activity)) for activity, equals in chunk]
        with writing(store) as conn:
            new += rows.insert(conn, valued, to_micros(clock()))
    return new


def price_external_spot(store: Store, clock: Clock) -> int:
    """Give dollars to stored activities that have none, by the prices that are stored now.

    Returns:
        How many got some.
    """
    count = last = 0
    while True:
        with reading(store) as conn:
            prices = StoredPrices(conn)
            unvalued = rows.unvalued(conn, last, AT_ONCE)
            priced = [(row_id, priced_value(activity, prices)) for row_id, activity in unvalued]
        if not unvalued:
            return count
        last = unvalued[-1][0]
        values = [(row_id, value) for row_id, value in priced if value is not None]
        if values:
            with writing(store) as conn:
                count += rows.set_values(conn, values, to_micros(clock()))
