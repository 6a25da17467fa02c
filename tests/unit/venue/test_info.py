"""The info API over real HTTP: replies, refusals, and every way a venue can fail."""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta

import pytest

from afterword.pipeline.core.store import Store
from afterword.pipeline.errors import CircuitOpenError
from afterword.pipeline.gateway.http.breaker import Breaker
from afterword.pipeline.gateway.http.circuit import MOST_FAILURES, CircuitName
from afterword.pipeline.gateway.http.model import AskFailedError, RefusedError
from afterword.pipeline.gateway.venue.info import HyperliquidInfo
from afterword.pipeline.gateway.venue.model import InfoRequest
from afterword.pipeline.gateway.venue.weight import WeightMeter, WeightSpentError
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.faulty_server import Behaviour, cut, flood, hang, refuses, says
from afterword.pipeline.testing.venue_server import VenueServer

ADDRESS = "0x" + "ab" * 20
FILLS = InfoRequest("userFillsByTime", {"user": ADDRESS, "startTime": 0}, 2_000)


def fill(time: int) -> dict[str, int]:
    return {"time": time, "tid": time}


@pytest.fixture
def server() -> Iterator[VenueServer]:
    with VenueServer() as server:
        yield server


@pytest.fixture
def meter(instance: Store, clock: ManualClock) -> WeightMeter:
    return WeightMeter(instance, "hyperliquid", 1_200, 20, clock)


@pytest.fixture
def info(
    server: VenueServer, instance: Store, clock: ManualClock, meter: WeightMeter
) -> Iterator[HyperliquidInfo]:
    breaker = Breaker(instance, CircuitName("hyperliquid", "info", "x"), clock, 20)
    with closing(HyperliquidInfo(server.origin, 1, clock, breaker, meter)) as info:
        yield info


def test_a_reply_is_booked_with_its_rows(
    server: VenueServer, info: HyperliquidInfo, meter: WeightMeter
) -> None:
    server.account(ADDRESS).trade(fill(time) for time in range(100))
    assert info.ask(FILLS) == [fill(time) for time in range(100)]
    assert meter.used() == server.heaviest == 25


def test_an_unknown_address_has_an_empty_list(server: VenueServer, info: HyperliquidInfo) -> None:
    assert info.ask(FILLS) == []
    role = InfoRequest("userRole", {"user": ADDRESS}, 1)
    assert info.ask(role) == {"role": "missing"}


def test_a_malformed_address_is_refused(info: HyperliquidInfo) -> None:
    with pytest.raises(RefusedError):
        info.ask(InfoRequest("userRole", {"user": "0x12"}, 1))


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (hang, "no complete reply within 1 s"),
        (cut, "broke"),
        (flood, "sent more than"),
        (says(b"<html>"), "not JSON"),
        (refuses(500), "500"),
        (refuses(502), "502"),
        (refuses(429), "429"),
        (refuses(429, Retry_After="7"), "429"),
    ],
    ids=["hang", "cut", "flood", "garbage", "500", "502", "429", "429 with a time"],
)
def test_a_fault_is_told_and_is_booked(
    server: VenueServer, info: HyperliquidInfo, meter: WeightMeter, fault: Behaviour, message: str
) -> None:
    server.script(fault)
    with pytest.raises((AskFailedError, CircuitOpenError), match=message):
        info.ask(FILLS)
    assert meter.used() == FILLS.most_weight


def test_a_venue_that_fails_is_left_alone(server: VenueServer, info: HyperliquidInfo) -> None:
    server.script(*[refuses(500)] * MOST_FAILURES)
    for _ in range(MOST_FAILURES):
        with pytest.raises(AskFailedError):
            info.ask(InfoRequest("userRole", {"user": ADDRESS}, 1))
    with pytest.raises(CircuitOpenError):
        info.ask(FILLS)
    assert server.requests == MOST_FAILURES


def test_a_spent_minute_asks_nothing(
    server: VenueServer, info: HyperliquidInfo, clock: ManualClock
) -> None:
    server.account(ADDRESS).trade(fill(time) for time in range(2_000))
    for _ in range(10):
        info.ask(FILLS)
    with pytest.raises(WeightSpentError) as spent:
        info.ask(FILLS)
    assert server.requests == 10
    assert server.heaviest == 1_200
    assert spent.value.reopens_at == clock() + timedelta(minutes=1)
