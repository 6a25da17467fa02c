"""Whether a lesson helps: decisions keep what their prompt held, and only a draw can tell."""

import pytest

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.decisions.read import show_decision
from afterword.pipeline.domain.outcomes import rows as outcome_rows
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.doors.agent import Agent
from afterword.pipeline.doors.agent.door import Door
from tests.unit.patterns.record import REGISTRY, ROLE, outcome

FLAW = [True, False, False, False, False] * 12
NAME = "crypto long up failing"
SKILL = """
from afterword.pipeline.testing.roles import role_of, skill_of
DESK = skill_of(role_of())
"""


@pytest.fixture(autouse=True)
def taught(home, clock, desk):
    """A desk that is told that its longs of SOL after a rise fail."""
    (home / "skills").mkdir(parents=True)
    (home / "skills" / "desk.py").write_text(SKILL)
    desk.decide(FLAW, asset_class="crypto")
    desk.weigh()
    clock.advance(hours=1)


@pytest.fixture
def begin(writer):
    """Begin a session of an agent of the desk."""

    def one(**parts) -> Agent:
        return Agent(Door(writer, begin_session(writer).handle, **{"roles": REGISTRY} | parts))

    return one


@pytest.fixture
def measured(store, clock):
    """Record a decision of an agent after a rise, with what became of it a day later."""

    def one(agent, hit, *, direction="long", key=None):
        done = agent.role_record(ROLE.id, "Because.", "SOL", direction, key=key)
        at, row_id = clock(), show_decision(store, done.id).decision.id
        clock.advance(days=1)
        row = outcome(row_id, "SOL", "crypto", direction, "up", at, hit, known_at=clock())
        with writing(store) as conn:
            outcome_rows.insert(conn, [row])

    return one


def told(store, row_id):
    """Return the names of the patterns that a decision was told, and those left out."""
    lessons = show_decision(store, row_id).lessons
    return lessons and tuple(
        [one.name for one in part] for part in (lessons.shown, lessons.left_out)
    )


def record(agent, **how):
    return agent.role_record(ROLE.id, "Because.", "SOL", "long", **how).id


def helped(command):
    found = [
        one["effect"]
        for role in command("role", "summary", ROLE.id, "--json").json
        for part in role["classes"]
        for one in part["patterns"]
        if one["side"] == "failing"
    ]
    (effect,) = found
    return effect


def test_a_decision_keeps_what_its_prompt_held(store, begin, command):
    agent = begin()
    unasked = record(agent)
    assert "[failing]" in agent.role_prompt("desk")
    asked, follower = record(agent), record(agent)

    assert told(store, unasked) is None
    assert told(store, asked) == told(store, follower) == ([NAME], [])
    digests = {show_decision(store, one).decision.lessons_hash for one in (asked, follower)}
    assert len(digests) == 1
    assert f"{NAME} (pattern " in command("role", "show", str(asked)).out


@pytest.mark.parametrize("start", ["snapshot", "start_brief", "memory_brief"])
def test_what_a_session_starts_with_belongs_to_its_decisions(store, begin, start):
    agent, other = begin(), begin()
    assert "[failing]" in str(getattr(agent, start)())

    assert told(store, record(agent)) == ([NAME], [])
    assert told(store, record(other)) is None


def test_a_key_joins_a_prompt_and_its_decision_through_other_doors(store, begin, command):
    assert "[failing]" in command("role", "recall", "desk", "--prompt", "--key", "turn 7").out
    agent = begin()
    assert told(store, record(agent, key="turn 8")) is None
    assert told(store, record(agent, key="turn 7")) == ([NAME], [])
    refused = command("role", "recall", ROLE.id, "--key", "x", "--as-of", "2026-01-01T00:00:00Z")
    assert (refused.code, "key" in refused.err) == (2, True)


def test_looking_keeps_nothing(store, begin, command, clock):
    command("role", "recall", "desk", "--prompt")
    agent = begin()
    agent.role_prompt("desk", as_of=clock())

    assert told(store, record(agent)) is None


def test_a_draw_leaves_a_lesson_out_of_its_share_of_prompts(store, begin):
    agent = begin(lesson_holdout=0.5)
    prompts = [agent.role_prompt("desk", key=f"turn {n}") for n in range(200)]
    again = [agent.role_prompt("desk", key=f"turn {n}") for n in range(200)]

    assert prompts == again
    assert 80 < prompts.count("") < 120
    without = prompts.index("")
    assert told(store, record(agent, key=f"turn {without}")) == ([], [NAME])


def test_without_a_key_the_draw_is_by_the_next_decision_of_the_session(begin):
    agent = begin(lesson_holdout=0.5)
    drawn = []
    for _ in range(30):
        prompt = agent.role_prompt("desk")
        assert agent.role_recall(ROLE.id) == [] if not prompt else "[failing]" in prompt
        drawn.append(bool(prompt))
        record(agent)

    assert {True, False} == set(drawn)


def test_while_there_is_a_draw_no_text_for_all_decisions_tells_a_pattern(begin):
    agent = begin(lesson_holdout=0.2)
    texts = agent.snapshot(), agent.start_brief(), agent.memory_brief().text
    assert not any(
        "failing" in text.lower() for text in (*texts, agent.memory_compiled_page("SOL"))
    )


def test_without_a_draw_nothing_is_said_to_help(begin, measured, command):
    reader, other = begin(), begin()
    reader.role_prompt("desk")
    for _ in range(30):
        measured(reader, hit=True, direction="short")
        measured(other, hit=False)

    effect = helped(command)
    assert (effect["read"]["hits"], effect["read"]["stretches"]) == (30, 30)
    assert (effect["other"]["hits"], effect["other"]["stretches"]) == (0, 30)
    assert (effect["read"]["played"], effect["other"]["played"]) == (0, 30)
    assert (effect["before"]["hits"], effect["before"]["stretches"]) == (12, 60)
    assert effect["verdict"] == "cannot tell yet"
    said = " ".join(command("role", "summary", ROLE.id).out.split())
    assert "read it 30 of 30 (base 15), did not 0 of 30 (base 15)" in said
    assert "cannot tell yet: who reads it may differ otherwise" in said
    assert "Before it was confirmed 12 of 60 (base 30): selected, no evidence." in said
    assert "helped" not in said


def test_a_draw_can_tell_that_a_lesson_helped(begin, measured, command):
    agent = begin(lesson_holdout=0.5)
    for turn in range(60):
        key = f"turn {turn}"
        reads = bool(agent.role_prompt("desk", key=key))
        measured(agent, hit=reads or turn % 5 == 0, direction="short" if reads else "long", key=key)

    effect = helped(command)
    assert effect["verdict"] == "helped"
    assert effect["interval"][0] > 0
    said = " ".join(command("role", "summary", ROLE.id).out.split())
    assert "left out by the draw" in said
    assert "helped: chance separates the two" in said


def test_a_failing_pattern_that_nobody_tests_says_so_and_leaves(clock, desk, begin, command):
    clock.advance(days=60)  # the last such decision was made 80 days earlier
    prompt = begin().role_prompt("desk")
    assert "No such decision in the last 141 days: untested since then" in prompt
    assert "untested 1" in command("role", "summary", ROLE.id).out
    clock.advance(days=60)

    assert begin().role_prompt("desk") == begin().snapshot() == ""
    assert command("role", "recall", ROLE.id).out.startswith("nothing that evidence confirms")
    assert "untested since then" in command("role", "recall", ROLE.id, "--all").out
    patient = {"AFTERWORD_PATTERN_UNPLAYED_DAYS": "400"}
    assert "1. failing" in command("role", "recall", ROLE.id, env=patient).out

    desk.day = desk.days_ago - 1
    desk.decide([False], asset_class="crypto")
    desk.weigh()
    assert "[failing]" in begin().role_prompt("desk")
