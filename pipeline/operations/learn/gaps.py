"""Markets without the prices that their trades need."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from afterword.pipeline.domain.prices.hyperliquid import KEPT_CANDLES
from afterword.pipeline.domain.trades.model import TripOutcome
from afterword.pipeline.operations.learn.report import PriceGap

_BEFORE: Final = timedelta(days=30)
"""Prices before the first entry, from which the usual move of a market is measured."""

_FETCHED: Final = frozenset({"perp", "spot"})
"""Markets whose candles Hyperliquid may have."""


_REACH: Final = timedelta(hours=KEPT_CANDLES)
"""How far back Hyperliquid has candles of an hour."""


def price_gaps(outcomes: Sequence[TripOutcome], now: datetime) -> tuple[PriceGap, ...]:
    """Return the markets that lack prices for some trips, those of the most trips first."""
    lacking: dict[str, list[TripOutcome]] = defaultdict(list)
    for outcome in outcomes:
        lacks = outcome.sigma_ppb is None or any(
            (gap.part, gap.reason) == ("excursions", "no_exit") for gap in outcome.unknown
        )
        if lacks and not outcome.trip.is_incomplete and outcome.trip.opened_at is not None:
            lacking[outcome.trip.symbol].append(outcome)
    gaps = [_gap(symbol, unmeasured, now) for symbol, unmeasured in lacking.items()]
    return tuple(sorted(gaps, key=lambda gap: (-gap.trips, gap.symbol)))


def _gap(symbol: str, outcomes: Sequence[TripOutcome], now: datetime) -> PriceGap:
    entries = [entry for outcome in outcomes if (entry := outcome.trip.opened_at) is not None]
    since = max(min(entries) - _BEFORE, now - _REACH)
    day = since.replace(hour=0, minute=0, second=0, microsecond=0)
    is_reached = max(entries) > now - _REACH
    return PriceGap(symbol, len(outcomes), day, _fetched_as(outcomes[0]) if is_reached else "")


def _fetched_as(outcome: TripOutcome) -> str:
    """Return the name of a market at Hyperliquid; empty where it has none."""
    if outcome.trip.kind not in _FETCHED or "/" in outcome.asset:
        return ""
    return outcome.trip.symbol if outcome.trip.venue == "hyperliquid" else outcome.asset
