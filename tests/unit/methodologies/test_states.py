"""The state of a methodology, now and as of a moment."""

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.methodologies.lifecycle import StateChange, apply_changes
from afterword.pipeline.domain.methodologies.read import find_methodology

CHANGES = (
    *("promising", "not_promising", "graduated", "demoted", "requantized_by_judge"),
    *("synthesis_auto_demote", "flag", "recover"),
)
STEPS = st.lists(
    st.tuples(st.sampled_from(CHANGES), st.sampled_from(["strict", "literal"])), max_size=12
)


def apply(store, one, change, gate, clock):
    """Change a state as the synthesis does: a judge's change is about the gate in force."""
    gate = gate if change in ("graduated", "demoted") else "strict"
    with writing(store) as conn:
        apply_changes(conn, [StateChange(one.id, change, gate, "said so")], "strict", clock())


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
