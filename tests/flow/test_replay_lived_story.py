"""The same decisions lived and replayed: a fleet that lives day by day ends in the same rows.

The live group runs under `up` with its whole schedule; its clock is stepped to each decision and
then over each pass. The replay takes its decisions, methods and prices from the group.
"""

import random
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from afterword.pipeline.clock import monotonic
from afterword.pipeline.core.jobs.inspect import counts, listing
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.decisions.triggers import on_prices
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.methodologies.add import add_methodology
from afterword.pipeline.domain.methodologies.model import NewMethodology
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.prices.keep import keep_bars
from afterword.pipeline.operations.replay.digest import EVENTS, STANDING_VIEWS, HashedView, events
from afterword.pipeline.operations.replay.from_group import read_group
from afterword.pipeline.operations.replay.plan import ReplayPlan
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.settings import load
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.wait import wait_until
from afterword.schedules.up import Up
from afterword.workers.worker.app import build_context
from tests.unit.replay.worlds import replayed

HOUR = timedelta(hours=1)
ROLE = "market.spot.momentum"
WARM, DAYS = 10, 6
"""Days of prices before the first decision, and days that are lived."""

OPEN = ("ready", "sent", "running")
LIVED: tuple[HashedView, ...] = tuple(one for one in EVENTS if one.name != "audit")
"""All that is hashed but the audit, which live is at another hour of the day."""


def hurried() -> float:
    """Seconds that pass four times as fast, so that the loops of the dispatcher turn faster."""
    return 4 * monotonic()


@pytest.fixture
def live(home: Path, clock: ManualClock) -> Iterator[Up]:
    """A dispatcher and a worker with the whole schedule, in this process."""
    settings = load(home=home, synchronous="NORMAL", graduation_gate="literal")
    one = Up(build_context(settings, clock=clock, monotonic=hurried), threads=4)
    one.context.stores.group("main", create=True)
    one.start()
    yield one
    one.stop()


def test_what_was_lived_is_replayed_to_the_same_rows(live, clock, stores):
    begin, store = clock(), live.context.stores.group("main")
    bars = walk(begin - WARM * 24 * HOUR, (WARM + DAYS + 2) * 24)
    made = NewMethodology("Buy BTC on momentum: it rises", "major_crypto", "bullish", "intraday")
    method = add_methodology(Writer(store, clock, live.context.runtime.ids), made).uid
    decided = [begin + (4 * number + 1) * HOUR for number in range(6 * DAYS)]
    for quarter in range(4 * (DAYS + 1)):
        until = begin + 6 * (quarter + 1) * HOUR
        for at in (one for one in decided if until - 6 * HOUR <= one < until):
            clock.set(at)
            keep(live, store, bars)
            record(live, store, at, method)
        for minutes in (16, 24):  # outcomes and reflections; patterns and synthesis
            clock.set(until + timedelta(minutes=minutes))
            keep(live, store, bars)
            let_it_work(live, store, clock)

    found = read_group(store, clock())
    plan = ReplayPlan(
        series=found.prices, methods=found.methods, decisions=found.decisions, gate="literal"
    )
    status = replayed(stores, "again", plan)
    again = stores.replay("again")

    assert status.recorded == len(decided)
    for view in (*LIVED, *STANDING_VIEWS):
        assert rows(again, view) == rows(store, view), view.name
    counted = {view.name: len(rows(again, view)) for view in LIVED}
    assert counted["outcome"] >= 30 and counted["verdict"] >= 30 and counted["case"] >= 30
    assert counted["methodology event"] > 0


def walk(opened: datetime, hours: int) -> list[Bar]:
    """Return hours of a market that mostly rises."""
    chance, close, found = random.Random(3), 100.0, []
    for number in range(hours):
        close *= 1 + chance.gauss(0.002, 0.006)
        price = Decimal(f"{close:.4f}")
        found.append(Bar(opened + number * HOUR, HOUR, price, price, price, price, Decimal(0)))
    return found


def keep(live: Up, store: Store, bars: Sequence[Bar]) -> None:
    """Store the bars that have closed by now, as an import does."""
    clock, roles = live.context.runtime.clock, live.context.decisions.roles
    closed = [one for one in bars if one.closed_at <= clock()]
    keep_bars(
        store,
        Series("file", "BTCUSDT", HOUR),
        closed,
        clock,
        lambda conn, symbols, now: on_prices(conn, roles, symbols, now),
    )


def record(live: Up, store: Store, at: datetime, method: str) -> None:
    """Record a decision that cites the method; each fifth one points the other way."""
    direction = "short" if at.hour % 5 == 0 else "long"
    new = NewDecision(
        ROLE, f"{direction} at {at:%d %H}", asset="BTC", direction=direction, methods=(method,)
    )
    runtime = live.context.runtime
    record_decision(store, live.context.decisions.roles, new, runtime.clock, runtime.ids)


def let_it_work(live: Up, store: Store, clock: ManualClock) -> None:
    """Let the jobs of this moment end, and those that begin within three minutes of it.

    The synthesis begins up to two minutes after its slot was decided; a job that finds the lock of
    its role taken comes again a second later.
    """
    wait_until(lambda: is_decided(live), timeout_s=120)
    until = clock() + timedelta(minutes=3)
    while True:
        wait_until(lambda: is_idle(store, clock()), timeout_s=120)
        due = first_later(store)
        if due is None or due > until:
            return
        clock.set(due)


def is_decided(live: Up) -> bool:
    """Whether the schedule of this moment was decided."""
    group = live.dispatcher.groups.find("main")
    decided = None if group is None else group.decided_until
    return decided is not None and decided >= live.context.runtime.clock()


def is_idle(store: Store, now: datetime) -> bool:
    """Whether no job is left for this moment."""
    with reading(store) as conn:
        is_open = any(state in OPEN for _, state in counts(conn))
    due = first_later(store)
    return not is_open and (due is None or due > now)


def first_later(store: Store) -> datetime | None:
    with reading(store) as conn:
        return min((one.available_at for one in listing(conn, "later", limit=1_000)), default=None)


def rows(store: Store, view: HashedView) -> list[str]:
    with reading(store) as conn:
        return list(events(conn, view, -(1 << 62), 1 << 62, moments=False))
