"""A venue, the way to it as a worker has it, and the store that it is mirrored into."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.sync.mirror import MirrorParts
from afterword.pipeline.gateway.http.breaker import Breaker
from afterword.pipeline.gateway.http.circuit import CircuitName
from afterword.pipeline.gateway.venue.info import HyperliquidInfo
from afterword.pipeline.gateway.venue.weight import WeightMeter
from afterword.pipeline.ids import IdSource
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.venue_server import VenueServer


@pytest.fixture
def venue() -> Iterator[VenueServer]:
    with VenueServer() as venue:
        yield venue


@pytest.fixture
def limit() -> int:
    """Weight of a minute."""
    return 1_200


@pytest.fixture
def worker_info(
    venue: VenueServer, instance: Store, clock: ManualClock, limit: int
) -> Iterator[HyperliquidInfo]:
    """The info API with its circuit and its meter; it does not wait."""
    breaker = Breaker(instance, CircuitName("hyperliquid", "accounts", "x"), clock, 20)
    meter = WeightMeter(instance, "hyperliquid", limit, 20, clock)
    with closing(HyperliquidInfo(venue.origin, 0.5, clock, breaker, meter)) as info:
        yield info


@pytest.fixture
def mirror_parts(store: Store, clock: ManualClock, ids: IdSource) -> MirrorParts:
    return MirrorParts(store, clock, ids)
