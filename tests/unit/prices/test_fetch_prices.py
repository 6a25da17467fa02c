"""The job that asks for prices, over real HTTP: what it asks, keeps, and leaves alone."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import pairwise

import pytest

from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.claim import claim, promote
from afterword.pipeline.core.jobs.inspect import listing
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.decisions.due_rows import MOST_PEERS_LACKING
from afterword.pipeline.domain.decisions.mark import mark_decision
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.price_needs import price_needs
from afterword.pipeline.domain.decisions.read import list_decisions
from afterword.pipeline.domain.decisions.record import record_decision, record_decisions
from afterword.pipeline.domain.prices import fetch_gaps as fetch_missing
from afterword.pipeline.domain.prices.area import FETCH_PRICES
from afterword.pipeline.domain.prices.bar_gaps import LONGEST_REST, BarRequest
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.prices.fetch_gaps import FETCH_KEY, MOST_REQUESTS, Fetcher
from afterword.pipeline.domain.prices.overview import list_series
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.reflection.reflect import reflect_role
from afterword.pipeline.domain.skills import Manual, PeerRelative, RoleRegistry
from afterword.pipeline.errors import CircuitOpenError, UnavailableError
from afterword.pipeline.gateway.http.model import SetupError
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.settings import load
from afterword.pipeline.testing.faulty_server import cut, refuses, says
from afterword.pipeline.testing.market_server import MarketServer
from afterword.pipeline.testing.roles import HOUR, jagged, role_of, saying, skill_of
from afterword.schedules.table import TABLE
from afterword.workers.routes import ROUTES
from afterword.workers.worker.app import build_context
from afterword.workers.worker.context import Work

CALLS = role_of("desk.calls", triggers=("on_price_fetch",))
BESIDE = role_of("desk.beside", PeerRelative(24, ("ETH", "BTC-USD")))
NAMED = role_of("desk.named", PeerRelative(24, peers_field="peers"))
BY_HAND = role_of("desk.by_hand", Manual())
REGISTRY = RoleRegistry([skill_of(CALLS, BESIDE, NAMED, BY_HAND)])
DAYS = timedelta(days=1)


@pytest.fixture
def server():
    with MarketServer() as server:
        yield server


@pytest.fixture
def context(home, clock, server):
    clock.set(datetime(2026, 1, 5, 0, 4, tzinfo=UTC))
    settings = load(
        home=home,
        synchronous="NORMAL",
        price_source="hyperliquid",
        hyperliquid_base_url=server.origin,
        hyperliquid_timeout_s=5,
    )
    built = build_context(settings, clock=clock, ids=seeded_uids(2))
    context = replace(built, decisions=replace(built.decisions, roles=REGISTRY))
    yield context
    context.prices.feed.close()
    context.stores.close()


@pytest.fixture
def store(context):
    return context.stores.group("main", create=True)


@pytest.fixture
def record(store, clock, context):
    def one(asset="SOL", role=CALLS, hours_ago=30, **changes):
        decided_at = clock() - hours_ago * HOUR
        new = NewDecision(role.id, "Buy", asset=asset, direction="long", decided_at=decided_at)
        changed = replace(new, **changes)
        return record_decision(store, REGISTRY, changed, clock, context.runtime.ids).id

    return one


@pytest.fixture
def fetch(store, context, clock):
    """Do, as a worker does, what the schedule adds, and what has rested."""

    def once(slot=True):
        with writing(store) as conn:
            if slot:
                add(conn, FETCH_PRICES, {}, clock(), key=FETCH_KEY)
            promote(conn, clock())
            ids = [row.id for row in claim(conn, FETCH_PRICES.name, 99, clock())]
            leases = lease(conn, ids, "worker", clock, FETCH_PRICES)
        if leases.held:
            ROUTES[FETCH_PRICES.name].run(Work(context, "main", store, leases))
        return len(leases.held)

    return once


def trade(server, clock, *markets, until=0, since=-400):
    """Have the hours of markets, up and down by 1 %."""
    now = clock().replace(minute=0)
    for market in markets:
        closes = [Decimal(f"{px:.4f}") for px in jagged(until - since, [])]
        server.trade(
            market,
            "1h",
            [
                Bar(now + (since + n) * HOUR, HOUR, px, px, px, px, Decimal(1))
                for n, px in enumerate(closes)
            ],
        )


def coins(server):
    return [asked.coin for asked in server.asked]


def resting(store):
    with reading(store) as conn:
        found = listing(conn, kind=FETCH_PRICES.name, limit=999)
    return {job.key: job.available_at for job in found}


def kept(store):
    return {one.symbol: one.bars for one in list_series(store)}


def test_the_schedule_adds_the_job_under_the_key_it_goes_on_with():
    (entry,) = (entry for entry in TABLE if entry.job == FETCH_PRICES.name)
    assert (entry.name, entry.overlap) == (FETCH_KEY, "skip")


def test_one_run_asks_at_a_time_whatever_its_group():
    route = ROUTES[FETCH_PRICES.name]
    assert route.serial("main", {}) == route.serial("other", {"stretch": "x"})
    assert route.asks == "prices"


def test_nobody_is_asked_while_nothing_waits_for_a_price(server, store, clock, record, fetch):
    trade(server, clock, "SOL")
    record(hours_ago=22)  # ripe in two hours
    record(role=BY_HAND)
    record(hours_ago=900)
    with writing(store) as conn:  # recorded so long ago that it will be given up
        conn.exec_driver_sql("DROP TRIGGER role_memory_decision_bu")
        conn.exec_driver_sql(
            "UPDATE role_memory SET known_at = decided_at WHERE id = 3",
        )
    marked = record(hours_ago=40)
    mark_decision(store, REGISTRY, marked, "right", "I saw it.", clock)

    assert fetch() == 1
    assert server.requests == 0
    assert resting(store) == {}


def test_what_is_ripe_within_an_hour_is_asked_for_ahead(server, store, clock, record, fetch):
    trade(server, clock, "SOL")
    record(hours_ago=23)

    fetch()
    assert coins(server) == ["SOL"]


def test_what_is_kept_is_not_asked_for_again_until_a_bar_has_closed(
    server, store, clock, record, fetch
):
    trade(server, clock, "SOL", until=50)
    record(hours_ago=24)  # its outcome is sure five hours after it was due
    fetch()
    fetch()
    assert server.requests == 1
    (one,) = list_series(store)
    assert (one.bars, one.gaps, one.last) == (24 + 169, 0, clock().replace(minute=0))

    clock.advance(minutes=45)
    fetch()
    assert server.requests == 1
    clock.advance(minutes=15)
    fetch()
    fetch()
    assert server.requests == 2
    assert kept(store) == {"SOL": 24 + 170}


def test_the_peers_of_a_decision_are_asked_for_with_it(server, store, clock, record, fetch):
    trade(server, clock, "SOL", "ETH", "BTC", "DOGE", "kPEPE", "xyz:TSLA")
    record(role=BESIDE)
    record("DOGE", role=NAMED, inputs={"peers": ["pepe", "TSLA"], "other": ["LINK"]})

    fetch()

    assert sorted(coins(server)) == ["BTC", "DOGE", "ETH", "SOL", "kPEPE", "xyz:TSLA"]


def lacking(store, *ids):
    """Make decisions judged, with a window of the ladder that could not be measured."""
    with writing(store) as conn:
        for one in ids:
            conn.exec_driver_sql(
                "UPDATE role_memory SET state = 'reflected', outcome = 'right', measured = '{}',"
                " narrative = 'x', classified_by = 'x', classified_at = 0, reflected_at = 0,"
                " windows_missing = 1 WHERE id = ?",
                (one,),
            )


def test_the_ladder_of_a_decision_asks_for_its_peers_too(server, store, clock, record, fetch):
    trade(server, clock, "SOL", "ETH", "BTC", "DOGE", "kPEPE", "xyz:TSLA")
    named = record("DOGE", role=NAMED, inputs={"peers": ["pepe", "TSLA", "DOGE"]})
    lacking(store, record(role=BESIDE), named)

    fetch()

    assert sorted(coins(server)) == ["BTC", "DOGE", "ETH", "SOL", "kPEPE", "xyz:TSLA"]
    asked = server.requests
    fetch()
    assert server.requests == asked


def test_a_ladder_without_peers_asks_for_none(server, store, clock, record, fetch):
    trade(server, clock, "SOL", "ETH", "BTC")
    beside = record(role=BESIDE, hours_ago=20)  # its own window is not over
    lacking(store, record())

    fetch()

    assert (coins(server), beside) == (["SOL"], 1)


def test_peers_beyond_the_bounds_are_not_asked_for(store, record, clock):
    found = []
    for hours in range(20):
        names = [f"N{hours}X{number}" for number in range(15)]
        found.append(record(role=NAMED, hours_ago=49 - hours, inputs={"peers": names}))
    lacking(store, *found)

    with reading(store) as conn:
        needs = [one.asset for one in price_needs(conn, REGISTRY, clock(), HOUR)]

    assert needs[0] == "SOL"
    assert len(needs) == 1 + MOST_PEERS_LACKING
    assert needs[1] == "N0X0"  # the oldest first


def test_an_older_decision_brings_the_bars_before_those_that_are_kept(
    server, store, clock, record, fetch
):
    trade(server, clock, "SOL", since=-600)
    record()
    fetch()
    record(hours_ago=300)
    fetch()

    (one,) = list_series(store)
    assert (one.bars, one.gaps) == (300 - 1 + 169, 0)
    assert one.first == clock().replace(minute=0) - 469 * HOUR


def test_new_prices_begin_the_roles_that_wait_for_them(server, store, clock, record, fetch):
    trade(server, clock, "SOL")
    record()
    reflector = Reflector(store, REGISTRY, saying("exogenous"), StoredPrices, clock)
    assert reflect_role(reflector, CALLS.id).parked == {"no price": 1}

    fetch()

    with reading(store) as conn:
        (job,) = listing(conn, kind="reflect_entries", limit=9)
    assert (job.key, job.available_at) == (CALLS.id, clock())
    assert reflect_role(reflector, CALLS.id).settled == 1
    asked = server.requests
    clock.advance(hours=2)
    fetch()
    assert server.requests == asked


def test_what_prices_cannot_mend_asks_for_none(server, store, clock, record, fetch):
    trade(server, clock, "SOL")
    jumped, marked = record(), record()
    reflector = Reflector(store, REGISTRY, saying("exogenous"), StoredPrices, clock)
    assert reflect_role(reflector, CALLS.id).parked == {"no price": 2}
    with writing(store) as conn:
        conn.exec_driver_sql(
            "UPDATE role_memory SET reason = 'unexplained jump' WHERE id = ?", (jumped,)
        )
    mark_decision(store, REGISTRY, marked, "right", "I saw it.", clock)

    fetch()
    assert server.requests == 0


def test_a_market_nobody_has_is_asked_for_once_and_again_after_some_hours(
    server, store, clock, record, fetch
):
    trade(server, clock, "SOL", until=20)
    record(asset="NOPE")
    record(asset="it is strong: my name is Ann")

    for _ in range(3):
        fetch()
    assert coins(server) == ["NOPE"]
    rests = "hyperliquid NOPE 1h since"
    assert resting(store) == {rests: clock() + LONGEST_REST}

    clock.advance(hours=5)
    record()
    fetch()
    assert coins(server) == ["NOPE", "SOL"]
    clock.advance(hours=1)
    fetch(slot=False)  # its own job
    assert coins(server) == ["NOPE", "SOL", "NOPE"]
    assert resting(store) == {rests: clock() + LONGEST_REST}

    # It is listed, and nothing rests any more.
    clock.advance(hours=6)
    trade(server, clock, "NOPE")
    fetch(slot=False)
    assert kept(store)["NOPE"] > 100
    assert rests not in resting(store)


def test_bars_from_before_a_market_was_listed_are_not_asked_for_again_and_again(
    server, store, clock, record, fetch
):
    trade(server, clock, "SOL", since=-60, until=10)
    record()
    for _ in range(3):
        fetch()
    assert server.requests == 2
    assert list(resting(store)) == ["hyperliquid SOL 1h before"]

    clock.advance(hours=1)
    record(hours_ago=25)
    fetch()
    assert server.requests == 3  # the hour since
    assert kept(store) == {"SOL": 61}


def test_a_late_bar_is_asked_for_again_soon_and_less_and_less_often(
    server, store, clock, record, fetch
):
    trade(server, clock, "SOL", until=0)
    record(hours_ago=24)
    fetch()
    clock.advance(hours=1)  # the bar that closed four minutes ago is not there
    fetch()
    asked, times = server.requests, []
    for _ in range(24 * 60):
        clock.advance(minutes=1)
        fetch(slot=clock().minute % 15 == 4)
        times += [clock()] * (server.requests - asked)
        asked = server.requests
    pauses = [(later - earlier) / HOUR for earlier, later in pairwise(times)]

    assert len(times) < 12
    assert pauses == sorted(pauses)


def knows_none(turn):
    """Answer as the venue is said to of a coin it does not know."""
    turn.send(500, b"null")


@pytest.mark.parametrize("fault", [refuses(500), refuses(422), cut, says(b"null"), knows_none])
def test_a_market_that_fails_leaves_the_others_alone_and_rests(
    server, store, clock, record, fetch, fault
):
    trade(server, clock, "SOL", "ETH")
    record(hours_ago=31)
    record(asset="ETH")
    server.script(fault)

    fetch()
    assert kept(store) == {"ETH": 30 - 1 + 169}
    assert list(resting(store)) == ["hyperliquid SOL 1h since"]
    clock.advance(hours=6)
    fetch(slot=False)
    assert set(kept(store)) == {"ETH", "SOL"}


def test_many_markets_nobody_has_do_not_hold_up_the_one_there_is(
    server, store, clock, record, fetch
):
    trade(server, clock, "SOL")
    for number in range(30):
        record(asset=f"N{number}", hours_ago=40)
    record()
    server.script(*[knows_none] * 30)

    began = clock()
    fetch()
    while "SOL" not in kept(store):
        clock.set(resting(store)[FETCH_KEY])
        fetch(slot=False)
    assert clock() - began < timedelta(minutes=10)
    assert len(resting(store)) == 30


def test_a_source_that_asks_for_a_pause_is_asked_for_nothing_until_then(
    server, store, clock, record, fetch, context
):
    trade(server, clock, "SOL", "ETH", "BTC")
    for asset in ("SOL", "ETH", "BTC"):
        record(asset=asset)
    server.script(lambda turn: turn.send(200, b"[]"), refuses(429, Retry_After="90"))

    fetch()  # the first came to nothing, the second is told to wait: what is left goes on then
    assert server.requests == 2
    assert resting(store)[FETCH_KEY] == clock() + timedelta(seconds=90)
    with pytest.raises(CircuitOpenError) as held:
        context.gates.breakers["prices"].check()
    assert held.value.reopens_at == clock() + timedelta(seconds=90)

    clock.advance(seconds=90)
    fetch(slot=False)
    assert len(kept(store)) == 2


@pytest.mark.parametrize(
    ("fault", "raised"), [(refuses(503), UnavailableError), (refuses(404), CircuitOpenError)]
)
def test_where_nothing_could_be_asked_the_job_fails_and_nothing_rests(
    server, store, clock, record, fetch, fault, raised
):
    record()
    record(asset="ETH")
    server.script(fault)

    with pytest.raises(raised) as failure:
        fetch()
    assert server.requests == 1
    assert isinstance(failure.value.__cause__ or failure.value, SetupError | UnavailableError)
    assert list(resting(store)) == [FETCH_KEY]


def test_five_hundred_assets_are_asked_for_a_bounded_number_at_a_time_the_oldest_first(
    server, store, clock, context, fetch
):
    names = [f"C{n:03}" for n in range(500)]
    trade(server, clock, *names, since=-220)
    news = [
        NewDecision(CALLS.id, "Buy", {}, name, "long", decided_at=clock() - (25 + n % 20) * HOUR)
        for n, name in enumerate(names)
    ]
    record_decisions(store, REGISTRY, news, clock, context.runtime.ids)

    asked = []
    fetch()
    while FETCH_KEY in resting(store):
        asked.append(server.requests)
        assert resting(store)[FETCH_KEY] == clock() + timedelta(minutes=1)
        clock.advance(minutes=1)
        fetch(slot=False)

    assert asked == list(range(MOST_REQUESTS, 500, MOST_REQUESTS))
    assert Counter(coins(server)) == dict.fromkeys(names, 1)
    ages = [int(coin[1:]) % 20 for coin in coins(server)]
    assert ages == sorted(ages, reverse=True)
    assert server.requests == len(kept(store)) == 500


def test_a_run_begins_nothing_more_when_it_has_lasted_too_long(
    server, store, clock, record, fetch, context, monkeypatch
):
    trade(server, clock, "SOL", "ETH", "BTC")
    for asset in ("SOL", "ETH", "BTC"):
        record(asset=asset)
    monkeypatch.setattr(fetch_missing, "LONGEST_RUN_S", -1.0)

    fetch()
    assert server.requests == 1
    assert FETCH_KEY in resting(store)


def test_a_run_killed_before_it_kept_anything_is_done_again(server, store, clock, record, context):
    trade(server, clock, "SOL")
    record()

    def killed(*_):
        raise KeyboardInterrupt

    now = clock().replace(minute=0)
    stretch = BarRequest(Series("hyperliquid", "SOL", HOUR), "since", now - DAYS, now, None)
    parts = (store, context.prices.feed, HOUR, clock, context.runtime.monotonic)
    with pytest.raises(KeyboardInterrupt):
        Fetcher(*parts, killed).run([stretch])
    assert kept(store) == {}

    assert Fetcher(*parts, lambda *_: None).run([stretch]).kept.bars_new == 24


def test_bars_before_are_kept_next_to_the_known_ones_first_so_that_a_kill_leaves_no_hole(
    server, store, clock, record, context, fetch
):
    trade(server, clock, "SOL", since=-5000)
    record()
    fetch()
    first = list_series(store)[0].first

    def killed(conn, symbols, now):
        if len(before) == 1:
            raise KeyboardInterrupt
        before.append(symbols)

    before = []
    series = Series("hyperliquid", "SOL", HOUR)
    stretch = BarRequest(series, "before", first - 4500 * HOUR, first, first)
    fetcher = Fetcher(store, context.prices.feed, HOUR, clock, context.runtime.monotonic, killed)
    with pytest.raises(KeyboardInterrupt):
        fetcher.run([stretch])

    (one,) = list_series(store)
    assert (one.gaps, one.first) == (0, first - 500 * HOUR)


def test_two_runs_at_once_keep_each_bar_once(server, store, clock, record, context):
    names = [f"C{n}" for n in range(8)]
    trade(server, clock, *names)
    now = clock().replace(minute=0)
    stretches = [
        BarRequest(Series("hyperliquid", name, HOUR), "since", now - 100 * HOUR, now, None)
        for name in names
    ]
    told = []
    fetcher = Fetcher(
        store,
        context.prices.feed,
        HOUR,
        clock,
        context.runtime.monotonic,
        lambda _, of, __: told.extend(of),
    )

    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(fetcher.run, [stretches, stretches]))

    assert sum(one.kept.bars_new for one in done) == 800
    assert sorted(told) == names
    assert kept(store) == dict.fromkeys(names, 100)


def test_the_schedule_adds_no_second_job_beside_one_that_waits(store, clock):
    with writing(store) as conn:
        for _ in range(3):
            add(conn, FETCH_PRICES, {}, clock(), key=FETCH_KEY)
    assert list(resting(store)) == [FETCH_KEY]


def test_a_decision_is_judged_the_same_whoever_brought_its_prices(
    server, store, clock, record, fetch
):
    trade(server, clock, "SOL", until=10)
    record(role=CALLS, hours_ago=24)
    reflector = Reflector(store, REGISTRY, saying("exogenous"), StoredPrices, clock)
    fetch()
    # Its entry is the close of 01:00, so that its window ends in an hour: it waits, not parked.
    early = reflect_role(reflector, CALLS.id)
    assert (early.settled, early.parked) == (0, {})

    clock.advance(hours=1)
    fetch()

    assert reflect_role(reflector, CALLS.id).settled == 1
    (decision,) = list_decisions(store)
    assert decision.state == "reflected"
    assert decision.verdict.measured["entry"]["at"] == "2026-01-04T01:00:00.000000Z"
    assert decision.verdict.measured["exit"]["at"] == "2026-01-05T01:00:00.000000Z"
