"""No minute of the venue holds more weight than its limit, whoever asks."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.gateway.venue.model import InfoRequest
from afterword.pipeline.gateway.venue.weight import METER_SPAN, WeightMeter, WeightSpentError
from afterword.pipeline.testing.clock import ManualClock

LIMIT = 1_200


@pytest.fixture
def meter(instance: Store, clock: ManualClock) -> WeightMeter:
    return WeightMeter(instance, "hyperliquid", LIMIT, 20, clock)


def test_a_request_is_booked_with_what_its_reply_weighed(meter: WeightMeter) -> None:
    with meter.reserved(120) as request:
        assert meter.used() == 120
        request.weight = 21
    assert meter.used() == 21


def test_a_spent_minute_says_when_there_is_room(meter: WeightMeter, clock: ManualClock) -> None:
    for _ in range(10):
        with meter.reserved(120):
            pass
        clock.advance(seconds=1)
    with (
        pytest.raises(WeightSpentError, match="weight 1200 a minute") as spent,
        meter.reserved(130),
    ):
        pass
    # Room for 130 needs the first two requests to count no more; the second ended one second in.
    assert spent.value.reopens_at == clock() - timedelta(seconds=9) + METER_SPAN
    clock.set(spent.value.reopens_at)
    with meter.reserved(130):
        assert meter.used() <= LIMIT


def test_a_request_counts_for_a_minute_after_its_end(
    meter: WeightMeter, clock: ManualClock
) -> None:
    with meter.reserved(LIMIT):
        clock.advance(seconds=50)
    clock.advance(seconds=59)
    with pytest.raises(WeightSpentError), meter.reserved(1):
        pass
    clock.advance(seconds=1)
    with meter.reserved(1):
        pass


def test_a_request_of_a_dead_process_ends_by_itself(meter: WeightMeter, clock: ManualClock) -> None:
    lost = meter.reserved(LIMIT)
    lost.__enter__()
    clock.advance(seconds=79)
    with pytest.raises(WeightSpentError), meter.reserved(1):
        pass
    clock.advance(seconds=1)
    with meter.reserved(1):
        pass


def test_a_heavy_request_has_a_minute_of_its_own(meter: WeightMeter, clock: ManualClock) -> None:
    with meter.reserved(5 * LIMIT):
        assert meter.used() == LIMIT
    with pytest.raises(WeightSpentError), meter.reserved(1):
        pass


def test_a_clock_that_was_set_back_blocks_nobody_for_long(
    meter: WeightMeter, clock: ManualClock
) -> None:
    clock.advance(days=1)
    with meter.reserved(LIMIT):
        pass
    clock.set(clock() - timedelta(days=1))
    with meter.reserved(LIMIT):
        pass


def test_old_requests_are_removed(meter: WeightMeter, clock: ManualClock, instance: Store) -> None:
    for _ in range(50):
        with meter.reserved(LIMIT):
            pass
        clock.advance(minutes=1)
    with reading(instance) as conn:
        (count,) = conn.exec_driver_sql("SELECT count(*) FROM venue_requests").one()
    assert count == 1


def test_threads_share_one_limit(instance: Store, clock: ManualClock) -> None:
    meters = [WeightMeter(instance, "hyperliquid", LIMIT, 20, clock) for _ in range(4)]

    def ask(place: int) -> int:
        try:
            with meters[place % 4].reserved(100):
                return 100
        except WeightSpentError:
            return 0

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(ask, range(40))) == LIMIT


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    requests=st.lists(
        st.tuples(
            st.sampled_from((50, 650, 1_200)),  # largest weight
            st.integers(0, 70),  # seconds before it is asked
            st.integers(0, 20),  # seconds that it takes
            st.sampled_from((0, 0.5, 1)),  # when of these the venue counts it
            st.sampled_from((0.2, 1.0)),  # share of its largest weight that it has
        ),
        max_size=25,
    )
)
def test_whenever_the_venue_counts_no_minute_is_above_the_limit(
    instance: Store, requests: list[tuple[int, int, int, float, float]]
) -> None:
    counted = asked_one_by_one(instance, requests)
    for end, _ in counted:
        minute = sum(weight for at, weight in counted if end - METER_SPAN < at <= end)
        assert minute <= LIMIT


def asked_one_by_one(
    instance: Store, requests: list[tuple[int, int, int, float, float]]
) -> list[tuple[datetime, int]]:
    """Return when the venue counted each request that was sent, and its weight."""
    clock = ManualClock()
    with writing(instance) as conn:
        conn.exec_driver_sql("DELETE FROM venue_requests")
    meter = WeightMeter(instance, "hyperliquid", LIMIT, 20, clock)
    counted = []
    for most, pause_s, takes_s, counts_at, share in requests:
        clock.advance(seconds=pause_s)
        try:
            with meter.reserved(most) as request:
                request.weight = int(most * share)
                counted.append((clock() + counts_at * timedelta(seconds=takes_s), request.weight))
                clock.advance(seconds=takes_s)
        except WeightSpentError as spent:
            assert spent.reopens_at is not None
            assert clock() < spent.reopens_at <= clock() + METER_SPAN
    return counted


@pytest.mark.parametrize(
    ("request_", "weight"),
    [
        (InfoRequest("userFillsByTime", {}, 2_000), 120),
        (InfoRequest("userFunding", {}, 500), 45),
        (InfoRequest("clearinghouseState", {}, 1), 2),
        (InfoRequest("userRole", {}, 1), 60),
        (InfoRequest("portfolio", {}, 4), 20),
        (InfoRequest("candleSnapshot", {}, 5_000), 103),
    ],
    ids=lambda value: value.type if isinstance(value, InfoRequest) else "",
)
def test_weights_are_those_of_the_venue(request_: InfoRequest, weight: int) -> None:
    assert request_.most_weight == weight


def test_moments_are_told_in_utc(meter: WeightMeter) -> None:
    with meter.reserved(LIMIT), pytest.raises(WeightSpentError) as spent, meter.reserved(1):
        pass
    assert spent.value.reopens_at is not None
    assert spent.value.reopens_at.tzinfo == from_micros(0).tzinfo
