"""The record of a role becomes patterns: when one is told, of what, and when it ends."""

import random
from dataclasses import replace
from datetime import timedelta

import pytest

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.decisions.mark import mark_decision
from afterword.pipeline.domain.outcomes.probes import Manual
from afterword.pipeline.domain.patterns.read import current, history
from afterword.pipeline.domain.patterns.weigh import weigh_patterns
from afterword.pipeline.testing.roles import learned
from tests.unit.patterns.record import REGISTRY, ROLE

FLAW = [True, False, False, False, False] * 12
"""Right 12 times of 60, where a coin is right 30 times."""

COIN = [True, False] * 30


def words(patterns):
    return [(one.state, one.direction, one.trend, one.side) for one in patterns]


def bytes_of(store):
    with reading(store) as conn:
        query = """
          SELECT asset_class, direction, trend, side, state, is_class, assets, numbers, text
          FROM role_patterns WHERE superseded_at IS NULL ORDER BY 1, 2, 3, 4"""
        return [tuple(row) for row in conn.exec_driver_sql(query)]


def superseded(store, decision_id):
    with reading(store) as conn:
        query = "SELECT lesson_superseded_at FROM role_memory WHERE id = ?"
        return conn.exec_driver_sql(query, (decision_id,)).scalar_one()


def test_a_coin_flip_gets_no_pattern(desk):
    desk.decide(COIN)
    desk.decide(COIN, direction="short", trend="down")

    desk.weigh()

    assert desk.patterns() == []


def test_a_planted_flaw_is_confirmed_and_told_with_its_base(desk):
    desk.decide(FLAW, size_usd=1_000)

    desk.weigh()

    (found,) = desk.patterns()
    assert words([found]) == [("confirmed", "long", "up", "failing")]
    assert found.text.startswith(
        "Failing: longs after a rise beyond the band, SOL: right 12 of 60 stretches "
        "(60 decisions, base 30), 95 % interval 12 to 32 %, lost $1,800, since "
    )
    assert "in at most 1 of 20 such roles" in found.text
    assert (found.is_class, found.assets) == (False, ("SOL",))


def test_what_works_is_a_pattern_like_what_fails(desk):
    desk.decide([not hit for hit in FLAW], direction="short", trend="down")

    desk.weigh()

    (found,) = desk.patterns()
    assert words([found]) == [("confirmed", "short", "down", "works")]
    assert found.text.startswith("Works: shorts after a fall beyond the band, SOL: right 48 of 60")


def test_moves_inside_the_band_and_unknown_trends_cast_no_vote(desk, store):
    desk.decide([None] * 60)
    desk.decide([False] * 60, trend=None)

    desk.weigh()

    assert desk.patterns() == []


def test_a_flaw_of_one_asset_is_not_told_of_another(desk):
    for hit in FLAW:
        desk.decide([hit], assets=("SOL",))
        desk.decide([random.Random(desk.day).random() < 0.5], assets=("ADA",))

    desk.weigh()

    (found,) = desk.patterns()
    assert (found.is_told_of("SOL"), found.is_told_of("ADA")) == (True, False)
    assert "SOL: right 12 of 60" in found.text


def test_a_flaw_of_the_whole_class_is_told_of_an_asset_it_never_met(desk):
    desk.decide(FLAW, assets=("SOL", "ADA", "XRP"))

    desk.weigh()

    (found,) = desk.patterns()
    assert found.is_told_of("AVAX")
    assert "all of layer_1" in found.text
    assert "right 12 of 60 stretches (180 decisions, base 30)" in found.text


def test_a_lost_flaw_is_retired_and_its_story_stays(desk):
    desk.decide(FLAW)
    desk.weigh()
    (before,) = desk.patterns("confirmed")

    desk.clock.advance(seconds=1)
    desk.decide([True] * 60)
    desk.weigh()

    assert desk.patterns("confirmed") == []
    (retired,) = [one for one in desk.patterns("retired") if one.side == "failing"]
    assert retired.text.startswith(
        "No longer holds: longs after a rise beyond the band, in layer_1"
    )
    with reading(desk.store) as conn:
        story = history(conn, before.key)
    assert [one.state for one in story] == ["confirmed", "retired"]
    assert story[0].superseded_at == desk.clock()


def test_an_emerging_pattern_is_a_hint_and_says_what_it_needs(desk):
    desk.decide([True, False, False, False, False] * 6)

    desk.weigh()

    (found,) = desk.patterns()
    assert found.state == "emerging"
    assert found.text.startswith("A hint, not a lesson: longs after a rise")
    assert "more stretches decide" in found.text
    assert "ailing" not in found.text and "Works" not in found.text


def test_a_hint_that_the_record_no_longer_gives_ends_and_its_story_stays(desk):
    desk.decide([True, False, False, False, False] * 6)
    desk.weigh()
    (hint,) = desk.patterns("emerging")
    desk.clock.advance(seconds=1)
    desk.decide([True] * 10)
    desk.weigh()

    assert desk.patterns() == []
    with reading(desk.store) as conn:
        (ended,) = history(conn, hint.key)
    assert ended.superseded_at == desk.clock()
    assert desk.lines("pattern.end") == 1


def test_a_pattern_has_one_current_text_that_is_superseded_when_its_numbers_change(desk):
    desk.decide(FLAW)
    desk.weigh()
    desk.clock.advance(seconds=1)
    desk.decide([False])
    desk.weigh()

    (found,) = desk.patterns()
    assert "right 12 of 61 stretches" in found.text
    with reading(desk.store) as conn:
        story = history(conn, found.key)
    assert [one.superseded_at is None for one in story] == [False, True]


def test_a_pattern_is_read_as_it_was_known_at_a_moment(desk):
    desk.decide(FLAW)
    desk.weigh()
    then = desk.clock()
    desk.clock.advance(hours=1)
    desk.decide([True] * 60)
    desk.weigh()

    assert words(desk.patterns("confirmed", as_of=then)) == [("confirmed", "long", "up", "failing")]
    assert desk.patterns("confirmed", as_of=then - timedelta(seconds=1)) == []


def test_weighing_again_without_news_writes_nothing(desk):
    desk.decide(FLAW)

    first, second = desk.weigh(), desk.weigh()

    assert (first.roles, first.written, second.roles) == (1, {"confirmed": 1}, 0)
    assert desk.lines("pattern.write") == 1


def test_weighed_once_or_after_every_decision_the_bytes_are_equal(desk, stores, clock, ids):
    hits = [*FLAW, *[True] * 40, *COIN]
    for hit in hits:
        desk.decide([hit], assets=("SOL", "ADA"))
        desk.weigh()
    stepwise = bytes_of(desk.store)

    other = type(desk)(stores.group("other", create=True), clock, ids)
    other.decide(hits, assets=("SOL", "ADA"))
    other.weigh()

    assert stepwise
    assert bytes_of(other.store) == stepwise


@pytest.mark.parametrize(("replaced", "count"), [("decided_at", 0), ("decided_at + 1", 1)])
def test_a_decision_counts_unless_it_was_replaced_by_its_entry(desk, replaced, count):
    desk.decide(FLAW)
    with writing(desk.store) as conn:
        conn.exec_driver_sql(f"UPDATE role_memory SET superseded_at = {replaced}")

    desk.weigh()

    assert len(desk.patterns()) == count


def test_a_stricter_level_confirms_later_and_weighs_again(desk):
    desk.decide([True, False, False, False, False] * 7)
    desk.weigh()
    assert words(desk.patterns("confirmed")) != []

    desk.weigh(level=0.000_001)

    assert desk.patterns("confirmed") == []


def test_a_lesson_that_the_record_of_its_setup_does_not_support_is_superseded(desk, store):
    found = desk.decide([True, False])
    learned(store, found[1], "Wait after a rise.", desk.clock())

    tally = desk.weigh()

    assert tally.lessons == 1
    assert superseded(store, found[1]) is not None
    assert desk.lines("role.supersede_lesson") == 1


def test_a_lesson_that_the_record_supports_stays(desk, store):
    found = desk.decide([True, False, False])
    learned(store, found[2], "Wait after a rise.", desk.clock())

    desk.weigh()

    assert superseded(store, found[2]) is None


@pytest.mark.parametrize(
    ("direction", "trend"), [("long", "up"), ("short", "down"), ("neutral", "flat")]
)
@pytest.mark.parametrize("each", [1, 3, 9])
def test_a_lesson_ends_the_same_way_however_often_its_role_is_weighed(
    desk, store, each, direction, trend
):
    """At the sixth decision 3 were right, as many as without skill; afterwards they are fewer."""
    hits = [False, False, True, True, True, False, False, False, False]
    found = []
    for place in range(0, len(hits), each):
        found += desk.decide(hits[place : place + each], direction=direction, trend=trend)
        for row_id in found[place:]:
            learned(store, row_id, f"Wait {row_id}.", desk.clock())
        desk.weigh()

    ended = [superseded(store, row_id) is not None for row_id in found]
    assert ended == [True] * 6 + [False] * 3


def test_a_lesson_of_a_neutral_call_is_superseded_as_well(desk, store):
    found = desk.decide([True, False], direction="neutral", trend="flat")
    learned(store, found[1], "Wait until it is quiet.", desk.clock())

    desk.weigh()

    assert superseded(store, found[1]) is not None


def test_a_lesson_whose_case_a_person_marked_is_never_superseded(desk, store):
    found = desk.decide([True, False])
    mark_decision(store, REGISTRY, found[1], "wrong", "I chased it.", desk.clock)
    with writing(store) as conn:
        conn.exec_driver_sql("UPDATE role_memory SET retry_at = NULL")
    learned(store, found[1], "Wait after a rise.", desk.clock())

    desk.weigh()

    assert superseded(store, found[1]) is None


def test_a_new_lesson_is_looked_at_though_nothing_was_measured_since(desk, store):
    found = desk.decide([True, False])
    desk.weigh()
    learned(store, found[1], "Wait after a rise.", desk.clock())

    assert desk.weigh().lessons == 1


def test_a_role_that_no_price_judges_has_no_patterns(desk, store, clock):
    desk.decide(FLAW)
    policy = replace(ROLE.reflection_policy, outcome_probe=Manual())

    assert weigh_patterns(store, [replace(ROLE, reflection_policy=policy)], clock()).roles == 0


@pytest.mark.parametrize("seed", range(3))
def test_the_order_in_which_outcomes_are_measured_does_not_matter(desk, seed, stores, clock, ids):
    hits = FLAW[:]
    random.Random(seed).shuffle(hits)
    desk.decide(hits, assets=("SOL", "ADA"))
    desk.weigh()

    other = type(desk)(stores.group("other", create=True), clock, ids)
    other.decide(hits, assets=("ADA", "SOL"))
    other.weigh()

    assert bytes_of(other.store) == bytes_of(desk.store)


def test_patterns_of_one_role_of_all_and_of_a_past_moment_are_found(desk, store):
    desk.decide(FLAW)
    desk.weigh()

    with reading(store) as conn:
        for role_ids in ([ROLE.id], None):
            for as_of in (None, desk.clock()):
                assert len(current(conn, role_ids, as_of=as_of)) == 1
        assert current(conn, ["other.role"]) == []
        assert current(conn, ["other.role"], as_of=desk.clock()) == []
