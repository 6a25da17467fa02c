"""An agent records its trades and what they brought, within the limits of its session."""

from typing import Any

import pytest

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.history.import_fills import import_fills
from afterword.pipeline.domain.recorded_trades.read import recorded_trades
from afterword.pipeline.domain.sessions.model import Limits
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.domain.venues.hyperliquid_api import parse_fills
from afterword.pipeline.doors.agent import Agent, call, schema
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.errors import BudgetExceededError, InvalidInputError, NotFoundError

BUY = {
    "venue": "hyperliquid",
    "account": "main",
    "asset": "SOL",
    "side": "buy",
    "size": "2.50",
    "price": 150.1,
    "tid": "9",
}


@pytest.fixture
def agent(writer) -> Agent:
    return Agent(Door(writer, begin_session(writer).handle, limits=Limits(stores=0, trades=2)))


def kept(store) -> list[Any]:
    with reading(store) as conn:
        return [one.trade for one in recorded_trades(conn)]


def test_a_trade_and_its_outcome_are_of_the_session_and_of_now(store, agent, clock):
    bought = call(agent, "trade_record", BUY)
    closed = agent.trade_record(**BUY | {"side": "sell", "tid": "10", "closes": bought["id"]})
    assert bought["size"] == "2.5" and bought["price"] == "150.1" and bought["is_new"]
    assert [one.session_id for one in kept(store)] == [agent.session] * 2
    assert closed.closes == bought["id"] and closed.realised_usd is None
    assert {one.occurred_at for one in kept(store)} == {clock()}


def test_a_trade_recorded_again_counts_once_and_an_outcome_counts(agent):
    first = agent.trade_record(**BUY, key="a")
    again = agent.trade_record(**BUY, key="a")
    assert (again.id, again.is_new) == (first.id, False)
    told = agent.trade_outcome(first.id, "-1.25")
    assert agent.trade_outcome(first.id, -1.25) == told
    assert told.realised_usd == "-1.25"
    with pytest.raises(BudgetExceededError):
        agent.trade_outcome(first.id, 7)
    assert agent.trade_outcome(first.id, "-1.25") == told  # nothing of the refused one was kept


def test_what_is_refused_leaves_nothing(store, agent):
    for changes in ({"size": "many"}, {"closes": "x"}, {"decision": "x"}, {"occurred_at": "2020"}):
        with pytest.raises((InvalidInputError, NotFoundError)):
            call(agent, "trade_record", BUY | changes)
    with pytest.raises(InvalidInputError, match="size"):
        agent.trade_record(**BUY | {"size": []})
    with pytest.raises(NotFoundError, match="no recorded trade"):
        call(agent, "trade_outcome", {"trade": "x\0", "realised_usd": 1})
    assert kept(store) == []


def test_a_model_sees_which_fields_must_be_given():
    assert schema("trade_record")["required"] == [
        *("venue", "account", "asset", "side", "size", "price")
    ]
    assert schema("trade_record")["properties"]["side"]["enum"] == ["buy", "sell"]


def test_the_users_own_fills_of_an_asset_are_found(store, agent, ids, clock):
    row = {"coin": "SOL", "px": "150.10", "sz": "2", "side": "A", "time": 1_767_000_000_000}
    row |= {"startPosition": "2.0", "dir": "Close Long", "closedPnl": "-3.5", "hash": "0x0"}
    row |= {"oid": 1, "crossed": True, "fee": "0.1", "feeToken": "USDC", "tid": 9}
    before = clock()
    clock.advance(minutes=1)
    import_fills(store, parse_fills([row], "main", "fills"), clock, ids)

    (one,) = call(agent, "search_user_trades", {"asset": "SOL/USDT"})
    assert (one["side"], one["effect"], one["direction"]) == ("sell", "close", "long")
    assert (one["size_usd"], one["price"], one["realized_pnl"]) == ("300.2", "150.1", "-3.5")
    assert agent.search_user_trades("ETH") == agent.search_user_trades("SOL", as_of=before) == []
    for refused in ({"asset": " "}, {"asset": "SOL", "limit": 0}, {"asset": "SOL", "limit": 101}):
        with pytest.raises(InvalidInputError):
            call(agent, "search_user_trades", refused)
