"""Ticks: one row and one job per slot, whatever the number of dispatchers or the clock does."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection

from afterword.pipeline.clock import monotonic
from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.has_work import WorkQuery
from afterword.pipeline.core.jobs.inspect import counts, listing
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.store import Store, Stores, reading, writing
from afterword.pipeline.testing.clock import ManualClock
from afterword.schedules.dispatcher.groups import GroupTracker
from afterword.schedules.entry import CronEntry
from afterword.schedules.rows import entries
from afterword.schedules.table import TABLE
from afterword.schedules.tick import Ticker
from afterword.workers.routes import ROUTES

TIDY = Kind("tidy_something")
EACH = CronEntry("test.each", "*/10 * * * *", job=TIDY.name, misfire="catch_up", catch_up=100)
NEWEST = CronEntry("test.newest", "*/10 * * * *", job=TIDY.name, overlap="skip")


def ticker(stores: Stores, clock: ManualClock, *table: CronEntry) -> Ticker:
    groups = GroupTracker(stores, monotonic)
    return Ticker(stores, groups, table, lambda _job: TIDY, {}, clock)


def jobs(store: Store) -> list[datetime]:
    with reading(store) as conn:
        return [job.available_at for job in listing(conn, limit=10_000)]


def test_a_new_entry_begins_now_and_fires_nothing_of_the_past(
    store: Store, stores: Stores, clock: ManualClock
):
    assert ticker(stores, clock, EACH).step() == 0
    assert jobs(store) == []


def test_each_slot_fires_once_however_many_dispatchers_look(
    store: Store, stores: Stores, clock: ManualClock
):
    clock.advance(minutes=1)
    several = [ticker(stores, clock, EACH) for _ in range(3)]
    for _ in range(120):
        for one in several:
            one.step()
        clock.advance(seconds=30)

    assert len(jobs(store)) == 6


def test_a_clock_that_jumps_two_hours_back_and_forth_doubles_nothing(
    store: Store, stores: Stores, clock: ManualClock
):
    one = ticker(stores, clock, EACH)
    one.step()
    for step in (1, 2, -2, 2, -2, 2):
        clock.advance(hours=step)
        one.step()
        ticker(stores, clock, EACH).step()

    assert len(jobs(store)) == 3 * 6


def test_an_outage_of_three_days_ends_as_the_policy_says(
    store: Store, stores: Stores, clock: ManualClock
):
    ticker(stores, clock, EACH, NEWEST).step()
    clock.advance(days=3)
    ticker(stores, clock, EACH, NEWEST).step()

    with reading(store) as conn:
        known = {one.entry: one for one in entries(conn)}
        assert counts(conn) == {(TIDY.name, "ready"): 100 + 1}
    assert (known["test.each"].missed, known["test.newest"].missed) == (432 - 100, 431)


def test_an_entry_that_may_not_overlap_runs_once_more_instead(
    store: Store, stores: Stores, clock: ManualClock
):
    one = ticker(stores, clock, NEWEST)
    one.step()
    clock.advance(minutes=10)
    one.step()
    with writing(store) as conn:
        held = lease(conn, [1], "me", clock, TIDY)
    for _ in range(3):
        clock.advance(minutes=10)
        one.step()
    with writing(store, finishing=held):
        pass

    assert len(jobs(store)) == 1


def test_an_entry_that_reads_differently_begins_anew(
    store: Store, stores: Stores, clock: ManualClock
):
    ticker(stores, clock, EACH).step()
    clock.set(datetime(2026, 1, 9, 0, 5, tzinfo=UTC))
    changed = CronEntry("test.each", "0 * * * *", job=TIDY.name, misfire="catch_up", catch_up=100)

    assert ticker(stores, clock, changed).step() == 0
    clock.advance(hours=1)
    assert ticker(stores, clock, changed).step() == 1


def test_a_tick_that_was_rolled_back_is_looked_for_again(
    store: Store, stores: Stores, clock: ManualClock
):
    def broken(_job: str) -> Kind:
        raise KeyError("no such kind")

    one = ticker(stores, clock, EACH)
    one.step()
    clock.advance(minutes=10)
    one.kinds = broken
    try:
        one.step()
    except KeyError:
        one.kinds = lambda _job: TIDY
    assert one.step() == 1


def test_every_entry_names_a_kind_that_is_routed():
    assert {entry.job for entry in TABLE} <= ROUTES.keys()
    assert len({entry.name for entry in TABLE}) == len(TABLE)


def test_jobs_start_within_their_jitter(store: Store, stores: Stores, clock: ManualClock):
    spread = CronEntry("test.spread", "0 * * * *", job=TIDY.name, jitter_s=600)
    one = ticker(stores, clock, spread)
    one.step()
    clock.advance(hours=1)
    one.step()

    (at,) = jobs(store)
    assert clock() <= at < clock() + timedelta(minutes=10)


def test_what_a_first_read_noted_keeps_a_file_closed_until_it_changes(
    store: Store, stores: Stores, clock: ManualClock
):
    asked = []

    def no_work(_conn: Connection, query: WorkQuery) -> None:
        asked.append(query.job)

    groups = GroupTracker(stores, monotonic)
    ticks = Ticker(stores, groups, (EACH,), lambda _job: TIDY, {EACH.job: no_work}, clock)
    groups.scan()
    group = groups.find(store.name)
    assert group is not None
    with reading(store) as conn:
        ticks.note_work(conn, group)
    ticks.step()
    assert asked == [EACH.job]

    with writing(store) as conn:
        add(conn, TIDY, {}, clock())
    clock.advance(minutes=10)
    ticks.step()
    assert asked == [EACH.job] * 2
