"""Positions that were held across a split of their shares: their units before and after differ."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from afterword.pipeline.clock import from_millis
from afterword.pipeline.domain.fills.model import OWNED
from afterword.pipeline.domain.layouts.layout import ShareSplit
from afterword.pipeline.domain.trips.model import OpenPosition
from afterword.pipeline.domain.trips.trip import Trip


def across(splits: Iterable[ShareSplit], trip: Trip) -> Trip:
    """Return a trip, marked as incomplete if its shares were split while it was held."""
    opened = trip.opened_at
    if trip.kind not in OWNED or opened is None or "share_split" in trip.flags:
        return trip
    if not any(
        (split.account, split.symbol) == (trip.account, trip.symbol)
        and opened <= from_millis(split.time_ms) <= trip.closed_at
        for split in splits
    ):
        return trip
    return replace(trip, is_incomplete=True, flags=(*trip.flags, "share_split"))


def without_cost(
    splits: Iterable[ShareSplit], position: OpenPosition, now: datetime
) -> OpenPosition:
    """Return an open position, without its cost if its shares were split while it was held."""
    market = position.market
    is_split = market.kind in OWNED and any(
        (split.account, split.symbol) == (market.account, market.symbol)
        and position.opened_at <= from_millis(split.time_ms) <= now
        for split in splits
    )
    return replace(position, cost=None) if is_split else position
