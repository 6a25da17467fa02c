"""Build the way to Hyperliquid that the settings ask for."""

from typing import Literal

from pydantic import SecretStr

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store
from afterword.pipeline.gateway.http.address import setup_of
from afterword.pipeline.gateway.http.breaker import Breaker
from afterword.pipeline.gateway.http.circuit import CircuitName
from afterword.pipeline.gateway.venue.info import HyperliquidInfo
from afterword.pipeline.gateway.venue.weight import WeightMeter
from afterword.pipeline.settings import Settings

VenueCircuit = Literal["candles", "accounts"]
"""What is asked for: prices are left alone apart from accounts, if only one of the two fails."""


def build_info(
    settings: Settings, instance: Store, clock: Clock, circuit: VenueCircuit
) -> HyperliquidInfo:
    """Return Hyperliquid's info API; close it when done. It is free and needs no key.

    Args:
        instance: the installation's `instance.sqlite`, with the circuits and the meter of weight.
        clock: the real present, also in a replay, because a real service is asked.

    Raises:
        InvalidInputError: an address that can never work.
    """
    timeout_s = settings.hyperliquid_timeout_s
    breaker = venue_breaker(settings, instance, clock, circuit)
    limit = settings.hyperliquid_minute_weight
    meter = WeightMeter(instance, "hyperliquid", limit, timeout_s * 2, clock)
    return HyperliquidInfo(settings.hyperliquid_base_url, timeout_s, clock, breaker, meter)


def venue_breaker(
    settings: Settings, instance: Store, clock: Clock, circuit: VenueCircuit
) -> Breaker:
    """Return a circuit breaker of the venue."""
    setup = setup_of(settings.hyperliquid_base_url, SecretStr(""))
    name = CircuitName("hyperliquid", circuit, setup)
    return Breaker(instance, name, clock, settings.hyperliquid_timeout_s * 2)
