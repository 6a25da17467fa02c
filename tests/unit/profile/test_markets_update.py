"""The markets that were traded are added to what was concluded; nothing is ever taken away."""

from collections.abc import Iterator
from datetime import timedelta
from operator import attrgetter
from pathlib import Path

import pytest

from afterword.pipeline.core.jobs.has_work import WorkQuery
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.profile.declare import upsert_tag
from afterword.pipeline.domain.profile.has_work import markets_due
from afterword.pipeline.domain.profile.markets import union_markets, update_markets
from afterword.pipeline.domain.profile.tags import list_tags
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.settings import load
from afterword.pipeline.testing.clock import ManualClock, ManualSeconds
from afterword.schedules.dispatcher.groups import GroupTracker
from afterword.schedules.table import whole_table
from afterword.schedules.tick import Ticker
from afterword.schedules.work import rules
from afterword.workers.routes import ROUTES
from afterword.workers.testing import work_off
from afterword.workers.worker.app import build_context
from afterword.workers.worker.context import Context
from tests.unit.profile.made_trades import import_trips

HOUR = timedelta(hours=1)


def markets(store) -> list[tuple[str, str]]:
    return [(tag.source, tag.value) for tag in list_tags(store) if tag.dimension == "markets"]


def test_without_a_row_the_markets_are_concluded(store, system):
    with writing(store) as conn:
        assert union_markets(conn, system, ["stocks", "memes"]) == ("stocks", "memes")
        assert union_markets(conn, system, ["memes"]) == ()

    assert markets(store) == [("inferred", '["memes", "stocks"]')]


def test_values_are_only_added_and_the_row_keeps_its_source(store, system, owner):
    upsert_tag(owner, "markets", ["pre_ipo"])
    upsert_tag(system, "markets", ["stocks"], "learned_preference")
    upsert_tag(system, "markets", ["commodities"], "inferred")

    with writing(store) as conn:
        union_markets(conn, system, ["memes"])

    assert markets(store) == [
        ("user", '["pre_ipo"]'),
        ("learned_preference", '["memes", "stocks"]'),
        ("inferred", '["commodities"]'),
    ]


def test_a_value_that_is_no_market_is_refused(store, system):
    with pytest.raises(InvalidInputError), writing(store) as conn:
        union_markets(conn, system, ["forex"])
    assert markets(store) == []


def test_trades_of_the_last_30_days_and_running_strategies_are_added(store, system, clock):
    import_trips(store, clock, system.ids, [40], coin="TSLA")
    import_trips(store, clock, system.ids, [29, 1], coin="DOGE")
    import_trips(store, clock, system.ids, [2], coin="NOBODYKNOWS")

    assert set(update_markets(system, strategy_symbols=["BTC"])) == {"crypto_majors", "memes"}
    assert markets(store) == [("inferred", '["crypto_majors", "memes"]')]


@pytest.fixture
def seconds() -> ManualSeconds:
    return ManualSeconds()


@pytest.fixture
def context(home: Path, clock: ManualClock, ids, seconds: ManualSeconds) -> Iterator[Context]:
    settings = load(home=home, synchronous="NORMAL")
    built = build_context(settings, clock=clock, ids=ids, monotonic=seconds)
    built.stores.group("main", create=True)
    yield built
    built.stores.close()


def test_new_fills_are_looked_at_by_the_schedule_and_at_most_once_an_hour(
    context: Context, store, owner, clock: ManualClock, seconds: ManualSeconds
):
    ticker = Ticker(
        context.stores,
        GroupTracker(context.stores, context.runtime.monotonic),
        sorted(whole_table(context.decisions.roles), key=attrgetter("name")),
        lambda job: ROUTES[job].kind,
        rules(context),
        clock,
    )

    def pass_time(minutes: int) -> None:
        for _ in range(minutes // 10):
            clock.advance(minutes=10)
            seconds.now += 600
            ticker.step()
            work_off(context, store, clock)

    pass_time(20)
    import_trips(store, clock, owner.ids, [1], coin="DOGE")
    pass_time(20)
    assert markets(store) == [("inferred", '["memes"]')]

    import_trips(store, clock, owner.ids, [1], coin="BTC")
    pass_time(20)
    assert markets(store) == [("inferred", '["memes"]')]
    pass_time(60)
    assert markets(store) == [("inferred", '["crypto_majors", "memes"]')]


def test_a_look_is_due_an_hour_after_the_last_for_new_fills_else_after_a_day(store, owner, clock):
    def due(fired_at):
        with reading(store) as conn:
            return markets_due(None, conn, WorkQuery("update_markets", {}, clock(), fired_at))

    assert due(None) is None  # nothing was ever traded
    import_trips(store, clock, owner.ids, [1])
    known_at = clock()

    assert due(None) is not None
    assert due(known_at - HOUR / 2) == known_at + HOUR / 2
    assert due(known_at + HOUR) == known_at + 25 * HOUR
    assert due(known_at + timedelta(days=31)) is None
