"""Where two replays part: the first event that differs, and decisions paired by key."""

import json
from dataclasses import replace

import pytest

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.reflection.case import Case
from afterword.pipeline.domain.reflection.heuristic import HeuristicJudge
from afterword.pipeline.domain.reflection.judge import JudgeOpinion
from afterword.pipeline.operations.replay.digest import EVENTS, events
from afterword.pipeline.operations.replay.passes import LINK_US
from afterword.pipeline.operations.replay.run import status_of
from afterword.pipeline.operations.replay_report.compare import compare_replays
from tests.unit.replay.worlds import plan_of, price_file, replayed


class OneByteJudge(HeuristicJudge):
    """A judge whose first narrative has one other byte."""

    has_judged = False

    def classify(self, case: Case, group: str) -> JudgeOpinion:
        opinion = super().classify(case, group)
        if self.has_judged:
            return opinion
        self.has_judged = True
        return replace(opinion, narrative=opinion.narrative.replace(" before", " Before", 1))


@pytest.fixture
def compared(stores):
    def compare(left: str, right: str):
        one, other = stores.replay(left), stores.replay(right)
        with reading(one) as first, reading(other) as second:
            return compare_replays((first, status_of(one)), (second, status_of(other)))

    return compare


def test_two_runs_of_one_plan_are_equal_to_their_end(stores, tmp_path, compared):
    plan = plan_of(price_file(tmp_path, days=20))
    ends = {replayed(stores, name, plan).cursor for name in ("one", "other")}
    found = compared("one", "other")

    assert found.is_same
    assert (found.settings, found.differing, found.only_left, found.only_right) == ({}, 0, 0, 0)
    assert found.paired == status_of(stores.replay("one")).recorded > 10
    assert {found.same_until} == {from_micros(end + 1) for end in ends}


def test_the_first_event_that_differs_is_named_among_those_that_follow(stores, tmp_path, compared):
    """Prices that differ on one late day: all before is equal, and the first outcome is named."""
    honest = price_file(tmp_path, days=45)
    other = price_file(tmp_path / "other", days=45, differs_on=35)
    for name, path in (("one", honest), ("other", other)):
        replayed(stores, name, plan_of(path))
    found = compared("one", "other")

    assert found.first is not None and found.first.at is not None
    assert found.same_until is not None and found.same_until <= found.first.at
    assert found.same_until == from_micros((found.first.at.timestamp() * 1e6) // LINK_US * LINK_US)
    assert found.first.kind in ("decision", "outcome")
    days = (found.first.at - from_micros(0)).days - 19723  # 2024-01-01
    assert 34 <= days <= 36
    assert found.differing > 0
    assert [pair.at for pair in found.pairs] == sorted(pair.at for pair in found.pairs)
    assert all(pair.differing for pair in found.pairs)


def test_one_other_byte_of_a_narrative_is_the_event(stores, tmp_path, compared):
    plan = plan_of(price_file(tmp_path, days=20))
    replayed(stores, "one", plan)
    replayed(stores, "other", plan, judge=OneByteJudge())
    found = compared("one", "other")

    assert found.first is not None
    assert found.first.kind == "verdict"
    assert found.first.left is not None
    assert found.first.right == found.first.left.replace(" before", " Before", 1)
    (place,) = found.first.differing
    assert found.first.names[place] == "narrative"


def test_every_place_of_a_hashed_line_has_a_name(stores, tmp_path):
    replayed(stores, "one", plan_of(price_file(tmp_path, days=20)))
    with reading(stores.replay("one")) as conn:
        lines = [(view, line) for view in EVENTS for line in events(conn, view, 0, 1 << 62)]
    assert {view.name for view, _ in lines} >= {"decision", "outcome", "verdict"}
    assert all(len(view.names()) == len(json.loads(line)) for view, line in lines)


def test_a_run_that_is_not_over_is_compared_as_far_as_it_is(stores, tmp_path, compared):
    path = price_file(tmp_path, days=40)
    whole = replayed(stores, "whole", plan_of(path))
    half = replayed(stores, "half", plan_of(path, until=from_micros(whole.cursor - LINK_US // 2)))
    found = compared("whole", "half")

    assert half.cursor < whole.cursor
    assert found.is_same
    assert (found.only_left, found.only_right) == (0, 0)


def test_settings_that_differ_are_listed_with_both_values(stores, tmp_path, compared):
    plan = plan_of(price_file(tmp_path, days=15))
    replayed(stores, "one", plan)
    replayed(stores, "two", replace(plan, seed=2))
    found = compared("one", "two")

    assert found.settings == {"seed": (1, 2)}
    assert found.first is not None and found.first.kind == "methodology"
