"""Build the way to Hyperliquid that the settings ask for."""

from pydantic import SecretStr

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store
from afterword.pipeline.gateway.http.address import setup_of
from afterword.pipeline.gateway.http.breaker import Breaker
from afterword.pipeline.gateway.http.circuit import CircuitName
from afterword.pipeline.gateway.venue.info import HyperliquidInfo
from afterword.pipeline.gateway.venue.weight import WeightMeter
from afterword.pipeline.settings import Settings


def build_info(settings: Settings, instance: Store, clock: Clock) -> HyperliquidInfo:
    """Return Hyperliquid's info API; close it when done. It is free and needs no key.

    Args:
        instance: the installation's `instance.sqlite`, with the circuit and the meter of weight.
        clock: the real present, also in a replay, because a real service is asked.

    Raises:
        InvalidInputError: an address that can never work.
    """
    base_url, timeout_s = settings.hyperliquid_base_url, settings.hyperliquid_timeout_s
    name = CircuitName("hyperliquid", "info", setup_of(base_url, SecretStr("")))
    breaker = Breaker(instance, name, clock, timeout_s * 2)
    limit = settings.hyperliquid_minute_weight
    meter = WeightMeter(instance, "hyperliquid", limit, timeout_s * 2, clock)
    return HyperliquidInfo(base_url, timeout_s, clock, breaker, meter)
