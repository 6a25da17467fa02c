"""Prices that somebody waits for, and a feed that can be asked for them by asset."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from afterword.pipeline.domain.prices.feed import PriceFeed


@dataclass(frozen=True, slots=True)
class Need:
    """Prices of one asset that some decisions wait for.

    Args:
        asset: in any written form.
        first: when the oldest of them was made.
        due: when the outcome of the last of them is.
        back: how far before each the price is read for its own sake, beside the lookback.
    """

    asset: str
    first: datetime
    due: datetime
    back: timedelta


class MarketFeed(PriceFeed, Protocol):
    """A `PriceFeed` that knows its own markets."""

    @property
    def page(self) -> int:
        """Bars that one request brings."""
        ...

    @property
    def keeps(self) -> int:
        """Bars of an interval it has of a market, the newest; older ones are not there."""
        ...

    def market_of(self, asset: str) -> str | None:
        """Return its name for the market of an asset (in any written form).

        None where it never has one. A name does not say that the market is there.
        """
        ...
