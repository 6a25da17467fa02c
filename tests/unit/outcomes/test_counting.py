"""Which outcomes count: a maker withdraws a decision before its entry, a source at any time."""

import pytest
from sqlalchemy import text

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.outcomes.counting import COUNTED_THEN, COUNTS, does_count

ENTRY = 10
CASES = [
    (None, None, True),
    (9, None, False),
    (10, None, False),  # at its entry nothing of how it goes is known yet
    (11, None, True),
    (None, 11, False),
    (11, 99, False),
    (9, 99, False),
]


def in_sql(store, rule, superseded_at, corrected_at, as_of=50, entry=ENTRY):
    decision = "(SELECT :s AS superseded_at, :c AS corrected_at) AS m"
    query = f"SELECT {rule} FROM {decision}, (SELECT :e AS entry_at) AS o"
    with reading(store) as conn:
        values = {"s": superseded_at, "c": corrected_at, "e": entry}
        return bool(conn.execute(text(query), values | {"as_of": as_of}).scalar_one())


@pytest.mark.parametrize(("superseded_at", "corrected_at", "counts"), CASES)
def test_the_rule_is_the_same_in_python_and_in_sql(store, superseded_at, corrected_at, counts):
    assert does_count(superseded_at, corrected_at, ENTRY) is counts
    assert in_sql(store, COUNTS, superseded_at, corrected_at) is counts


def test_before_its_correction_was_known_a_decision_counted(store):
    assert in_sql(store, COUNTED_THEN, None, 51, as_of=50)
    assert not in_sql(store, COUNTED_THEN, None, 50, as_of=50)


def test_a_replaced_decision_without_an_entry_does_not_count_yet(store):
    assert not in_sql(store, COUNTS, 5, None, entry=None)
