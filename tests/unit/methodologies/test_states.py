"""The state of a methodology, now and as of a moment."""

import json

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.methodologies.delete import delete_methodology
from afterword.pipeline.domain.methodologies.lifecycle import StateChange, apply_changes
from afterword.pipeline.domain.methodologies.read import find_methodology

CHANGES = (
    *("promising", "not_promising", "graduated", "demoted", "requantized_by_judge"),
    *("synthesis_auto_demote", "flag", "recover"),
)
NUMBERS = {"n_eff": 0, "hits": 0.0, "base": 0.5}
STEPS = st.lists(
    st.tuples(st.sampled_from(CHANGES), st.sampled_from(["strict", "literal"])), max_size=12
)


def apply(store, one, change, gate, clock):
    """Change a state as the synthesis does: a judge's change is about the gate in force."""
    gate = gate if change in ("graduated", "demoted") else "strict"
    with writing(store) as conn:
        apply_changes(
            conn, [StateChange(one.id, change, gate, "said so", NUMBERS)], "strict", clock()
        )


@example(
    [("graduated", "strict"), ("graduated", "literal"), ("flag", "strict"), ("demoted", "literal")]
)
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_each_past_moment_has_the_state_that_it_had(store, clock, add, steps):
    one = add(f"Buy BTC at support {clock().timestamp():.0f}", as_new=True)
    seen = []
    for change, gate in steps:
        clock.advance(seconds=1)
        apply(store, one, change, gate, clock)
        with reading(store) as conn:
            seen.append((clock(), find_methodology(conn, one.id).state))
        clock.advance(seconds=1)

    with reading(store) as conn:
        assert seen == [(at, find_methodology(conn, one.id, at).state) for at, _ in seen]


def test_a_graduate_that_is_no_longer_promising_stays_one(store, clock, add):
    one = add("Buy BTC at support")
    for change in ("promising", "graduated", "not_promising"):
        clock.advance(seconds=1)
        apply(store, one, change, "strict", clock)

    with reading(store) as conn:
        assert find_methodology(conn, one.id).state == "graduated"
        assert find_methodology(conn, one.id, clock()).state == "graduated"


@pytest.mark.parametrize(
    ("changes", "state"),
    [
        ([], "new"),
        (["promising"], "promising"),
        (["promising", "graduated"], "graduated"),
        (["graduated", "demoted"], "demoted"),
        (["graduated", "flag"], "flagged"),
    ],
)
def test_the_plan_of_a_methodology_in_any_state_can_be_read(
    store, clock, add, command, changes, state
):
    one = add("Buy BTC at support", name="Support")
    for change in changes:
        apply(store, one, change, "strict", clock)

    shown = command("methodology", "show", "1")

    assert shown.code == 0, shown.err
    assert f" {state}: " in shown.out
    assert json.loads(command("methodology", "ls", "--json").out)["methodologies"][0]["state"] == (
        state
    )


def test_a_graduate_says_what_demotes_it(store, clock, add, command):
    apply(store, add("Buy BTC at support"), "graduated", "strict", clock)

    shown = " ".join(command("methodology", "show", "1").out.split())

    assert "20 demotes, and so do 3 flags in a row; without a model 10 flags" in shown


@pytest.mark.parametrize("ending", ["merged", "deleted"])
def test_the_plan_of_one_that_is_gone_can_be_read(add, change, owner, command, ending):
    one, other = add("Buy BTC at support"), add("Sell BTC at resistance", direction="bearish")
    if ending == "merged":
        change(one, "merged", into=other.id)
    else:
        delete_methodology(owner, one.uid)

    shown = command("methodology", "show", "1")

    assert (shown.code, f"{ending}: " in shown.out) == (0, True)
