"""A payment of funding counts in the trip that it was made for, whenever it becomes known."""

from decimal import Decimal
from itertools import count, pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.funding.model import FundingPayment
from afterword.pipeline.domain.funding.read import payments_in
from afterword.pipeline.domain.funding.rows import payments
from afterword.pipeline.domain.history.import_fills import import_fills
from afterword.pipeline.domain.history.keep_funding import keep_funding
from afterword.pipeline.domain.trips.read import trips
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.domain.venues.hyperliquid_api import parse_fills
from afterword.pipeline.gateway.http.model import AskFailedError
from afterword.pipeline.ids import IdSource
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.venue_server import venue_fill

HOUR_MS = 3_600_000
NUMBERS = count()
START_MS = 1_700_000 * HOUR_MS // 4


def held(first_hour: int, last_hour: int, tid: int, account: str = "main") -> list[Fill]:
    """Return the two fills of a trip that earns 1 before a fee of 0.02."""
    opened, closed = START_MS + first_hour * HOUR_MS, START_MS + last_hour * HOUR_MS
    rows = [
        venue_fill(tid, opened, "1.0"),
        venue_fill(tid + 1, closed, "-1.0", "1.0", px="101.0", closedPnl="1.0"),
    ]
    return parse_fills(rows, account, "fills")


def paid(hour: float, amount: str, symbol: str = "BTC") -> FundingPayment:
    at = START_MS + int(hour * HOUR_MS)
    return FundingPayment(symbol, at, Decimal(amount), Decimal(1), Decimal("0.0001"))


def stored(store: Store) -> list[Trip]:
    with reading(store) as conn:
        return sorted(trips(conn), key=lambda trip: trip.closed_at)


def test_a_payment_counts_in_the_trip_that_was_held(
    store: Store, clock: ManualClock, ids: IdSource
) -> None:
    keep_funding(store, "main", "hyperliquid", [paid(1, "-0.25"), paid(2, "0.05")], clock)
    import_fills(store, held(0, 2, 1) + held(3, 5, 10), clock, ids)
    first, second = stored(store)
    assert (first.funding, first.net) == (Decimal("-0.20"), Decimal("0.78"))
    assert (second.funding, second.net) == (None, Decimal("0.98"))


def test_a_late_payment_changes_its_trip_and_the_memory_of_it(
    store: Store, clock: ManualClock, ids: IdSource
) -> None:
    import_fills(store, held(0, 2, 1) + held(3, 5, 10), clock, ids)
    before = clock()
    clock.advance(hours=1)
    assert keep_funding(store, "main", "hyperliquid", [paid(4, "-0.5")], clock) == 1
    done = import_fills(store, [], clock, ids)
    assert (done.trips_new, done.trips_changed, done.memories) == (0, 1, 1)
    assert [trip.net for trip in stored(store)] == [Decimal("0.98"), Decimal("0.48")]
    with reading(store) as conn:
        assert [trip.funding for trip in trips(conn, before)] == [None, None]
        texts = conn.exec_driver_sql(
            "SELECT content, superseded_at IS NULL FROM memories ORDER BY id"
        ).all()
    assert [is_current for _, is_current in texts] == [1, 0, 1]
    assert "fees $0.02, funding -$0.50" in texts[-1][0]


def test_the_same_payments_again_change_nothing(
    store: Store, clock: ManualClock, ids: IdSource
) -> None:
    given_ = [paid(1, "-0.25")]
    keep_funding(store, "main", "hyperliquid", given_, clock)
    import_fills(store, held(0, 2, 1), clock, ids)
    assert keep_funding(store, "main", "hyperliquid", given_, clock) == 0
    assert import_fills(store, [], clock, ids).trips_changed == 0
    with reading(store) as conn:
        assert payments(conn, "main") == given_


def test_a_payment_at_an_edge_is_for_what_was_held_before_it(
    store: Store, clock: ManualClock, ids: IdSource
) -> None:
    # The account turns at hour 2: one fill closes the long position and opens a short one.
    rows = [
        venue_fill(1, START_MS, "1.0"),
        venue_fill(2, START_MS + 2 * HOUR_MS, "-2.0", "1.0", dir="Long > Short", closedPnl="0.0"),
        venue_fill(3, START_MS + 4 * HOUR_MS, "1.0", "-1.0", dir="Close Short", closedPnl="0.0"),
    ]
    edges = [paid(0, "-8"), paid(2, "-1"), paid(4, "-2"), paid(4.001, "-16")]
    keep_funding(store, "main", "hyperliquid", edges, clock)
    import_fills(store, parse_fills(rows, "main", "fills"), clock, ids)
    assert [trip.funding for trip in stored(store)] == [Decimal(-1), Decimal(-2)]


def test_other_markets_and_accounts_keep_their_own(
    store: Store, clock: ManualClock, ids: IdSource
) -> None:
    keep_funding(store, "main", "hyperliquid", [paid(1, "-1", "ETH")], clock)
    keep_funding(store, "other", "hyperliquid", [paid(1, "-2")], clock)
    import_fills(store, held(0, 2, 1) + held(0, 2, 10, "other"), clock, ids)
    assert {trip.account: trip.funding for trip in stored(store)} == {
        "main": None,
        "other": Decimal(-2),
    }


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    hours=st.lists(st.integers(0, 30), unique=True, max_size=12),
    splits=st.lists(st.integers(0, 12), max_size=3),
)
def test_every_order_of_arrival_ends_the_same(
    store: Store,
    clock: ManualClock,
    ids: IdSource,
    hours: list[int],
    splits: list[int],
) -> None:
    account = f"account-{next(NUMBERS)}"  # the store holds the accounts of all examples
    fills = [fill for place in range(4) for fill in held(8 * place, 8 * place + 6, 10 * place)]
    fills = [fill._replace(account=account) for fill in fills]
    given_ = [paid(hour, f"-0.{hour + 1:02}") for hour in hours]
    edges = [0, *sorted(min(split, len(given_)) for split in splits), len(given_)]
    for place, (start, end) in enumerate(pairwise(edges)):
        keep_funding(store, account, "hyperliquid", given_[start:end], clock)
        import_fills(store, fills[: 2 * (place + 1)] if place < 3 else fills, clock, ids)
    import_fills(store, fills, clock, ids)
    with reading(store) as conn:
        known = sorted(trips(conn, None, account), key=lambda trip: trip.closed_at)
    expected = [
        sum(one.amount for one in given_ if 8 * place < _hour(one) <= 8 * place + 6)
        for place in range(4)
    ]
    assert [trip.funding or 0 for trip in known] == expected
    assert [trip.net for trip in known] == [Decimal("0.98") + one for one in expected]


def _hour(payment: FundingPayment) -> float:
    return (payment.time_ms - START_MS) / HOUR_MS


ROW = {
    "time": 1_700_000_000_000,
    "hash": "0x0",
    "delta": {
        "type": "funding",
        "coin": "ETH",
        "usdc": "-3.625312",
        "szi": "49.1477",
        "fundingRate": "0.0000417",
        "nSamples": None,
    },
}


def test_rows_of_the_venue_are_read() -> None:
    (payment,) = payments_in([ROW])
    assert payment.amount == Decimal("-3.625312")
    assert (payment.symbol, payment.time_ms) == ("ETH", 1_700_000_000_000)


@pytest.mark.parametrize(
    "change",
    [
        {"type": "deposit"},
        {"coin": None},
        {"coin": "two words"},
        {"usdc": 1.5},
        {"usdc": "NaN"},
        {"szi": "1e5"},
        {"fundingRate": ""},
    ],
    ids=str,
)
def test_a_row_that_is_no_payment_is_refused(change: dict[str, object]) -> None:
    bad = {**ROW, "delta": {**ROW["delta"], **change}}  # type: ignore[dict-item]
    with pytest.raises(AskFailedError, match="Hyperliquid sent"):
        payments_in([ROW, bad])
