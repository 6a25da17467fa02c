"""Claims about what becomes of habits: counted by day, proposed, active, and back."""

from dataclasses import replace

from afterword.pipeline.core.store import reading
from afterword.pipeline.core.store.content_hash import content_hash
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.facts.record import record_fact
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.preferences.change import (
    approve_preference,
    propose_preference,
    reject_preference,
)
from afterword.pipeline.domain.preferences.read import list_preferences
from afterword.pipeline.domain.profile.declare import upsert_tag
from afterword.pipeline.domain.profile.tags import list_tags
from afterword.pipeline.domain.recorded_trades.model import NewTrade
from afterword.pipeline.domain.recorded_trades.record import record_trade
from afterword.pipeline.domain.sessions.sessions import begin_session, in_session
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.skills.builtin import BUILTIN
from tests.unit.profile.made_trades import import_trips

REGISTRY = RoleRegistry(BUILTIN)
ROLE = "market.spot.momentum"
LEARNED = "SELECT content FROM memories WHERE source = 'learned_preference' AND deleted_at IS NULL"


def test_a_habit_is_proposed_after_three_days_and_active_after_six(days):
    stated = []
    for _ in range(7):
        days.trade(1)
        days.mine()
        stated.append(days.states("asset").get("SOL"))

    assert stated == [None, None, "proposed", "proposed", "proposed", "active", "active"]
    active = days.one("asset")
    assert (active.observed_for, active.observed_against, active.decided_by) == (6, 0, "system")
    assert "usual: trade SOL" in days.texts(LEARNED)


def test_a_hundred_trades_of_an_hour_are_one_observation(days):
    days.trade(2, times=50)
    days.mine()

    assert days.preferences() == []
    seen = "SELECT times FROM preference_observations WHERE dimension = 'asset'"
    assert days.texts(seen) == [50, 50]


def test_the_day_that_is_not_over_says_nothing_yet(days):
    days.trade(6)
    days.clock.advance(days=-1)
    days.mine()

    assert days.states("asset") == {"SOL": "proposed"}


def test_what_is_contradicted_once_more_often_than_followed_falls_back(days):
    days.trade(6)
    days.mine()
    days.trade(6, "BTC")
    days.mine()
    assert days.states("asset") == {"SOL": "active"}

    days.trade(1, "BTC")
    days.mine()

    assert days.states("asset")["SOL"] == "proposed"
    assert "usual: trade SOL" not in days.texts(LEARNED)


def test_a_habit_that_ended_is_forgotten_by_its_newest_thirty_days_however_old_it_was(days):
    days.trade(40)
    days.mine()
    days.trade(16, "BTC")
    days.mine()

    assert days.states("asset") == {"SOL": "proposed", "BTC": "proposed"}


def test_a_learned_tag_stands_below_what_was_declared_and_changes_no_word_of_the_user(days, owner):
    upsert_tag(owner, "risk", "conservative")
    write_memory(owner, NewMemory("preference", "I like charts", source="user_manual"))
    fact = NewMemory("fact", "The venue closes at noon")
    record_fact(days.store, fact, days.clock, days.by.ids)
    with reading(days.store) as conn:
        declared = conn.exec_driver_sql("SELECT * FROM user_tags").all()
        before = [content_hash(conn, table) for table in ("memories", "facts", "user_profile")]

    days.trade(6, adds=True)
    with reading(days.store) as conn:
        trips = conn.exec_driver_sql("SELECT max(id) FROM memories").scalar_one()
    days.mine()

    assert days.states("risk") == {"aggressive": "active"}
    assert [(tag.source, tag.value) for tag in list_tags(days.store)] == [
        ("user", "conservative"),
        ("learned_preference", "aggressive"),
    ]
    with reading(days.store) as conn:
        assert (
            conn.exec_driver_sql("SELECT * FROM user_tags WHERE source = 'user'").all() == declared
        )
        kept = conn.exec_driver_sql(
            "SELECT count(*) FROM memories WHERE id <= ? AND (superseded_at IS NOT NULL"
            " OR deleted_at IS NOT NULL OR stale_at IS NOT NULL)",
            (trips,),
        ).scalar_one()
        assert kept == 0
        assert [content_hash(conn, table) for table in ("facts", "user_profile")] == before[1:]


def test_a_tag_whose_preference_falls_back_is_concluded_no_more(days):
    days.trade(6, adds=True)
    days.mine()
    days.trade(7)
    days.mine()

    assert days.states("risk") == {"aggressive": "proposed"}
    assert list_tags(days.store) == []


def test_a_rejected_preference_is_not_proposed_again_and_its_memory_is_gone(days, owner):
    days.trade(6)
    days.mine()
    reject_preference(owner, days.one("asset").uid)

    days.trade(6)
    days.mine()

    assert days.states("asset") == {"SOL": "rejected"}
    assert "usual: trade SOL" not in days.texts(LEARNED)


def test_what_its_owner_approved_is_measured_by_what_was_seen_since(days, owner):
    days.trade(6, "BTC")
    days.mine()
    proposed = propose_preference(owner, "asset", "soft_preference", "sol")
    approve_preference(owner, proposed.uid)

    days.trade(1)
    days.mine()
    assert days.states("asset")["SOL"] == "active"

    days.trade(2, "BTC")
    days.mine()
    assert days.states("asset")["SOL"] == "proposed"


def test_what_is_said_and_done_is_one_preference(days):
    days.trade(5)
    days.say("I only trade SOL")
    days.trade(1)
    days.mine()

    only = days.one("asset")
    assert (only.kind, only.state, only.observed_for) == ("soft_preference", "active", 7)


def test_trades_and_decisions_of_an_agent_are_no_habit_of_the_user(days, writer):
    session = replace(writer, session=in_session(writer, begin_session(writer).handle).session)
    for day in range(6):
        days.trade(1)
        (tid,) = days.texts("SELECT CAST(max(CAST(tid AS INTEGER)) - 1 AS TEXT) FROM perps_fills")
        record_trade(session, trade_of(tid))
        decide(writer, f"long {day}", "agent")
    days.mine()

    assert days.preferences() == []


def test_stops_of_decisions_that_the_owner_recorded_are_a_habit(days, owner):
    for day in range(6):
        decide(owner, f"long {day}", "owner")
        days.later(1)
    days.mine()

    assert days.states("stop_loss") == {"always": "active"}
    assert days.states("take_profit") == {"never": "active"}


def test_late_fills_change_no_read_of_the_past(days):
    days.trade(6)
    days.mine()
    then = days.clock()
    read = [list_preferences(days.store, as_of=then)]
    days.trade(7, "BTC")
    days.mine()
    import_trips(days.store, days.clock, days.by.ids, [13.0], coin="ETH")
    days.mine()

    assert days.states("asset")["SOL"] == "proposed"
    assert list_preferences(days.store, as_of=then) == read[0]


def trade_of(tid):
    return NewTrade(
        venue="hyperliquid",
        account="main",
        asset="SOL",
        side="buy",
        size="1",
        price="100",
        tid=tid,
    )


def decide(by, words, actor):
    new = NewDecision(ROLE, words, asset="SOL", direction="long", stop_price="90")
    record_decision(by.store, REGISTRY, new, by.clock, by.ids, actor=actor)
