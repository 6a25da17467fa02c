"""A mirror that is cut off goes on where it was, and one bad account or row holds nothing else."""

import threading
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

import pytest

from afterword.pipeline.clock import EPOCH
from afterword.pipeline.core.store import Store, Stores, reading
from afterword.pipeline.domain.accounts.add import add_account
from afterword.pipeline.domain.accounts.pause import pause_accounts
from afterword.pipeline.domain.sync.mirror import MirrorParts
from afterword.pipeline.domain.sync.status import sync_status
from afterword.pipeline.domain.sync.sync import sync_accounts
from afterword.pipeline.domain.sync.turn import SyncPauses
from afterword.pipeline.errors import PostponedError, UnavailableError
from afterword.pipeline.gateway.http.model import AskFailedError
from afterword.pipeline.gateway.venue.info import HyperliquidInfo
from afterword.pipeline.operations.forget.forget import forget
from afterword.pipeline.operations.forget.model import ForgetRequest
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.faulty_server import (
    Behaviour,
    RequestTurn,
    answer,
    refuses,
)
from afterword.pipeline.testing.venue_server import (
    VenueServer,
    venue_fill,
    venue_payment,
    venue_trip,
)

PAUSES = SyncPauses()
HOUR_MS = 3_600_000
GOOD = "0x" + "cd" * 20


def ms(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(milliseconds=1)


def rows_of(store: Store, table: str) -> int:
    with reading(store) as conn:
        return int(conn.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one())


def minutes_pass(
    parts: MirrorParts, info: HyperliquidInfo, clock: ManualClock, minutes: int
) -> None:
    """Let a worker run again each minute, as a job that is postponed does."""
    for _ in range(minutes):
        with suppress(UnavailableError, PostponedError):
            sync_accounts(parts, info, PAUSES)
        clock.advance(minutes=1)


def fails_for(venue: VenueServer, addresses: set[str], fault: Behaviour) -> None:
    """Let every question about some addresses fail, and all others be answered."""

    def act(turn: RequestTurn[Any]) -> None:
        (fault if turn.asked.user in addresses else answer)(turn)

    venue.unscripted = lambda: act  # type: ignore[method-assign]


@pytest.mark.parametrize("limit", [120, 1_200])
def test_more_funding_than_a_minute_of_weight_is_mirrored_minute_by_minute(
    venue: VenueServer,
    worker_info: HyperliquidInfo,
    mirror_parts: MirrorParts,
    clock: ManualClock,
    limit: int,
) -> None:
    hours = limit * 12  # a page of 500 weighs 45
    now_ms = ms(clock())
    venue.account(GOOD).funding = [
        venue_payment(now_ms - (hours - hour) * HOUR_MS) for hour in range(hours)
    ]
    venue.account(GOOD).trade(venue_trip(1, now_ms - HOUR_MS))
    add_account(mirror_parts.store, worker_info, "main", GOOD, "own", clock)
    minutes_pass(mirror_parts, worker_info, clock, 8)
    assert rows_of(mirror_parts.store, "funding_payments") == hours
    assert rows_of(mirror_parts.store, "perps_fills") == 2
    assert {state.whole_since_ms for state in sync_status(mirror_parts.store)} == {0}
    assert venue.heaviest <= hours * 45 // 500 + 400  # hardly a page was asked for twice


@pytest.mark.parametrize("limit", [250])
@pytest.mark.parametrize("trips", [3_000, 5_003])
def test_fills_that_need_some_minutes_of_weight_are_whole_since_the_same_moment(
    venue: VenueServer,
    worker_info: HyperliquidInfo,
    mirror_parts: MirrorParts,
    clock: ManualClock,
    trips: int,
) -> None:
    begin_ms = ms(clock()) - 2 * trips * 60_000
    venue.account(GOOD).fills = [
        fill
        for place in range(trips)
        for fill in venue_trip(1 + 2 * place, begin_ms + place * 120_000)
    ]
    add_account(mirror_parts.store, worker_info, "main", GOOD, "own", clock)
    minutes_pass(mirror_parts, worker_info, clock, 9)
    reachable = min(2 * trips, 10_000)
    assert rows_of(mirror_parts.store, "perps_fills") == reachable
    (fills,) = [one for one in sync_status(mirror_parts.store) if one.source == "perps_fills"]
    assert fills.whole_since_ms == (0 if trips == 3_000 else begin_ms + 3 * 120_000)


def test_accounts_that_are_broken_from_the_first_on_hold_no_other(
    venue: VenueServer, worker_info: HyperliquidInfo, mirror_parts: MirrorParts, clock: ManualClock
) -> None:
    broken = {f"0x{number:040x}" for number in range(4)}
    for address in sorted(broken):
        venue.account(address)
        add_account(mirror_parts.store, worker_info, f"a{address[-1]}", address, "own", clock)
    venue.account(GOOD).trade(venue_trip(1, ms(clock()) - HOUR_MS))
    add_account(mirror_parts.store, worker_info, "last", GOOD, "own", clock)
    fails_for(venue, broken, refuses(500))
    clock.advance(minutes=2)
    report = sync_accounts(mirror_parts, worker_info, PAUSES)
    assert rows_of(mirror_parts.store, "perps_fills") == 2
    failures = {
        state.sub_account_id: state.consecutive_failures
        for state in sync_status(mirror_parts.store)
    }
    assert failures == {"a0": 1, "a1": 1, "a2": 1, "a3": 1, "last": 0}
    assert report.stopped_by is None


def test_an_open_circuit_is_closed_by_a_question_about_nobody(
    venue: VenueServer, worker_info: HyperliquidInfo, mirror_parts: MirrorParts, clock: ManualClock
) -> None:
    broken = "0x" + "01" * 20
    for name, address in {"a": broken, "last": GOOD}.items():
        venue.account(address)
        add_account(mirror_parts.store, worker_info, name, address, "own", clock)
    venue.script(*[refuses(500)] * 20)
    minutes_pass(mirror_parts, worker_info, clock, 6)
    venue.recover()
    venue.account(GOOD).trade(venue_trip(1, ms(clock()) - HOUR_MS))
    fails_for(venue, {broken}, refuses(500))
    minutes_pass(mirror_parts, worker_info, clock, 11)  # the longest pause of a circuit
    assert rows_of(mirror_parts.store, "perps_fills") == 2


def test_an_outage_ends_a_run_before_all_accounts_have_been_asked_for(
    venue: VenueServer, worker_info: HyperliquidInfo, mirror_parts: MirrorParts, clock: ManualClock
) -> None:
    for number in range(9):
        venue.account(f"0x{number:040x}")
        add_account(mirror_parts.store, worker_info, f"a{number}", f"0x{number:040x}", "own", clock)
        clock.advance(minutes=1)
    asked = venue.requests
    venue.script(*[refuses(500)] * 40)
    with pytest.raises(AskFailedError):
        sync_accounts(mirror_parts, worker_info, PAUSES)
    assert venue.requests == asked + 1


def test_a_row_of_the_future_carries_no_mirror_past_what_happens_until_then(
    venue: VenueServer, worker_info: HyperliquidInfo, mirror_parts: MirrorParts, clock: ManualClock
) -> None:
    venue.account(GOOD).trade(venue_trip(1, ms(clock()) + 23 * HOUR_MS, "ETH"))
    add_account(mirror_parts.store, worker_info, "main", GOOD, "own", clock)
    sync_accounts(mirror_parts, worker_info, PAUSES)
    for number in range(50):
        clock.advance(minutes=31)
        venue.account(GOOD).trade(venue_trip(10 + 2 * number, ms(clock()) - 600_000))
        sync_accounts(mirror_parts, worker_info, PAUSES)
    assert rows_of(mirror_parts.store, "perps_fills") == len(venue.account(GOOD).fills)


def test_a_row_of_the_future_of_the_mirror_is_not_the_end_of_a_whole_history(
    venue: VenueServer, worker_info: HyperliquidInfo, mirror_parts: MirrorParts, clock: ManualClock
) -> None:
    venue.account(GOOD).trade(venue_trip(1, ms(clock()) + 5_000))  # the venue is ahead by seconds
    add_account(mirror_parts.store, worker_info, "main", GOOD, "own", clock)
    for _ in range(3):
        sync_accounts(mirror_parts, worker_info, PAUSES)
        clock.advance(minutes=31)
    assert {state.whole_since_ms for state in sync_status(mirror_parts.store)} == {0}


def test_an_account_that_is_paused_in_the_middle_of_a_run_is_asked_for_no_more(
    venue: VenueServer, worker_info: HyperliquidInfo, mirror_parts: MirrorParts, clock: ManualClock
) -> None:
    for name, address in {"first": "0x" + "01" * 20, "last": GOOD}.items():
        venue.account(address).trade(venue_trip(1, ms(clock()) - HOUR_MS))
        add_account(mirror_parts.store, worker_info, name, address, "own", clock)

    def pause(turn: RequestTurn[Any]) -> None:
        pause_accounts(mirror_parts.store, "last", clock, pauses=True)
        answer(turn)

    venue.script(answer, pause)
    sync_accounts(mirror_parts, worker_info, PAUSES)
    with reading(mirror_parts.store) as conn:
        names = conn.exec_driver_sql("SELECT DISTINCT sub_account_id FROM perps_fills").scalars()
        assert list(names) == ["first"]


def test_somebody_who_asks_reaches_a_mirror_that_is_left_out(
    venue: VenueServer, worker_info: HyperliquidInfo, mirror_parts: MirrorParts, clock: ManualClock
) -> None:
    venue.account(GOOD).fills = [{"time": 5, "coin": 7}]
    add_account(mirror_parts.store, worker_info, "main", GOOD, "own", clock)
    for _ in range(5):
        sync_accounts(mirror_parts, worker_info, PAUSES, is_forced=True)
        clock.advance(minutes=1)
    venue.account(GOOD).fills = venue_trip(1, ms(clock()) - HOUR_MS)
    sync_accounts(mirror_parts, worker_info, PAUSES)
    assert rows_of(mirror_parts.store, "perps_fills") == 0
    sync_accounts(mirror_parts, worker_info, PAUSES, is_forced=True)
    assert rows_of(mirror_parts.store, "perps_fills") == 2


def test_a_trip_that_the_venue_tells_days_late_is_mirrored_by_the_next_day(
    venue: VenueServer, worker_info: HyperliquidInfo, mirror_parts: MirrorParts, clock: ManualClock
) -> None:
    venue.account(GOOD).trade(venue_trip(1, ms(clock()) - HOUR_MS))
    add_account(mirror_parts.store, worker_info, "main", GOOD, "own", clock)
    sync_accounts(mirror_parts, worker_info, PAUSES)
    venue.account(GOOD).trade(venue_trip(11, ms(clock()) - 5 * 24 * HOUR_MS))
    clock.advance(hours=23)
    sync_accounts(mirror_parts, worker_info, PAUSES)
    assert rows_of(mirror_parts.store, "perps_fills") == 2  # no fill around it is missing
    clock.advance(hours=1)
    sync_accounts(mirror_parts, worker_info, PAUSES)
    assert rows_of(mirror_parts.store, "perps_fills") == 4


def test_a_run_that_has_read_the_fills_of_a_forgotten_account_stores_them_before(
    venue: VenueServer,
    worker_info: HyperliquidInfo,
    mirror_parts: MirrorParts,
    stores: Stores,
    clock: ManualClock,
) -> None:
    for name, address in {"first": GOOD, "last": "0x" + "ef" * 20}.items():
        venue.account(address).trade(venue_trip(1, ms(clock()) - HOUR_MS))
        add_account(mirror_parts.store, worker_info, name, address, "own", clock)
    is_asked, may_answer = threading.Event(), threading.Event()

    def late(turn: RequestTurn[Any]) -> None:
        is_asked.set()
        may_answer.wait(0.4)
        answer(turn)

    venue.script(answer, answer, late)  # the fills of the first account
    run = threading.Thread(target=sync_accounts, args=(mirror_parts, worker_info, PAUSES))
    run.start()
    assert is_asked.wait(10)
    request = ForgetRequest((), "first", trades=True)
    forget(stores, "main", request, clock, wait=lambda _s: may_answer.set() or run.join())
    run.join()
    with reading(mirror_parts.store) as conn:
        names = conn.exec_driver_sql("SELECT DISTINCT sub_account_id FROM perps_fills").scalars()
        assert list(names) == ["last"]


def test_a_run_that_waits_for_forgetting_asks_for_no_forgotten_account(
    venue: VenueServer,
    worker_info: HyperliquidInfo,
    mirror_parts: MirrorParts,
    stores: Stores,
    clock: ManualClock,
) -> None:
    venue.account(GOOD).trade(venue_trip(1, ms(clock()) - HOUR_MS))
    add_account(mirror_parts.store, worker_info, "main", GOOD, "own", clock)
    sync_accounts(mirror_parts, worker_info, PAUSES)
    asked = venue.requests
    forget(stores, "main", ForgetRequest((), "main", trades=True), clock)
    assert sync_accounts(mirror_parts, worker_info, PAUSES, is_forced=True).sources == []
    assert venue.requests == asked


def test_a_gap_is_asked_for_again_after_a_run_that_a_busy_venue_ended(
    venue: VenueServer, worker_info: HyperliquidInfo, mirror_parts: MirrorParts, clock: ManualClock
) -> None:
    clock.advance(hours=9)
    first, last = venue_trip(1, ms(clock()) - 5 * HOUR_MS)
    close = {"sz": "1.5", "startPosition": "1.5", "time": ms(clock()) - HOUR_MS}
    venue.account(GOOD).trade([first, last | close])
    add_account(mirror_parts.store, worker_info, "main", GOOD, "own", clock)
    sync_accounts(mirror_parts, worker_info, PAUSES)
    clock.advance(minutes=31)
    venue.account(GOOD).trade([venue_fill(50, first["time"] + 1_000, "0.5", "1.0")])
    venue.script(answer, refuses(429))
    for _ in range(2):
        sync_accounts(mirror_parts, worker_info, PAUSES)
        clock.advance(minutes=31)
    assert rows_of(mirror_parts.store, "perps_fills") == 3
