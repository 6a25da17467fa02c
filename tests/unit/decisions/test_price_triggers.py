"""Prices that come in begin the roles whose decisions wait for them: of the asset, or of a peer."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.read import list_decisions
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.decisions.triggers import on_prices
from afterword.pipeline.domain.prices.keep import keep_bars
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.reflection.reflect import reflect_role
from afterword.pipeline.domain.skills import PeerRelative, RoleRegistry
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.rules.market.symbols import normalise_symbol
from afterword.pipeline.testing.roles import HOUR, book, jagged, role_of, saying, skill_of

FIXED = role_of("desk.fixed", PeerRelative(24, ("ETH-USD", "BTC")), triggers=("on_price_fetch",))
NAMED = role_of(
    "desk.named", PeerRelative(24, peers_field="peers"), triggers=("on_price_fetch", "cron")
)
BY_CLOCK = role_of("desk.clock", PeerRelative(24, ("ETH",)))
REGISTRY = RoleRegistry([skill_of(FIXED, NAMED, BY_CLOCK)])


@pytest.fixture
def decided_at(clock):
    return clock() - 60 * HOUR


@pytest.fixture
def record(store, clock, ids, decided_at):
    def one(role=FIXED, registry=REGISTRY, **changes):
        new = NewDecision(role.id, "Buy SOL", asset="SOL", direction="long", decided_at=decided_at)
        return record_decision(store, registry, replace(new, **changes), clock, ids).id

    return one


def begun(store, *symbols, at, registry=REGISTRY):
    with writing(store) as conn:
        return on_prices(conn, registry, symbols, at)


def keep(store, clock, symbol, decided_at, arrived=None):
    """Keep prices of a market around the decision."""
    prices = book(symbol, decided_at - 200 * HOUR, jagged(200, [-0.05, *[0.0] * 50]))
    (series,) = prices.series(symbol)
    bars = prices.bars(series, decided_at - 300 * HOUR, clock(), clock())
    return keep_bars(store, series, bars, clock, arrived)


def test_prices_of_a_peer_begin_the_role_that_is_compared_with_it(store, clock, record):
    record()

    assert begun(store, "DOGE", at=clock()) == []
    assert begun(store, "ethusdt", at=clock()) == ["desk.fixed"]


def test_peers_that_a_decision_names_itself_begin_its_role(store, clock, record):
    # Of a time when the role compared all with the same peers, so nobody checked this input.
    before = RoleRegistry([skill_of(role_of(NAMED.id, PeerRelative(24, ("ETH",))))])
    record(NAMED, before, inputs={"peers": ["AVAX-USD", 7, "LINK"], "note": "DOGE"})
    record(NAMED, before, inputs={"peers": "UNI"})  # no list: it is compared with nobody
    record(NAMED, before)

    assert begun(store, "AVAXUSDT", at=clock()) == ["desk.named"]
    assert [begun(store, one, at=clock()) for one in ("DOGE", "UNI", "7")] == [[], [], []]


@pytest.mark.parametrize("field", ["$.peers", 'a "b"', "peers[0]", ""])
def test_an_input_is_found_by_its_name_whatever_is_in_it(store, clock, record, field):
    role = role_of("x.y", PeerRelative(24, peers_field=field or "p"), triggers=("on_price_fetch",))
    registry = RoleRegistry([skill_of(role)])
    record(role, registry, inputs={field or "p": ["ETH"], "peers": ["BTC"]})

    assert begun(store, "ETH", at=clock(), registry=registry) == ["x.y"]
    assert begun(store, "BTC", at=clock(), registry=registry) == []


def test_a_peer_begins_nothing_before_a_decision_is_ripe_or_after_it_is_judged(
    store, clock, record
):
    record(decided_at=clock() - 23 * HOUR)
    assert begun(store, "ETH", at=clock()) == []
    clock.advance(hours=1)
    assert begun(store, "ETH", at=clock()) == ["desk.fixed"]

    clock.advance(hours=1000)
    reflect_role(
        Reflector(store, REGISTRY, saying("exogenous"), StoredPrices, clock), "desk.fixed"
    )  # too old by now
    assert begun(store, "ETH", at=clock()) == []


def test_a_role_by_the_clock_is_not_begun_but_looks_again_at_what_was_parked(
    store, clock, record, decided_at
):
    record(BY_CLOCK)
    reflector = Reflector(store, REGISTRY, saying("exogenous"), StoredPrices, clock)
    keep(store, clock, "SOLUSDT", decided_at)
    assert reflect_role(reflector, "desk.clock").parked == {"no price": 1}
    assert reflect_role(reflector, "desk.clock").parked == {}  # it waits for some hours

    keep(store, clock, "ETHUSDT", decided_at, lambda c, of, now: on_prices(c, REGISTRY, of, now))

    assert open_jobs(store) == []
    assert reflect_role(reflector, "desk.clock").settled == 1


def test_an_import_of_a_missing_peer_lets_its_decision_be_judged(store, clock, record, decided_at):
    """The whole way: parked for a peer's price, the peer is imported, one job judges it."""
    one = record(NAMED, inputs={"peers": ["ETH"]})
    other = record(NAMED, inputs={"peers": ["DOGE"]})
    reflector = Reflector(store, REGISTRY, saying("exogenous"), StoredPrices, clock)
    keep(store, clock, "SOLUSDT", decided_at)
    assert reflect_role(reflector, "desk.named").parked == {"no price": 2}
    waits = [row.retry_at for row in list_decisions(store)]
    clock.advance(minutes=1)

    keep(store, clock, "ETHUSDT", decided_at, lambda c, of, now: on_prices(c, REGISTRY, of, now))

    assert open_jobs(store) == ["desk.named"]
    looked = {row.id: row.retry_at for row in list_decisions(store)}
    assert looked[one] == clock()
    assert looked[other] in waits  # its peer has no prices yet
    assert reflect_role(reflector, "desk.named").settled == 1


def test_many_transactions_of_one_import_leave_one_job(store, clock, record, monkeypatch):
    monkeypatch.setattr("afterword.pipeline.domain.prices.keep.WRITE_BARS", 3)
    record()
    (series,) = (prices := book("ETHUSDT", clock() - 50 * HOUR, [100.0] * 40)).series("ETH")
    bars: tuple[Bar, ...] = prices.bars(series, clock() - 60 * HOUR, clock(), clock())
    times = []

    def arrived(conn, symbols, now):
        times.append(on_prices(conn, REGISTRY, symbols, now))

    keep_bars(store, series, bars, clock, arrived)

    assert len(times) == 14
    assert set(map(tuple, times)) == {("desk.fixed",)}
    assert open_jobs(store) == ["desk.fixed"]


WRITTEN = ["ETH", "eth-usd", "ETHUSDT", "BTC", "kPEPE", "EUR/USD", "xyz:TSLA", "unknown thing"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(peers=st.sets(st.sampled_from(WRITTEN), min_size=1), came=st.sampled_from(WRITTEN))
def test_a_role_is_begun_exactly_by_the_markets_it_is_compared_with(
    store, clock, record, peers, came
):
    with writing(store) as conn:
        conn.exec_driver_sql("DELETE FROM role_memory")
    record(NAMED, inputs={"peers": sorted(peers)})

    is_compared = normalise_symbol(came) in {normalise_symbol(peer) for peer in peers}
    assert begun(store, came, at=clock()) == (["desk.named"] if is_compared else [])


def open_jobs(store):
    with reading(store) as conn:
        query = "SELECT key FROM jobs WHERE kind = 'reflect_entries'"
        return list(conn.exec_driver_sql(query).scalars())
