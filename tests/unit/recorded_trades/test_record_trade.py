"""Trades that an agent records: what is refused, what is one trade, what its outcome changes."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.core.telemetry import listen
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.history.import_fills import import_fills
from afterword.pipeline.domain.recorded_trades.model import NewTrade, TradeRecord
from afterword.pipeline.domain.recorded_trades.read import recorded_trades
from afterword.pipeline.domain.recorded_trades.record import record_trade, update_trade_outcome
from afterword.pipeline.domain.recorded_trades.rows import _MIRRORED
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.venues.hyperliquid_api import parse_fills
from afterword.pipeline.errors import InvalidInputError, NotFoundError
from afterword.pipeline.testing.roles import role_of, skill_of

BUY = NewTrade(
    venue="hyperliquid",
    account="main",
    asset="SOL",
    side="buy",
    size="2.5",
    price="150.10",
    oid="77",
    tid="9007199254740993",
)
SELL = replace(BUY, side="sell", size="1", oid="78", tid="9007199254740995")
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"


def trades(store: Store, as_of: Any = None) -> list[TradeRecord]:
    with reading(store) as conn:
        return [one.trade for one in recorded_trades(conn, as_of)]


def counted_alone(store: Store, as_of: Any = None) -> list[str]:
    with reading(store) as conn:
        return [one.trade.uid for one in recorded_trades(conn, as_of) if not one.is_mirrored]


@pytest.fixture
def mirror(store, clock, ids):
    """Import one fill of the account, as its venue reports it."""

    def one(**changes: Any) -> None:
        row = {
            "coin": "SOL",
            "px": "150.1",
            "sz": "2.5",
            "side": "B",
            "time": 1_767_000_000_000,
            "startPosition": "0.0",
            "dir": "Open Long",
            "closedPnl": "0.0",
            "hash": "0x0",
            "oid": 77,
            "crossed": True,
            "fee": "0.1",
            "feeToken": "USDC",
            "tid": 9007199254740993,
        }
        import_fills(store, parse_fills([row | changes], "main", "fills"), clock, ids)

    return one


def test_a_trade_is_kept_to_the_last_digit_with_its_session_and_decision(store, writer, clock, ids):
    registry = RoleRegistry([skill_of(role_of())])
    decision = NewDecision("desk.calls", "Buy", asset="SOL", direction="long")
    decided = record_decision(store, registry, decision, clock, ids)
    new = replace(BUY, price="150.10000000000000001", fee="-0.0000001", decision_uid=decided.uid)

    done = record_trade(replace(writer, session="s-1"), new)

    (one,) = trades(store)
    assert (one.uid, one.session_id, one.decision_uid) == (done.uid, "s-1", decided.uid)
    assert (one.price, one.fee) == (Decimal("150.10000000000000001"), Decimal("-0.0000001"))
    assert (one.asset_key, one.side, one.tid) == ("SOL", "buy", "9007199254740993")
    assert one.occurred_at == one.known_at == clock()


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("venue", " ", "is blank"),
        ("account", None, "not text"),
        ("asset", "S" * 101, "101 characters"),
        ("side", "long", "'long' is unknown"),
        ("size", 0, "is 0"),
        ("size", True, "is True"),
        ("size", float("nan"), "is nan"),
        ("size", "1,5", "'1,5'"),
        ("price", "-1", "'-1'"),
        ("price", 10**16, "is 10000000000000000"),
        ("fee", "--1", "'--1'"),
        ("realised_usd", "1e30", "'1e30'"),
        ("oid", 77, "not text"),
        ("key", "a\0b", "NUL"),
        ("fee_token", "BNB", "without a fee"),
    ],
)
def test_a_field_that_cannot_be_kept_is_refused_by_name(store, writer, field, value, problem):
    with pytest.raises(InvalidInputError, match=problem) as refused:
        record_trade(writer, replace(BUY, **{field: value}))
    assert refused.value.field == field
    assert trades(store) == []


def test_a_trade_of_the_future_is_refused(store, writer, clock):
    later = clock() + timedelta(seconds=1)
    with pytest.raises(InvalidInputError, match="still to come"):
        record_trade(writer, replace(BUY, occurred_at=later))
    assert trades(store) == []


def test_secrets_are_masked_in_every_text(store, writer):
    texts = ("venue", "account", "asset", "oid", "tid", "cloid", "key")
    given = dict.fromkeys(texts, SECRET) | {"fee": 1, "fee_token": SECRET}
    record_trade(writer, replace(BUY, **given))
    with reading(store) as conn:
        stored = str(conn.exec_driver_sql("SELECT * FROM trade_history").all())
    assert SECRET.lower() not in stored.lower()


def test_a_decision_and_a_trade_to_close_must_exist(store, writer):
    for field in ("decision_uid", "closes_uid"):
        with pytest.raises(NotFoundError, match=field):
            record_trade(writer, replace(SELL, **{field: "nobody"}))
    assert trades(store) == []


def test_a_trade_closes_an_open_one_of_its_own_market_and_no_more_of_it(store, writer, clock):
    opened = record_trade(writer, BUY).uid
    clock.advance(minutes=5)
    sell = replace(SELL, closes_uid=opened)
    refused = [
        ({"account": "other"}, "'main'"),
        ({"venue": "binance"}, "'hyperliquid'"),
        ({"asset": "ETH"}, "'SOL'"),
        ({"side": "buy"}, "buys as the trade"),
        ({"size": "2.6"}, "up to 2.5"),
        ({"occurred_at": clock() - timedelta(hours=1)}, "when it was opened"),
    ]
    for changes, problem in refused:
        with pytest.raises(InvalidInputError, match=problem):
            record_trade(writer, replace(sell, **changes))
    part = record_trade(writer, sell).uid
    with pytest.raises(InvalidInputError, match="closes a trade itself"):
        record_trade(writer, replace(BUY, size=1, tid="5", closes_uid=part))
    with pytest.raises(InvalidInputError, match=r"up to 1\.5"):
        record_trade(writer, replace(sell, size="1.6", tid="5"))
    record_trade(writer, replace(sell, size="1.5", tid="5"))
    with pytest.raises(InvalidInputError, match="it is closed"):
        record_trade(writer, replace(sell, size="0.1", tid="6"))
    assert len(trades(store)) == 3


def test_recorded_again_under_its_key_or_execution_it_is_the_first(store, writer):
    first = record_trade(writer, replace(BUY, key="a"))
    again = record_trade(writer, replace(BUY, key="a", asset="SOL-PERP"))
    by_execution = record_trade(writer, BUY)

    assert [again.uid, by_execution.uid] == [first.uid, first.uid]
    assert [first.is_new, again.is_new, by_execution.is_new] == [True, False, False]
    assert len(trades(store)) == 1
    with pytest.raises(InvalidInputError, match="of another size") as refused:
        record_trade(writer, replace(BUY, key="a", size=9))
    assert refused.value.field == "key"
    with pytest.raises(InvalidInputError, match="of another size") as refused:
        record_trade(writer, replace(BUY, size=9))
    assert refused.value.field == "tid"


def test_an_outcome_supersedes_the_row_and_the_past_stays_readable(store, writer, clock):
    done = record_trade(writer, BUY)
    before = clock()
    clock.advance(hours=1)

    after = update_trade_outcome(writer, done.uid, "-12.3456785")

    assert after.realised_micro_usd == -12_345_678  # a tie goes to the even micro-USD
    assert [one.realised_micro_usd for one in trades(store)] == [-12_345_678]
    assert [one.realised_micro_usd for one in trades(store, before)] == [None]
    assert after.uid == done.uid and after.occurred_at == before
    update_trade_outcome(writer, done.uid, "-12.345678")
    with reading(store) as conn:
        assert conn.exec_driver_sql("SELECT count(*) FROM trade_history").scalar() == 2


def test_the_outcome_belongs_to_the_trade_that_closes(store, writer):
    opened, told = record_trade(writer, BUY).uid, record_trade(writer, replace(BUY, tid="1")).uid
    closed = record_trade(writer, replace(SELL, closes_uid=opened)).uid
    with pytest.raises(InvalidInputError, match=closed):
        update_trade_outcome(writer, opened, 5)
    assert update_trade_outcome(writer, closed, 5).realised_micro_usd == 5_000_000
    update_trade_outcome(writer, told, 1)
    with pytest.raises(InvalidInputError, match="has its outcome already"):
        record_trade(writer, replace(SELL, tid="2", closes_uid=told))
    with pytest.raises(NotFoundError, match="nobody"):
        update_trade_outcome(writer, "nobody", 1)


def test_both_verbs_say_what_they_did_once(writer):
    heard: list[str] = []
    stop = listen(lambda action, _facts: heard.append(action))
    done = record_trade(writer, BUY)
    record_trade(writer, BUY)
    update_trade_outcome(writer, done.uid, 1)
    update_trade_outcome(writer, done.uid, 1)
    stop()
    assert [one for one in heard if one.startswith("trade")] == [
        "trade:recorded",
        "trade:outcome_updated",
    ]


@pytest.mark.parametrize("mirror_first", [True, False])
@pytest.mark.parametrize(
    "ids_given",
    [
        {"tid": "9007199254740993", "oid": None},
        {"tid": None, "oid": "77"},
        {"tid": None, "oid": None, "cloid": "0xabc"},
    ],
)
def test_a_mirrored_trade_counts_once_in_either_order(
    store, writer, clock, mirror, mirror_first, ids_given
):
    new = replace(BUY, **ids_given)
    other = replace(BUY, tid=None, oid="99", cloid=None)
    if mirror_first:
        mirror(cloid="0xabc")
        clock.advance(minutes=1)
    uid = record_trade(writer, new).uid
    alone = record_trade(writer, other).uid
    before = clock()
    clock.advance(minutes=1)
    if not mirror_first:
        assert set(counted_alone(store)) == {uid, alone}
        mirror(cloid="0xabc")
        assert set(counted_alone(store, before)) == {uid, alone}  # not yet known to be mirrored

    assert counted_alone(store) == [alone]
    with reading(store) as conn:
        linked = {one.trade.uid: one.is_mirrored for one in recorded_trades(conn)}
    assert linked == {uid: True, alone: False}


@pytest.mark.parametrize(
    "changes",
    [
        {"coin": "ETH"},  # ids are unique in a market only
        {"side": "A", "startPosition": "5.0"},
        {"tid": 9007199254740992},  # the neighbour that a float cannot tell apart
        {"tid": 0, "oid": 99},
    ],
)
def test_a_fill_of_another_market_side_or_id_is_another_trade(store, writer, mirror, changes):
    uid = record_trade(writer, BUY).uid
    mirror(**changes)
    assert counted_alone(store) == [uid]


def test_an_id_of_another_venue_is_another_trade(store, writer, mirror):
    mirror()
    uid = record_trade(writer, replace(BUY, venue="binance")).uid
    assert counted_alone(store) == [uid]


def test_the_link_is_found_by_indexes(store):
    with reading(store) as conn:
        plan = "\n".join(
            row.detail
            for row in conn.exec_driver_sql(
                f"EXPLAIN QUERY PLAN {_MIRRORED.text}", {"trades": "[]", "as_of": None}
            )
        )
    assert "SCAN fill" not in plan and "SCAN perps_fills" not in plan
