"""The mirror of an account has what the venue has, whatever failed on the way."""

from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from afterword.pipeline.clock import EPOCH
from afterword.pipeline.core.store import Store, Stores, reading
from afterword.pipeline.domain.accounts.add import add_account
from afterword.pipeline.domain.history.import_fills import import_fills
from afterword.pipeline.domain.sync import state_rows
from afterword.pipeline.domain.sync.mirror import MirrorParts
from afterword.pipeline.domain.sync.report import SyncReport
from afterword.pipeline.domain.sync.sync import sync_accounts
from afterword.pipeline.domain.sync.turn import SyncPauses, SyncState
from afterword.pipeline.domain.sync.venue_fills import PAGE_FILLS, REACHABLE_FILLS
from afterword.pipeline.domain.trips.read import trips
from afterword.pipeline.domain.venues.hyperliquid_api import parse_fills
from afterword.pipeline.errors import CircuitOpenError, UnavailableError
from afterword.pipeline.gateway.http.breaker import Breaker
from afterword.pipeline.gateway.http.circuit import CircuitName
from afterword.pipeline.gateway.http.model import AskFailedError
from afterword.pipeline.gateway.venue.info import HyperliquidInfo
from afterword.pipeline.ids import IdSource
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.faulty_server import (
    Behaviour,
    Reply,
    answer,
    changed,
    cut,
    refuses,
    says,
)
from afterword.pipeline.testing.venue_server import VenueServer, venue_fill

MINE, OTHER = "0x" + "ab" * 20, "0x" + "cd" * 20
PAUSES = SyncPauses()
MINUTE_MS = 60_000
VALUE_AND_LEDGER = 5
"""Requests of the source `transfers`: four for the value of an account, and one for its ledger."""
NUMBERS = count()


@pytest.fixture
def server() -> Iterator[VenueServer]:
    with VenueServer() as server:
        yield server


@pytest.fixture
def info(server: VenueServer, instance: Store, clock: ManualClock) -> Iterator[HyperliquidInfo]:
    breaker = Breaker(instance, CircuitName("hyperliquid", "accounts", "x"), clock, 20)
    with closing(HyperliquidInfo(server.origin, 5, clock, breaker)) as info:
        yield info


@pytest.fixture
def parts(store: Store, clock: ManualClock, ids: IdSource) -> MirrorParts:
    return MirrorParts(store, clock, ids)


@pytest.fixture
def main(
    server: VenueServer, info: HyperliquidInfo, store: Store, clock: ManualClock
) -> VenueServer:
    """The venue, with the account `main` added."""
    server.account(MINE)
    add_account(store, info, "main", MINE, "own", clock)
    return server


def ms(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(milliseconds=1)


def trip(tid: int, opened_ms: int, coin: str = "BTC") -> list[Reply]:
    closed = venue_fill(tid + 1, opened_ms + MINUTE_MS, "-1.0", "1.0", px="101.0", closedPnl="1.0")
    return [venue_fill(tid, opened_ms, "1.0", coin=coin), closed | {"coin": coin}]


def state(store: Store, source: Any = "perps_fills", account: str = "main") -> SyncState:
    with reading(store) as conn:
        return state_rows.find(conn, source, account)


def told(store: Store) -> list[tuple[Any, ...]]:
    """Return what trips a store has, without the row ids."""
    with reading(store) as conn:
        known = trips(conn)
    return sorted(
        (trip.account, trip.symbol, trip.closed_at, trip.net, trip.funding or 0, trip.flags)
        for trip in known
    )


def new_of(report: SyncReport) -> dict[str, int]:
    return {source.source: source.new for source in report.sources}


def test_a_mirror_has_what_an_import_of_the_same_rows_has(
    main: VenueServer,
    info: HyperliquidInfo,
    parts: MirrorParts,
    stores: Stores,
    clock: ManualClock,
    ids: IdSource,
) -> None:
    rows = [
        row
        for place in range(PAGE_FILLS // 2 + 200)
        for row in trip(1 + 2 * place, ms(clock()) - (5_000 - 3 * place) * MINUTE_MS)
    ]
    main.account(MINE).trade(rows)
    assert new_of(sync_accounts(parts, info, PAUSES)) == {
        "transfers": 0,
        "funding": 0,
        "perps_fills": len(rows),
    }
    beside = stores.group("beside", create=True)
    fills = parse_fills(sorted(rows, key=lambda row: row["time"]), "main", "fills")
    import_fills(beside, fills, clock, ids, wallets={"main": MINE})
    assert told(parts.store) == told(beside)
    assert state(parts.store).whole_since_ms == 0


def test_only_what_is_new_is_asked_for_again(
    main: VenueServer, info: HyperliquidInfo, parts: MirrorParts, clock: ManualClock
) -> None:
    at = ms(clock()) - 24 * 60 * MINUTE_MS
    main.account(MINE).trade(trip(1, at))
    sync_accounts(parts, info, PAUSES)
    clock.advance(minutes=30)
    main.account(MINE).trade(trip(11, at + 120 * MINUTE_MS))
    assert new_of(sync_accounts(parts, info, PAUSES))["perps_fills"] == 2
    starts = [
        request.body["startTime"] for request in main.asked if request.type == "userFillsByTime"
    ]
    assert starts == [0, at + MINUTE_MS - 3_600_000]
    assert len(told(parts.store)) == 2


def test_a_late_fill_with_an_old_time_is_mirrored_and_changes_its_trip(
    main: VenueServer, info: HyperliquidInfo, parts: MirrorParts, clock: ManualClock
) -> None:
    at = ms(clock()) - 120 * MINUTE_MS
    first, last = trip(1, at)
    late = venue_fill(50, at + 1_000, "0.5", "1.0")
    close = {"sz": "1.5", "startPosition": "1.5"}
    main.account(MINE).trade([first, last | close])
    sync_accounts(parts, info, PAUSES)
    ((*_, flags),) = told(parts.store)
    assert "fills_missing" in flags
    clock.advance(minutes=30)
    main.account(MINE).trade([late])
    sync_accounts(parts, info, PAUSES)
    ((*_, flags),) = told(parts.store)
    assert flags == ()


def test_more_fills_than_the_venue_hands_out_are_told(
    main: VenueServer, info: HyperliquidInfo, parts: MirrorParts, clock: ManualClock
) -> None:
    begin = ms(clock()) - 20_000 * MINUTE_MS
    place = REACHABLE_FILLS // 2 + 3
    for number in range(place):
        main.account(MINE).fills += trip(1 + 2 * number, begin + 2 * number * MINUTE_MS)
    sync_accounts(parts, info, PAUSES)
    assert state(parts.store).whole_since_ms == begin + 6 * MINUTE_MS


@pytest.mark.parametrize(
    "fault",
    [
        cut,
        refuses(500),
        says(b"<html>"),
        says(b'{"a": 1}'),
        says(b"[1]"),
        changed(lambda rows: rows.append({"time": 5})),  # type: ignore[attr-defined]
    ],
    ids=["cut", "500", "html", "object", "numbers", "a bad row"],
)
def test_a_fault_leaves_what_was_mirrored_and_is_made_good(
    main: VenueServer,
    info: HyperliquidInfo,
    parts: MirrorParts,
    clock: ManualClock,
    fault: Behaviour,
) -> None:
    main.account(MINE).trade(trip(1, ms(clock()) - 50 * MINUTE_MS))
    # All is answered but the fills, which are asked for last.
    main.script(*[answer] * (VALUE_AND_LEDGER + 1), fault)
    report = sync_accounts(parts, info, PAUSES)
    assert [source.source for source in report.sources if source.error] == ["perps_fills"]
    assert told(parts.store) == []
    failed = state(parts.store)
    assert (failed.consecutive_failures, failed.last_synced_at) == (1, None)
    assert failed.last_error
    clock.advance(minutes=5)
    sync_accounts(parts, info, PAUSES)
    assert len(told(parts.store)) == 1
    assert state(parts.store) == replace(
        failed,
        consecutive_failures=0,
        last_error=None,
        last_synced_at=clock(),
        last_tried_at=clock(),
        last_synced_ts_ms=main.account(MINE).fills[-1]["time"],
        whole_since_ms=0,
    )


def test_an_outage_counts_against_nobody(
    main: VenueServer, info: HyperliquidInfo, parts: MirrorParts, clock: ManualClock
) -> None:
    main.script(*[refuses(500)] * 40)
    for _ in range(12):
        with pytest.raises((AskFailedError, CircuitOpenError)):
            sync_accounts(parts, info, PAUSES)
        clock.advance(minutes=30)
    assert state(parts.store) == SyncState("perps_fills", "main")
    assert state(parts.store, "funding").consecutive_failures == 0


def test_a_broken_account_holds_no_other_and_is_left_out_in_the_end(
    main: VenueServer,
    info: HyperliquidInfo,
    parts: MirrorParts,
    clock: ManualClock,
) -> None:
    main.account(OTHER)
    add_account(parts.store, info, "second", OTHER, "own", clock)
    main.account(MINE).fills = [{"time": 5, "coin": 7}]
    for number in range(7):
        main.account(OTHER).trade(trip(10 * number, ms(clock()) - 60_000 * (number + 2)))
        sync_accounts(parts, info, PAUSES)
        clock.advance(minutes=10)
    # Five tries, and then a probe every half an hour: 40, 50 and 60 minutes are too early.
    assert state(parts.store).consecutive_failures == 5
    assert state(parts.store, account="second").consecutive_failures == 0
    assert {account for account, *_ in told(parts.store)} == {"second"}
    main.account(MINE).fills = trip(1_000, ms(clock()) - 60_000)
    clock.advance(minutes=10)
    sync_accounts(parts, info, PAUSES)
    assert state(parts.store).consecutive_failures == 0


def test_a_venue_that_is_busy_ends_the_run_and_says_so(
    main: VenueServer, info: HyperliquidInfo, parts: MirrorParts, clock: ManualClock
) -> None:
    main.account(OTHER)
    add_account(parts.store, info, "second", OTHER, "own", clock)
    asked = main.requests
    # The venue and the value and ledger of the first account are answered, its funding is not.
    main.script(*[answer] * (1 + VALUE_AND_LEDGER), refuses(429))
    report = sync_accounts(parts, info, PAUSES)
    assert list(report.stopped) == ["hyperliquid"]
    assert [source.source for source in report.sources] == ["transfers"]
    assert main.requests == asked + 1 + VALUE_AND_LEDGER + 1  # nobody else was asked
    assert state(parts.store) == SyncState("perps_fills", "main")


def test_a_mirror_rests_unless_somebody_asks_for_it(
    main: VenueServer, info: HyperliquidInfo, parts: MirrorParts, clock: ManualClock
) -> None:
    sync_accounts(parts, info, PAUSES)
    asked = main.requests
    clock.advance(minutes=4)
    resting = sync_accounts(parts, info, PAUSES).resting
    assert resting == [clock() + timedelta(minutes=1)] * 3
    assert main.requests == asked
    sync_accounts(parts, info, PAUSES, is_forced=True)
    assert main.requests == asked + VALUE_AND_LEDGER + 2


def test_funding_of_the_venue_is_in_the_trips(
    main: VenueServer, info: HyperliquidInfo, parts: MirrorParts, clock: ManualClock
) -> None:
    at = ms(clock()) - 50 * MINUTE_MS
    main.account(MINE).trade(trip(1, at))
    sync_accounts(parts, info, PAUSES)
    delta = {"type": "funding", "coin": "BTC", "usdc": "-0.25", "szi": "1.0", "nSamples": None}
    main.account(MINE).funding = [
        {"time": at + 1_000, "delta": delta | {"fundingRate": "0.0000125"}}
    ]
    clock.advance(minutes=30)
    assert new_of(sync_accounts(parts, info, PAUSES)) == {
        "transfers": 0,
        "funding": 1,
        "perps_fills": 0,
    }
    ((_, _, _, net, funding, _),) = told(parts.store)
    assert (str(net), str(funding)) == ("0.73", "-0.25")


def test_a_reference_and_a_removed_account_are_not_mirrored(
    server: VenueServer, info: HyperliquidInfo, parts: MirrorParts, clock: ManualClock
) -> None:
    server.account(MINE).trade(trip(1, ms(clock()) - 50 * MINUTE_MS))
    add_account(parts.store, info, "whale", MINE, "reference", clock)
    assert sync_accounts(parts, info, PAUSES) == SyncReport()


def test_a_gap_is_asked_for_again_after_a_run_that_failed(
    main: VenueServer, info: HyperliquidInfo, parts: MirrorParts, clock: ManualClock
) -> None:
    at = ms(clock()) - 300 * MINUTE_MS
    first, last = trip(1, at)
    close = {"sz": "1.5", "startPosition": "1.5", "time": at + 200 * MINUTE_MS}
    main.account(MINE).trade([first, last | close])
    sync_accounts(parts, info, PAUSES)
    clock.advance(minutes=30)
    main.account(MINE).trade([venue_fill(50, at + 1_000, "0.5", "1.0")])
    main.script(answer, refuses(500))
    sync_accounts(parts, info, PAUSES)
    clock.advance(minutes=30)
    sync_accounts(parts, info, PAUSES)
    ((*_, flags),) = told(parts.store)
    assert flags == ()


def test_a_clock_that_was_set_back_ends_no_mirror(
    main: VenueServer, info: HyperliquidInfo, parts: MirrorParts, clock: ManualClock
) -> None:
    now_ms = ms(clock())
    main.account(MINE).trade(trip(1, now_ms - 50 * MINUTE_MS))
    sync_accounts(parts, info, PAUSES)
    clock.set(clock() - timedelta(days=3))
    main.account(MINE).trade(trip(11, now_ms + MINUTE_MS))
    sync_accounts(parts, info, PAUSES)
    assert len(told(parts.store)) == 2


def test_a_moment_that_fills_a_page_ends_a_whole_history(
    main: VenueServer, info: HyperliquidInfo, parts: MirrorParts, clock: ManualClock
) -> None:
    at = ms(clock()) - 50 * MINUTE_MS
    rows = [venue_fill(tid, at, "1.0", f"{tid - 1}.0") for tid in range(1, PAGE_FILLS + 100)]
    main.account(MINE).trade(rows)
    sync_accounts(parts, info, PAUSES)
    assert state(parts.store).whole_since_ms == at + 1


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    arrivals=st.lists(st.integers(0, 3), min_size=1, max_size=6),
    faults=st.lists(st.sampled_from(["ok", "500", "cut", "html", "429"]), max_size=8),
)
def test_whatever_fails_the_mirror_ends_whole(
    server: VenueServer,
    info: HyperliquidInfo,
    stores: Stores,
    clock: ManualClock,
    ids: IdSource,
    arrivals: list[int],
    faults: list[str],
) -> None:
    behaviours = {
        "ok": answer,
        "500": refuses(500),
        "cut": cut,
        "html": says(b"<html>"),
        "429": refuses(429),
    }
    number = next(NUMBERS)  # each example has a group and an address of its own
    store = stores.group(f"group-{number}", create=True)
    parts = MirrorParts(store, clock, ids)
    address = f"0x{number:040x}"
    account = server.account(address)
    add_account(store, info, "main", address, "own", clock)
    server.script(*(behaviours[fault] for fault in faults))
    tid = 1
    for arrived in arrivals:
        for _ in range(arrived):
            account.trade(trip(tid, ms(clock()) - (tid % 7 + 3) * 3 * MINUTE_MS, f"C{tid % 3}"))
            tid += 10
        with suppress(UnavailableError, CircuitOpenError):
            sync_accounts(parts, info, PAUSES)
        clock.advance(minutes=31)
    server.recover()
    clock.advance(hours=2)
    sync_accounts(parts, info, PAUSES)
    clock.advance(hours=2)
    sync_accounts(parts, info, PAUSES)
    with reading(store) as conn:
        fills = conn.exec_driver_sql("SELECT count(*) FROM perps_fills").scalar()
    assert fills == len(account.fills)
