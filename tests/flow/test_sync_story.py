"""A fleet keeps two accounts current, through an outage, and a recorded trade asks for more."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.clock import EPOCH
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.accounts.add import add_account
from afterword.pipeline.domain.accounts.nudge import ask_for_sync_now
from afterword.pipeline.domain.capital.nudge import ask_for_capital_now
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.recorded_trades.model import NewTrade
from afterword.pipeline.domain.recorded_trades.record import record_trade
from afterword.pipeline.errors import ConflictError, NotFoundError
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.settings import load
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.faulty_server import (
    Behaviour,
    Reply,
    RequestTurn,
    answer,
    refuses,
)
from afterword.pipeline.testing.venue_server import VenueServer, perp_state, venue_fill
from afterword.pipeline.testing.wait import wait_until
from afterword.schedules.up import Up
from afterword.workers.worker.app import build_context

MINE, OTHER = "0x" + "ab" * 20, "0x" + "cd" * 20


@pytest.fixture
def server() -> Iterator[VenueServer]:
    with VenueServer() as server:
        yield server


@pytest.fixture
def up(home: Path, clock: ManualClock, server: VenueServer) -> Iterator[Up]:
    """A dispatcher and a worker in this process, with two accounts at the venue."""
    settings = load(
        home=home,
        synchronous="NORMAL",
        hyperliquid_base_url=server.origin,
        shutdown_grace_s=0.2,
    )
    context = build_context(settings, clock=clock)
    store = context.stores.group("main", create=True)
    for name, address in {"main": MINE, "second": OTHER}.items():
        server.account(address)
        add_account(store, context.venue, name, address, "own", clock)
    up = Up(context, threads=2)
    up.start()
    yield up
    up.stop()


def trip(tid: int, clock: ManualClock) -> list[Reply]:
    """Return the two fills of a trip of the last minute."""
    now_ms = int((clock() - EPOCH).total_seconds() * 1000)
    closed = {"px": "101.0", "closedPnl": "1.0"}
    return [
        venue_fill(tid, now_ms - 60_000, "1.0"),
        venue_fill(tid + 1, now_ms - 30_000, "-1.0", "1.0", **closed),
    ]


def ticking(clock: ManualClock) -> Behaviour:
    """Answer, while some seconds pass."""

    def act(turn: RequestTurn[Any]) -> None:
        clock.advance(seconds=2)
        answer(turn)

    return act


def bought(venue: str, account: str) -> NewTrade:
    return NewTrade(venue=venue, account=account, asset="BTC", side="buy", size="1", price="100")


def mirrored(up: Up) -> dict[str, int]:
    """Return how many fills of each account are mirrored."""
    with reading(up.context.stores.group("main")) as conn:
        rows = conn.exec_driver_sql(
            "SELECT sub_account_id, count(*) FROM perps_fills GROUP BY 1 ORDER BY 1"
        )
        return {str(account): int(fills) for account, fills in rows}


def is_idle(up: Up) -> bool:
    """Say whether no job runs or waits to run at once."""
    with reading(up.context.stores.group("main")) as conn:
        busy = conn.exec_driver_sql(
            "SELECT count(*) FROM jobs WHERE state IN ('ready', 'sent', 'running')"
        ).scalar()
    return not busy


def time_passes(
    up: Up, clock: ManualClock, until: Callable[[], bool], step: timedelta = timedelta(minutes=1)
) -> None:
    """Let a minute pass at each look, while nothing is to be done, until something is so."""

    def looked() -> bool:
        if is_idle(up):
            clock.advance(seconds=step.total_seconds())
        return until()

    wait_until(looked, 60)


def test_two_accounts_stay_current_through_an_outage(
    up: Up, server: VenueServer, clock: ManualClock
) -> None:
    server.account(MINE).trade(trip(1, clock))
    server.account(OTHER).trade(trip(101, clock))
    time_passes(up, clock, lambda: mirrored(up) == {"main": 2, "second": 2})

    server.script(*[refuses(500)] * 300)
    server.account(MINE).trade(trip(11, clock))
    seen = server.requests
    time_passes(up, clock, lambda: server.requests > seen + 3)
    assert mirrored(up) == {"main": 2, "second": 2}
    with reading(up.context.stores.group("main")) as conn:
        failures = conn.exec_driver_sql(
            "SELECT sum(consecutive_failures) FROM minara_history_sync_state"
        ).scalar()
    assert failures == 0

    server.recover()
    server.account(OTHER).trade(trip(111, clock))
    time_passes(up, clock, lambda: mirrored(up) == {"main": 4, "second": 4})


def test_a_recorded_trade_asks_for_its_fills_after_the_pause(
    up: Up, server: VenueServer, clock: ManualClock
) -> None:
    time_passes(up, clock, lambda: server.requests >= 8)
    store = up.context.stores.group("main")
    clock.advance(minutes=1)
    server.account(MINE).trade(trip(1, clock))
    by = Writer(store, clock, seeded_uids(7))
    record_trade(by, bought("hyperliquid", "main"))
    began = clock()
    time_passes(up, clock, lambda: mirrored(up) == {"main": 2})
    assert clock() - began < timedelta(minutes=10)  # the next run without a trade is later


def capital(up: Up) -> list[tuple[int, int]]:
    """Return the capitals that were computed: dollars, and how many parts kept their value."""
    with reading(up.context.stores.group("main")) as conn:
        rows = conn.exec_driver_sql(
            """
SELECT capital_total_micro_usd / 1000000, (
  SELECT count(*) FROM json_each(parts) WHERE value ->> '$.kept_because' IS NOT NULL)
FROM capital_metrics ORDER BY id"""
        )
        return [(int(dollars), int(kept)) for dollars, kept in rows]


def test_new_fills_ask_for_a_new_capital_after_its_pause(
    up: Up, server: VenueServer, clock: ManualClock
) -> None:
    server.account(MINE).states[""] = perp_state("100.0")
    time_passes(up, clock, lambda: capital(up) == [(100, 0)])
    began = clock()
    server.account(MINE).states[""] = perp_state("120.0")
    server.account(MINE).trade(trip(1, clock))
    time_passes(up, clock, lambda: len(capital(up)) > 1)
    assert capital(up) == [(100, 0), (120, 0)]
    assert timedelta(hours=1) <= clock() - began < timedelta(hours=3)


def test_what_the_owner_asks_for_waits_for_no_pause(
    up: Up, server: VenueServer, clock: ManualClock
) -> None:
    server.account(MINE).states[""] = perp_state("100.0")
    time_passes(up, clock, lambda: capital(up) == [(100, 0)] and server.requests >= 8)
    # The usual run is over: it would mirror what comes now without being asked.
    wait_until(lambda: is_idle(up))
    server.account(MINE).states[""] = perp_state("120.0")
    server.account(MINE).trade(trip(1, clock))
    server.account(OTHER).trade(trip(101, clock))
    began = clock()
    with writing(up.context.stores.group("main")) as conn:
        ask_for_sync_now(conn, clock(), "main")
        ask_for_capital_now(conn, clock())
        with pytest.raises(ConflictError, match="asked for it already: job"):
            ask_for_capital_now(conn, clock())
        with pytest.raises(NotFoundError):
            ask_for_sync_now(conn, clock(), "third")

    def is_done() -> bool:
        return mirrored(up).get("main") == 2 and capital(up) == [(100, 0), (120, 0)]

    time_passes(up, clock, is_done, step=timedelta(seconds=1))
    assert clock() - began < timedelta(minutes=1)


def test_a_capital_is_computed_every_day_and_stays_through_an_outage(
    up: Up, server: VenueServer, clock: ManualClock
) -> None:
    server.account(MINE).states[""] = perp_state("100.0")
    time_passes(up, clock, lambda: capital(up) == [(100, 0)])
    server.account(MINE).states[""] = perp_state("120.0")
    server.script(*[refuses(500)] * 10_000)
    for _ in range(3):
        clock.advance(hours=12)
        seen = server.requests
        time_passes(up, clock, lambda seen=seen: server.requests > seen)
    assert capital(up) == [(100, 0)]
    server.recover()
    # A look that the outage ends in the middle of may have kept a part first.
    time_passes(up, clock, lambda: capital(up)[-1] == (120, 0))
    assert {dollars for dollars, _ in capital(up)} <= {100, 120}


def test_a_recorded_trade_is_answered_once(up: Up, server: VenueServer, clock: ManualClock) -> None:
    def pages_of_fills() -> int:
        return sum(asked.type == "userFillsByTime" for asked in server.asked)

    time_passes(up, clock, lambda: pages_of_fills() >= 2)
    by = Writer(up.context.stores.group("main"), clock, seeded_uids(7))
    clock.advance(minutes=1)
    # The mirrors of one run begin some seconds after one another.
    server.script(*[ticking(clock)] * 40)
    record_trade(by, bought("hyperliquid", "main"))
    seen, began = pages_of_fills(), clock()
    time_passes(up, clock, lambda: clock() - began > timedelta(minutes=25))
    # Of two accounts: the trade's own run, and at most one more where the usual one comes between.
    assert pages_of_fills() - seen <= 2 * 2


def test_a_trade_of_another_account_asks_nothing(
    up: Up, server: VenueServer, clock: ManualClock
) -> None:
    by = Writer(up.context.stores.group("main"), clock, seeded_uids(7))
    record_trade(by, bought("binance", "elsewhere"))
    with reading(by.store) as conn:
        jobs = conn.exec_driver_sql("SELECT count(*) FROM jobs WHERE kind = 'sync_history'")
        assert jobs.scalar() == 0
