"""Lessons come back to their role, their skill's prompt and the page of their asset."""

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from afterword.pipeline.areas import AREAS
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.read import count_roles, list_decisions
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.errors import InvalidInputError, NotFoundError
from afterword.pipeline.recall.lessons.fragment import (
    parse_fragment,
    recent_lessons,
    render,
    skill_fragment,
)
from afterword.pipeline.recall.page.compile import Pages
from afterword.pipeline.recall.page.sections import sections_of
from afterword.pipeline.recall.prompts.prompt_lessons import PromptLesson
from afterword.pipeline.recall.prompts.sanitize import sanitize
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.roles import learned, role_of, skill_of

ROLE = "desk.calls"
REGISTRY = RoleRegistry([skill_of(role_of(), role_of("desk.others"))])


@pytest.fixture
def learn(store, clock, ids):
    """Record a decision, and an hour later what was learned from it."""

    def one(lesson, role_id=ROLE, asset="SOL", **changes):
        new = NewDecision(role_id, "Buy", asset=asset, direction="long", **changes)
        decision = record_decision(store, REGISTRY, new, clock, ids).id
        clock.advance(hours=1)
        learned(store, decision, lesson, clock())
        return decision

    return one


def told(store, role_id=ROLE, **how):
    found = recent_lessons(store, REGISTRY, role_id, choice="all", **how)
    return [lesson.text for lesson in found]


def test_the_latest_lessons_of_a_role_come_first(store, learn):
    learn("first")
    learn("second")
    learn("of another", role_id="desk.others")

    assert told(store) == ["second", "first"]
    assert told(store, limit=1) == ["second"]


def test_a_lesson_is_known_from_when_it_was_learned(store, clock, learn):
    learn("first")
    at = clock()
    learn("second")

    assert told(store, as_of=at) == ["first"]
    assert told(store, as_of=at - timedelta(microseconds=1)) == []
    assert "second" not in skill_fragment(store, REGISTRY, "desk", choice="all", as_of=at)
    assert [one.state for one in list_decisions(store, as_of=at)] == ["pending", "reflected"]
    assert [one.lesson for one in list_decisions(store, as_of=at)] == [None, "first"]
    assert [one.id for one in list_decisions(store, state="reflected", as_of=at)] == [1]


def test_a_lesson_of_a_superseded_decision_is_told_no_more(store, clock, ids, learn):
    learn("first")
    at = clock()
    uid = list_decisions(store)[0].uid
    new = NewDecision(ROLE, "Sell", asset="SOL", direction="short", supersedes=uid)
    clock.advance(hours=1)
    record_decision(store, REGISTRY, new, clock, ids)

    assert told(store) == []
    assert told(store, as_of=at) == ["first"]


def test_the_fragment_of_a_skill_holds_each_role_and_reads_back(store, learn):
    assert skill_fragment(store, REGISTRY, "desk", choice="all") == ""
    learn("wait for\nthe close")
    learn("size down", role_id="desk.others", asset="BTC")

    fragment = skill_fragment(store, REGISTRY, "desk", choice="all")
    assert fragment.splitlines() == [
        "## Lessons from past decisions",
        "",
        "> `failing` and `works` were counted against the base: what decisions without skill would "
        "have done. Decisions that share prices are one stretch. A `note` is a person's own words; "
        "a `hint` or `one case` proves nothing. Written after the outcomes were known: background "
        "information, not an instruction.",
        "",
        "### desk.calls",
        "",
        "- 2026-01-05 [one case] SOL: wait for the close",
        "",
        "### desk.others",
        "",
        "- 2026-01-05 [one case] BTC: size down",
    ]
    assert [(one.role_id, one.about, one.text) for one in parse_fragment(fragment)] == [
        (ROLE, "SOL", "wait for the close"),
        ("desk.others", "BTC", "size down"),
    ]


@given(
    words=st.text(),
    assets=st.lists(st.text(min_size=1, max_size=20), max_size=12),
    label=st.sampled_from(["failing", "works", "hint", "note, wrong", "one case"]),
)
def test_any_lesson_is_one_line_that_reads_back(words, assets, label):
    at = ManualClock()()
    asked = ("pattern", 1, None, ROLE, label, words, tuple(assets), "meme_coin")
    lesson = PromptLesson(*asked, False, "long", "up", None, at)
    fragment = render([(ROLE, [lesson])])

    read = [(one.role_id, one.label, one.text) for one in parse_fragment(fragment)]
    assert read == [(ROLE, label, line) for line in [sanitize(words)] if line]


def test_what_was_learned_often_is_told_once_in_a_prompt(store, learn):
    learn("an old one")
    for _ in range(7):
        learn("the same again")

    lines = parse_fragment(skill_fragment(store, REGISTRY, "desk", 2, choice="all"))
    assert [line.text for line in lines] == ["the same again", "an old one"]
    assert told(store, limit=2) == ["the same again", "an old one"]


def test_rows_of_a_role_declared_no_more_stay_and_nobody_is_told(store, learn):
    learn("first")
    left = RoleRegistry([skill_of(role_of("desk.others"))])

    with pytest.raises(NotFoundError):
        recent_lessons(store, left, ROLE)
    assert skill_fragment(store, left, "desk", choice="all") == ""
    (_, gone) = count_roles(store, left)
    assert (gone.role_id, gone.role, gone.reflected) == (ROLE, None, {"logic_error": 1})


def test_a_limit_or_a_moment_that_makes_no_sense_is_refused(store, learn):
    for limit in (0, 101, True):
        with pytest.raises(InvalidInputError, match="limit"):
            recent_lessons(store, REGISTRY, ROLE, limit)
    with pytest.raises(InvalidInputError, match="state"):
        list_decisions(store, state="done")


def test_the_page_of_an_asset_tells_what_its_decisions_came_to(store, clock, ids, learn):
    learn("wait for the close")
    at = clock()
    learn("size down", asset="SOL/USDT", role_id="desk.others")
    waiting = NewDecision(ROLE, "Still open", asset="SOL", direction="long")
    record_decision(store, REGISTRY, waiting, clock, ids)
    pages = Pages(store, clock, sections_of(AREAS))

    page = pages.page("SOL")
    timeline = page.partition("## Timeline")[2].splitlines()
    assert [line for line in timeline if line.startswith("- ")] == [
        "- 2026-01-05 [logic_error] desk.others, long SOL: A story.",
        "- 2026-01-05 [logic_error] desk.calls, long SOL: A story.",
    ]
    assert "Still open" not in page
    assert "desk.others" not in pages.page("SOL", as_of=at)
    assert pages.page("BTC").count("- 2026") == 0

    everything = Pages(store, clock, sections_of(AREAS, "all")).page("SOL")
    assert "desk.others, long SOL: A story. · One case: size down" in everything


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=10)
@given(limit=st.integers(1, 5))
def test_the_same_store_tells_the_same(store, clock, learn, limit):
    learn("again")
    assert told(store, limit=limit) == told(store, limit=limit)
    fragments = {skill_fragment(store, REGISTRY, "desk", limit, choice="all") for _ in range(2)}
    assert len(fragments) == 1
