"""The price feed the settings ask for."""

from pydantic import SecretStr

from pipeline.clock import Clock
from pipeline.service.address import setup_of
from pipeline.service.breaker import Breaker
from pipeline.service.circuit import CircuitName
from pipeline.settings import Settings
from pipeline.sources.hyperliquid import HyperliquidCandles
from pipeline.store import Store


def build_hyperliquid(settings: Settings, instance: Store, clock: Clock) -> HyperliquidCandles:
    """Return the feed of Hyperliquid's candles; close it when done. It is free and has no key.

    Args:
        instance: the installation's `instance.sqlite`, where the circuit of the service is.
        clock: the real present, also in a replay: a real service is asked.

    Raises:
        InvalidInputError: an address that can never work.
    """
    base_url, timeout_s = settings.hyperliquid_base_url, settings.hyperliquid_timeout_s
    name = CircuitName("hyperliquid", "candles", setup_of(base_url, SecretStr("")))
    breaker = Breaker(instance, name, clock, timeout_s * 2)
    return HyperliquidCandles(base_url, timeout_s, clock, breaker)
