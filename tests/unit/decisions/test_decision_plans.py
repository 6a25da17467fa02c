"""A decision keeps its own plan, the methods it cites and the hint it was shown."""

from dataclasses import replace
from decimal import Decimal

import pytest

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.plan import DecisionPlan, read_plan
from afterword.pipeline.domain.decisions.read import show_decision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.reflection.measure import claim_of
from afterword.pipeline.domain.skills import PriceDelta, RoleRegistry
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.testing.roles import role_of, skill_of

HASH = "0f" * 32
SECRET = "sk-ant-api03-" + "a1B2" * 20
ROLE = role_of()
REGISTRY = RoleRegistry([skill_of(ROLE)])
NEW = NewDecision("desk.calls", "Buy SOL, it broke out", asset="SOL", direction="long", key="a")


@pytest.fixture
def record(store, clock, ids):
    def one(**changes):
        return record_decision(store, REGISTRY, replace(NEW, **changes), clock, ids)

    return one


def plan_of(store, written):
    one = show_decision(store, written.id).decision
    return DecisionPlan(one.stop_price, one.target_price, one.size_usd, one.leverage)


@pytest.mark.parametrize("written", [Decimal("171.50"), 171.5, "171.50", " 1.715e2 "])
def test_a_price_is_kept_exactly_however_it_is_written(store, record, written):
    done = record(stop_price=written)

    assert plan_of(store, done) == (Decimal("171.5"), None, None, None)
    with writing(store) as conn:
        kept = conn.exec_driver_sql("SELECT stop_price, methods FROM role_memory").all()
    assert kept == [("171.5", "[]")]


def test_a_plan_is_read_from_the_inputs_where_it_is_not_given(store, record):
    inputs = {"stop_loss": 148.5, "take_profit": "190", "notional_usd": 2_000, "leverage": "3"}
    done = record(inputs=inputs, target_price=171)

    assert plan_of(store, done) == (Decimal("148.5"), 171, 2_000, 3)
    claim = claim_of(show_decision(store, done.id).decision, ROLE)
    assert (claim.stop_price, claim.target_price) == (Decimal("148.5"), 171)
    assert (claim.size_usd, claim.leverage) == (2_000, 3)


@pytest.mark.parametrize(
    "inputs",
    [
        {"stop": "trailing", "tp": None, "size_usd": -5, "leverage": True},
        {"stop": [148], "target": {"price": 171}, "size_usd": "$2,000", "leverage": 0},
        {"stop": 10**70, "target": "1e99", "size_usd": "NaN", "leverage": 1_001},
    ],
)
def test_inputs_that_are_no_such_numbers_are_ignored(store, record, inputs):
    assert plan_of(store, record(inputs=inputs)) == (None, None, None, None)


def test_the_first_name_with_a_number_counts():
    inputs = {"stop": 140, "stop_loss": "by feel", "sl": 130}
    assert read_plan({}, inputs, "long").stop_price == 140


@pytest.mark.parametrize(
    ("direction", "stop", "target", "kept"),
    [
        ("long", 5, 171, (5, 171)),
        ("long", 171, 5, (None, None)),
        ("short", 5, 171, (None, None)),
        ("neutral", 171, 5, (171, 5)),
    ],
)
def test_inputs_with_a_stop_on_the_side_of_the_gain_are_no_plan(direction, stop, target, kept):
    assert read_plan({}, {"stop": stop, "target": target}, direction)[:2] == kept


def test_an_input_that_contradicts_a_given_price_is_ignored():
    given = {"stop_price": 148}
    assert read_plan(given, {"target": 15, "leverage": 2}, "long") == (148, None, None, 2)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"stop_price": "low"}, "stop_price: is 'low'"),
        ({"target_price": 0}, "target_price: is 0"),
        ({"size_usd": -1.5}, "size_usd: is -1.5"),
        ({"size_usd": 10**13}, "a number above 0, up to 1000000000000"),
        ({"leverage": float("nan")}, "leverage: is nan"),
        ({"leverage": True}, "leverage: is True"),
        ({"stop_price": 171, "target_price": 148}, "171 is not below its target, 148"),
        ({"methods": "breakout"}, "methods: 'breakout' is not a list"),
        ({"methods": ["m"] * 21}, "methods: names 21"),
        ({"methods": ["breakout", ""]}, r"methods\[1\]: is blank"),
        ({"hint_hash": "0F" * 32}, "64 digits from 0-9 and a-f"),
    ],
)
def test_a_wrong_field_is_refused_by_its_name(record, changes, said):
    with pytest.raises(InvalidInputError, match=said):
        record(**changes)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"stop_price": 90, "inputs": {"stop_price": "95"}}, "inputs.stop_price: is 95, but stop"),
        ({"size_usd": 500, "inputs": {"notional_usd": 50}}, "inputs.notional_usd: is 50, but size"),
        ({"leverage": 3, "inputs": {"leverage": 5}}, "inputs.leverage: is 5, but leverage is 3"),
    ],
)
def test_an_input_with_another_number_for_a_given_field_is_refused(record, changes, said):
    with pytest.raises(InvalidInputError, match=said) as refused:
        record(**changes)
    assert refused.value.accepted == "the same number in both, or only one of the two"


def test_an_input_that_may_be_a_percentage_contradicts_nothing(store, record):
    done = record(stop_price="142.50", leverage=3, inputs={"stop": 5, "leverage": "3.0"})

    assert plan_of(store, done) == (Decimal("142.5"), None, None, 3)


def test_methods_are_cited_once_and_hold_no_secret(store, record):
    done = record(methods=["breakout.v2", SECRET, "breakout.v2"], hint_hash=HASH)
    one = show_decision(store, done.id).decision

    assert (one.methods[0], len(one.methods), one.hint_hash) == ("breakout.v2", 2, HASH)
    assert SECRET not in one.methods[1]


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"stop_price": 149}, "stop_price"),
        ({"leverage": 2, "size_usd": 9}, "size_usd, leverage"),
        ({"methods": []}, "methods"),
        ({"hint_hash": None}, "hint_hash"),
    ],
)
def test_another_plan_under_the_same_key_is_refused(record, changes, named):
    first = {"stop_price": "148.50", "methods": ("breakout",), "hint_hash": HASH}
    done = record(**first)
    assert not record(**first | {"stop_price": 148.5}).is_new

    with pytest.raises(InvalidInputError) as refused:
        record(**first | changes)
    assert refused.value.problem.endswith(f"{done.uid}, of another {named}")


def test_decisions_recorded_before_there_were_plans_have_those_of_their_inputs(store, record):
    inputs = {"stop": 148, "target": 171}
    done = record(inputs=inputs)
    with writing(store) as conn:  # as the migration left them
        conn.exec_driver_sql("DROP TRIGGER role_memory_decision_bu")
        conn.exec_driver_sql("UPDATE role_memory SET stop_price = NULL, target_price = NULL")

    assert plan_of(store, done) == (148, 171, None, None)
    assert not record(inputs=inputs).is_new


@pytest.mark.parametrize(("own", "first"), [(24, 168), (48, 24), (168, 24)])
def test_a_decision_is_first_measured_after_the_first_window_that_is_not_its_own(
    store, clock, ids, own, first
):
    registry = RoleRegistry([skill_of(role_of("desk.own", PriceDelta(own), min_age_hours=own))])
    new = NewDecision("desk.own", "Buy BTC", asset="BTC", direction="long")
    record_decision(store, registry, new, clock, ids)
    with reading(store) as conn:
        kept = conn.exec_driver_sql("SELECT measure_at - decided_at FROM role_memory").scalars()
        assert list(kept) == [first * 3_600_000_000]
