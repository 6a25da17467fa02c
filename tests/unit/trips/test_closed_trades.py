"""A position is counted once, whether its fills are known, its closed trade, or both."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import permutations
from typing import Any

import pytest

from afterword.pipeline.clock import from_millis
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.fills.model import ClosedTrade, Fill
from afterword.pipeline.domain.history.import_fills import ImportCounts, import_spool
from afterword.pipeline.domain.history.spool import Spool
from afterword.pipeline.domain.memory.read import read_memories
from afterword.pipeline.domain.trips.read import trade_checks, trips, trips_named
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.fills import START_MS, traded

IDS = seeded_uids(1)
OPENED = from_millis(START_MS)


def closed(minute: int, net: str, **changes: Any) -> ClosedTrade:
    """Return a long of one coin from 100 to 110, closed so many minutes after it opened."""
    trade = ClosedTrade(
        venue="binance",
        account="me",
        symbol="BTCUSDT",
        kind="perp",
        direction="long",
        size=Decimal(1),
        quote="USDT",
        opened_at=OPENED,
        closed_at=OPENED + timedelta(minutes=minute),
        entry_px=Decimal(100),
        exit_px=Decimal(110),
        net=Decimal(net),
        net_is_after="fees",
        raw="{}",
    )
    return replace(trade, **changes)


FILLS = (
    traded(0, "1", "100", kind="perp", fee="0.5", tid="1"),
    traded(10, "-1", "110", kind="perp", fee="0.5", tid="2"),
)


def import_file(store: Store, *items: Fill | ClosedTrade) -> ImportCounts:
    with Spool("file.csv") as spool:
        for item in items:
            spool.add(item)
        spool.close_file()
        return import_spool(store, spool, ManualClock(), IDS)


def read(store: Store) -> list[Trip]:
    with reading(store) as conn:
        return trips(conn)


def told(store: Store) -> list[str]:
    return [memory.content for memory in read_memories(store)]


def test_a_closed_trade_is_a_trip_and_a_memory(store):
    done = import_file(store, closed(10, "9", gross=Decimal(10), fees=Decimal(1), label="breakout"))

    (trip,) = read(store)
    assert (done.closed_trades_new, done.memories, done.disagreements) == (1, 1, 0)
    assert (trip.gross, trip.fees, trip.net, trip.fills) == (10, 1, 9, 0)
    assert (trip.notional, trip.flags, trip.is_incomplete) == (100, ("closed_trade",), False)
    assert told(store) == [
        "long BTCUSDT from $100 to $110, closed +$9.00 net (fees $1.00), held 10 min, "
        "reported without its fills"
    ]


def test_a_second_import_changes_nothing(store):
    import_file(store, closed(10, "9"), closed(20, "9"))
    done = import_file(store, closed(10, "9"), closed(20, "9"))

    assert (done.closed_trades_new, done.closed_trades_known, done.memories) == (0, 2, 0)
    assert len(read(store)) == 2


def test_two_equal_trades_of_one_file_without_ids_stay_two(store):
    assert import_file(store, closed(10, "9"), closed(10, "9")).closed_trades_new == 2
    assert import_file(store, closed(10, "9")).closed_trades_new == 0


def test_what_no_file_says_stays_unknown(store):
    import_file(
        store, closed(10, "9", opened_at=None, entry_px=None, exit_px=None, net_is_after="unknown")
    )

    (trip,) = read(store)
    assert (trip.opened_at, trip.entry_px, trip.gross, trip.notional) == (None, None, None, None)
    assert trip.flags == ("closed_trade", "fees_unknown")
    assert told(store)[0].startswith("long BTCUSDT from unknown to unknown, closed +$9.00 net")


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_where_the_fills_are_known_they_count_whatever_came_first(store, order):
    items = (*FILLS, closed(10, "9"))
    for place in order:
        import_file(store, items[place])

    (trip,) = read(store)
    assert (trip.fills, trip.net) == (2, 9)
    assert len(told(store)) == 1
    with reading(store) as conn:
        (check,) = trade_checks(conn)
    assert (check.trip_uid, check.reported, check.ours, check.agrees) == (trip.trip_uid, 9, 9, True)


def test_a_difference_from_the_fills_is_reported(store):
    import_file(store, closed(10, "8.9"), *FILLS)

    with reading(store) as conn:
        (check,) = trade_checks(conn)
    assert (check.reported, check.ours, check.agrees) == (Decimal("8.9"), 9, False)


def test_the_parts_a_venue_cuts_a_position_into_are_compared_together(store):
    parts = [closed(minute, "4.5", size=Decimal("0.5")) for minute in (5, 10)]
    sales = [
        traded(minute, "-0.5", "110", kind="perp", fee="0.25", tid=f"s{minute}")
        for minute in (5, 10)
    ]
    import_file(store, FILLS[0], *sales, *parts)

    with reading(store) as conn:
        (check,) = trade_checks(conn)
    assert (check.trades, check.reported, check.agrees) == (2, 9, True)


def test_fills_of_another_time_leave_a_closed_trade_as_it_is(store):
    done = import_file(store, closed(500, "9"), *FILLS)

    assert (done.closed_trades_covered, len(read(store))) == (0, 2)


@pytest.mark.parametrize(
    "changes",
    [
        {"gross": Decimal(12)},
        {"net": Decimal(12), "net_is_after": "nothing"},
        {"gross": Decimal(10), "fees": Decimal(2)},
    ],
)
def test_a_ledger_that_does_not_add_up_is_flagged(store, changes):
    done = import_file(store, replace(closed(10, "9"), **changes))

    (trip,) = read(store)
    assert "ledger_disagrees" in trip.flags
    assert done.disagreements == 1


def test_a_read_of_the_past_sees_the_closed_trade_that_counted_then(store):
    clock = ManualClock(datetime(2027, 1, 1, tzinfo=UTC))
    with Spool("a") as spool:
        spool.add(closed(10, "9"))
        spool.close_file()
        import_spool(store, spool, clock, IDS)
    before = clock()
    clock.advance(hours=1)
    with Spool("b") as spool:
        for fill in FILLS:
            spool.add(fill)
        spool.close_file()
        import_spool(store, spool, clock, IDS)

    with reading(store) as conn:
        then, now = trips(conn, as_of=before), trips(conn)
    assert [trip.fills for trip in then] == [0]
    assert [trip.fills for trip in now] == [2]


def test_trips_of_both_sorts_are_found_by_name_in_the_order_asked(store):
    import_file(store, *FILLS, closed(5, "9", symbol="ETHUSDT"), closed(7, "8", symbol="SOLUSDT"))
    names = [trip.trip_uid for trip in reversed(read(store))]

    with reading(store) as conn:
        found = trips_named(conn, [names[0], "f" * 32, *names[1:]])

    assert len(names) == 3 and [trip.trip_uid for trip in found] == names
    assert found == list(reversed(read(store)))
