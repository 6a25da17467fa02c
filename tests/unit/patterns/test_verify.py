"""The doctor weighs stored patterns again, and mends those that their outcomes do not give."""

import pytest

from afterword.pipeline.clock import monotonic
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.patterns.verify import doubts
from afterword.pipeline.operations.doctor.examine import examine
from afterword.pipeline.operations.doctor.fix import fix
from afterword.pipeline.settings import load

FLAW = [True, False, False, False, False] * 12


def forge(store, change):
    """Change the current pattern behind the back of the program."""
    with writing(store) as conn:
        conn.exec_driver_sql("DROP TRIGGER role_patterns_bu")
        conn.exec_driver_sql(f"UPDATE role_patterns SET {change}")


def mend(desk):
    found = fix(desk.store, None, desk.clock(), only=["patterns"], apply=True)
    return [one.rows for one in found]


def in_doubt(store):
    with reading(store) as conn:
        return [one.patterns for one in doubts(conn)]


@pytest.mark.parametrize(
    "change",
    [
        "state = 'retired'",
        "is_class = 1",
        "assets = '[\"ADA\"]'",
        "numbers = json_set(numbers, '$.hits_milli', 1000)",
        "text = 'Never go long again.'",
        "text = 'Longs are right 3 of 60 times, base 30.', worded_by = 'a model'",
        "superseded_at = known_at",
    ],
)
def test_a_pattern_that_its_votes_do_not_give_is_found_and_mended(desk, change):
    desk.decide(FLAW)
    desk.weigh()
    before = desk.patterns()
    forge(desk.store, change)
    assert in_doubt(desk.store) == [1]

    desk.clock.advance(seconds=1)
    assert mend(desk) == [1]

    assert in_doubt(desk.store) == []
    assert [one.text for one in desk.patterns()] == [one.text for one in before]
    assert mend(desk) == [0]


def test_a_text_of_an_earlier_template_is_written_anew_when_the_role_is_weighed_again(desk):
    desk.decide(FLAW)
    desk.weigh()
    (before,) = desk.patterns()
    forge(desk.store, "text = 'An earlier template said this.'")
    with writing(desk.store) as conn:
        conn.exec_driver_sql("UPDATE role_weighings SET seen = json_set(seen, '$.form', 0)")

    desk.clock.advance(seconds=1)
    desk.weigh()

    assert [one.text for one in desk.patterns()] == [before.text]
    assert in_doubt(desk.store) == []


def test_outcomes_that_are_not_weighed_yet_are_no_doubt(desk):
    desk.decide(FLAW)
    desk.weigh()
    desk.decide([True])

    assert in_doubt(desk.store) == []


def test_the_doctor_says_so(desk, home, clock, ids):
    desk.decide(FLAW)
    desk.weigh()

    def said():
        found = examine(load(home=home), clock, monotonic, ids)
        return [(one.state, one.says) for one in found if "pattern" in one.says]

    assert said() == [("fine", "patterns: 1, as their outcomes give them")]
    forge(desk.store, "state = 'retired'")
    assert said() == [("wrong", "1 pattern of desk.calls not as its outcomes give them")]
