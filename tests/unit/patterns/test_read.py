"""Patterns are read with their decisions, their cells and what people said."""

import pytest

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.decisions.mark import mark_decision
from afterword.pipeline.domain.patterns.cells import CellKey
from afterword.pipeline.domain.patterns.family import families_of, votes_of
from afterword.pipeline.domain.patterns.read import (
    cells,
    members,
    notes,
    summaries,
)
from tests.unit.patterns.record import REGISTRY, ROLE

FLAW = [True, False, False, False, False] * 12


@pytest.fixture
def read(store):
    def one(query, *given, **named):
        with reading(store) as conn:
            return query(conn, *given, **named)

    return one


def test_each_number_leads_to_its_decisions(desk, read):
    ids = desk.decide(FLAW)
    desk.decide([True], direction="short")
    desk.weigh()
    (found,) = desk.patterns()

    shown = read(members, found.key, found.numbers.window_hours, 100)

    assert [one.decision_id for one in shown] == ids[::-1]
    assert sum(one.window_verdict == "right" for one in shown) == found.numbers.hits == 12


def test_all_twelve_cells_of_a_family_are_computed_on_request(desk, read):
    desk.decide([True, False, False])

    found = read(cells, ROLE, "layer_1")

    assert len(found) == 12
    counted = {one.hypothesis: (one.n, one.hits) for one in found if one.n}
    assert {(key.setup, key.side): value for key, value in counted.items()} == {
        (("long", "up"), "failing"): (3, 1),
        (("long", "up"), "works"): (3, 1),
    }
    assert desk.patterns() == []


def test_a_summary_counts_every_direction_against_its_base(desk, read):
    desk.decide([True, True, False, None], size_usd=1_000)
    desk.decide([True, False], direction="neutral", trend="flat", base=0.5)

    (found,) = read(summaries, ROLE)

    long, neutral = found.directions["long"], found.directions["neutral"]
    assert (long.n, long.right, long.wrong, long.noise, long.expected) == (4, 2, 1, 1, 1.5)
    assert (neutral.n, neutral.right, neutral.expected) == (2, 1, 1.0)
    assert (found.all.n, found.all.n_eff, found.all.spent, found.sized) == (6, 5, 1, 4)
    assert found.all.cost_micro_usd == 50_000_000
    assert found.cells[CellKey("layer_1", "neutral", "flat")].hits == 1


def test_stated_confidence_stands_beside_what_came_of_it(desk, read):
    desk.decide([True, False, None], confidence=0.8)
    desk.decide([True])

    (found,) = read(summaries, ROLE)

    assert found.calibration == ((0.8, True), (0.8, False))


def test_near_same_decisions_are_one_stretch(desk, read, store, clock, ids):
    for _ in range(20):
        desk.decide([False])
        desk.day -= 1

    (found,) = read(summaries, ROLE)

    assert (found.all.n, found.all.n_eff) == (20, 1)


def test_a_person_is_quoted_in_the_persons_words(desk, read, store, clock):
    first, second = desk.decide([True, False])
    mark_decision(store, REGISTRY, second, "wrong", "I chased the candle.", clock)
    then = clock()
    clock.advance(minutes=1)
    mark_decision(store, REGISTRY, first, "right", "Waited for the retest.", clock)

    assert [(one.mark, one.note) for one in read(notes, [ROLE.id])] == [
        ("right", "Waited for the retest."),
        ("wrong", "I chased the candle."),
    ]
    assert [one.note for one in read(notes, None, as_of=then)] == ["I chased the candle."]


def test_votes_can_be_read_on_from_where_a_reader_stopped(desk, read):
    desk.decide([True, False])
    first = read(votes_of, ROLE)
    desk.decide([True])

    new = read(votes_of, ROLE, after=max(one.outcome_id for one in first))

    assert len(new) == 1
    assert [*first, *new] == read(votes_of, ROLE)


def test_a_family_is_read_as_it_was_known_at_a_moment(desk, read, clock):
    desk.decide([True, False])
    then = clock()
    clock.advance(minutes=1)
    desk.decide([True])

    def counted(as_of):
        family = read(families_of, ROLE, as_of=as_of)["layer_1"]
        return sum(one.n for one in family.patterns() if one.hypothesis.side == "works")

    assert (counted(then), counted(None)) == (2, 3)
