"""Build the price feed that the settings ask for."""

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.prices.hyperliquid import HyperliquidCandles
from afterword.pipeline.domain.prices.wanted import MarketFeed
from afterword.pipeline.gateway.venue.build import build_info
from afterword.pipeline.settings import Settings


def build_hyperliquid(settings: Settings, instance: Store, clock: Clock) -> HyperliquidCandles:
    """Return the feed of Hyperliquid's candles; close it when done. It is free and needs no key.

    Args:
        instance: the installation's `instance.sqlite`, where the circuit of the service is.
        clock: the real present, also in a replay, because a real service is asked.

    Raises:
        InvalidInputError: an address that can never work.
    """
    return HyperliquidCandles(build_info(settings, instance, clock, "candles"))


def build_feed(settings: Settings, instance: Store, clock: Clock) -> MarketFeed | None:
    """Return the feed for the prices decisions need; None if the source is disabled.

    See `build_hyperliquid`.
    """
    if settings.price_source == "disabled":
        return None
    return build_hyperliquid(settings, instance, clock)
