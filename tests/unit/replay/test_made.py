"""Calls of makers become decisions as if each had been checked by itself."""

from dataclasses import replace

import pytest

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import prepare as checked
from afterword.pipeline.operations.replay.calls import MakerCall
from afterword.pipeline.operations.replay.loop import decision_row
from afterword.pipeline.operations.replay.made import MadeDecisions
from afterword.pipeline.operations.replay.run import roles_for
from tests.unit.replay.worlds import BEGIN, HOUR

AT = to_micros(BEGIN)
SECRET = "sk-ant-api03-" + "a1B2" * 20
CALL = MakerCall(AT, "SOL", "momentum", "long", "SOL rose by 3 %.", "lookback_hours=96")
LATER = replace(CALL, at=to_micros(BEGIN + HOUR), words="SOL rose by 7 %.")
METHODS = {("momentum", "lookback_hours=96", "layer_1", "long"): "method-1"}


@pytest.fixture
def registry(stores):
    return roles_for(stores.home, 24)


@pytest.fixture
def made(registry):
    return MadeDecisions(registry, 1, METHODS)


@pytest.mark.parametrize("call", [CALL, LATER, replace(LATER, stance="short")])
def test_a_call_is_the_same_decision_after_others_as_alone(registry, made, call):
    made.of(CALL)
    done = made.of(call)

    new = NewDecision(
        "replay.momentum",
        call.words,
        asset="SOL",
        direction=call.stance,
        decided_at=from_micros(call.at),
        key=done.key,
        origin="system",
        methods=("method-1",) if call.stance == "long" else (),
    )
    row = replace(checked(registry, new), uid=decision_row(done.body).uid, known_at=call.at)
    assert decision_row(done.body) == row
    assert (done.at, done.maker, done.role_id) == (call.at, "momentum", "replay.momentum")


def test_calls_of_two_moments_have_ids_of_their_own(made):
    first, second = (decision_row(made.of(one).body) for one in (CALL, LATER))

    assert first.uid != second.uid
    assert first.record_key != second.record_key


def test_a_secret_in_the_name_of_an_asset_is_masked_in_every_call(made):
    named = replace(CALL, asset=SECRET, words=f"{SECRET} rose by 3 %.")
    bodies = [made.of(replace(named, at=AT + number)).body for number in range(3)]

    assert not any("a1B2a1B2" in decision_row(body).decision for body in bodies)
