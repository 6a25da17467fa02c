"""Prices that decisions need, and a feed that can be asked for them by asset."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from afterword.pipeline.domain.prices.feed import PriceFeed


@dataclass(frozen=True, slots=True)
class Need:
    """Prices of one asset that waiting decisions need.

    Args:
        asset: in any written form.
        first: when the oldest of these decisions was made.
        due: when the outcome of the last one is due.
        back: how far before each decision its trend is measured.
    """

    asset: str
    first: datetime
    due: datetime
    back: timedelta


class MarketFeed(PriceFeed, Protocol):
    """A `PriceFeed` that finds its market of an asset."""

    @property
    def page(self) -> int:
        """Bars per request; count."""
        ...

    @property
    def keeps(self) -> int:
        """Newest bars of an interval it has of a market; older ones are gone; count."""
        ...

    def market_of(self, asset: str) -> str | None:
        """Return its name for the market of an asset (in any written form); None if it has none.

        A name does not prove that the market is listed.
        """
        ...
