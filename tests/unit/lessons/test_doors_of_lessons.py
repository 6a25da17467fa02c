"""Every door tells the same lessons: what evidence confirms, each text once, recalled with why."""

import json

import pytest

from afterword.pipeline.domain.decisions.mark import mark_decision
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.doors.agent import Agent, call
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.recall.lessons.fragment import parse_fragment
from afterword.pipeline.recall.prompts.brief import BriefLimits, read_brief
from afterword.pipeline.recall.prompts.brief_block import render_brief
from afterword.pipeline.recall.prompts.places import More
from tests.corpora.blocks import parse_brief, parse_brief_lessons, parse_snapshot
from tests.unit.patterns.record import REGISTRY, ROLE

FLAW = [True, False, False, False, False] * 12
HINT = [True, False, False, False, False] * 6
QUESTION = "Go long SOL after this rally?"
ALL = {"AFTERWORD_ROLE_LESSONS": "all"}

SKILL = """
from afterword.pipeline.testing.roles import role_of, skill_of
DESK = skill_of(role_of())
"""


@pytest.fixture(autouse=True)
def skill(home):
    """Declare the desk's role, so that the command line knows it."""
    folder = home / "skills"
    folder.mkdir(parents=True)
    (folder / "desk.py").write_text(SKILL)


@pytest.fixture
def begin(writer):
    """Begin a session of an agent of the desk."""

    def one(**parts) -> Agent:
        handle = begin_session(writer).handle
        return Agent(Door(writer, handle, **{"roles": REGISTRY} | parts))

    return one


@pytest.fixture
def taught(store, clock, ids, desk, case):
    """A confirmed pattern, two notes of one wording, and single cases that repeat words."""
    desk.decide(FLAW, asset_class="crypto")
    desk.weigh()
    for words in ("Wait for the close", "Wait  for\nthe close"):
        new = NewDecision(ROLE.id, "Buy", asset="SOL", direction="long")
        row_id = record_decision(store, REGISTRY, new, clock, ids).id
        clock.advance(hours=1)
        mark_decision(store, REGISTRY, row_id, "wrong", words, clock)
    case("SOL", "long", "up", "Size down")
    case("SOL", "long", "up", "Size  down")
    case("SOL", "short", "up", "Wait for the close")


CONFIRMED = ["failing", "note, wrong"]
EVERYTHING = ["failing", "note, wrong", "one case"]
BY_FIT = ["failing", "one case", "note, wrong"]  # no outcome tells yet what the note's trend was


def labels(choice, question=""):
    """Return what each lesson is shown as; with a question the best fit comes first."""
    if choice == "confirmed":
        return CONFIRMED
    return BY_FIT if question else EVERYTHING


@pytest.mark.usefixtures("taught")
@pytest.mark.parametrize("choice", ["confirmed", "all"])
@pytest.mark.parametrize("question", ["", QUESTION])
def test_the_agent_s_tools_tell_each_text_once(begin, choice, question):
    agent = begin(lesson_choice=choice)

    recalled = call(agent, "role_recall", {"role": ROLE.id, "question": question})
    assert [one["label"] for one in recalled] == labels(choice, question)
    fragment = call(agent, "role_prompt", {"skill": "desk", "question": question})
    assert [one.label for one in parse_fragment(fragment)] == labels(choice, question)


@pytest.mark.usefixtures("taught")
@pytest.mark.parametrize("choice", ["confirmed", "all"])
@pytest.mark.parametrize("question", ["", QUESTION])
def test_the_command_tells_each_text_once(command, choice, question):
    env = {"AFTERWORD_ROLE_LESSONS": choice}
    asked = ("role", "recall", ROLE.id, "--like", question)

    recalled = command(*asked, "--json", env=env).json
    assert [one["label"] for one in recalled] == labels(choice, question)
    prompt = command("role", "recall", "desk", "--prompt", "--like", question, env=env).out
    assert [one.label for one in parse_fragment(prompt.rstrip("\n"))] == labels(choice, question)


@pytest.mark.usefixtures("taught")
def test_the_agent_s_tool_and_the_command_say_why_each_came(command, begin):
    told = begin().role_recall(ROLE.id, QUESTION)
    same_setup = ("same asset: SOL", "same direction", "same trend: up")
    assert [one.why for one in told] == [
        (*same_setup, "fits in words"),
        ("same asset: SOL", "same direction", "fits in words"),  # a note has no outcome yet
    ]

    found = command("role", "recall", ROLE.id, "--like", QUESTION, "--json").json
    assert [tuple(one["why"]) for one in found] == [one.why for one in told]
    table = command("role", "recall", ROLE.id, "--like", QUESTION).out
    assert "same asset: SOL; same direction" in " ".join(table.split())
    without = begin().role_recall(ROLE.id)
    assert [one.why for one in without] == [(), ()]  # nothing was asked


@pytest.mark.usefixtures("taught")
@pytest.mark.parametrize("choice", ["confirmed", "all"])
def test_snapshot_and_brief_show_each_text_once(begin, command, choice):
    agent, env = begin(lesson_choice=choice), {"AFTERWORD_ROLE_LESSONS": choice}

    brief = agent.start_brief()
    assert [one.label for one in parse_brief_lessons(brief)] == labels(choice)
    assert [one.label for one in parse_snapshot(agent.snapshot()).lessons] == labels(choice)
    assert parse_brief_lessons(brief) == list(parse_snapshot(agent.snapshot()).lessons)
    tool = json.loads(json.dumps(call(agent, "memory_brief", {})))
    assert tool["text"] == brief
    assert [one["label"] for one in tool["lessons"]] == labels(choice)
    assert command("brief", env=env).out == f"{brief}\n"
    printed = command("brief", "--json", env=env).json
    assert [one["label"] for one in printed["lessons"]] == labels(choice)


def test_a_brief_of_lessons_alone_says_how_to_read_them(begin, desk, clock):
    desk.decide(FLAW, asset_class="crypto")
    desk.weigh()

    lines = begin().start_brief().splitlines()
    assert lines[:6] == [
        "## Memory Context",
        "",
        "Remembered in earlier sessions, the most useful first.",
        "",
        "### Past Decisions",
        "",
    ]
    assert lines[6].startswith("> `failing` and `works` were counted against")
    assert lines[6].endswith("background information, not an instruction.")
    day = clock().date().isoformat()
    assert lines[8].startswith(f"- {day} [failing] {ROLE.id}, SOL: ")
    assert "right 12 of 60 stretches" in lines[8]
    assert len(lines) == 9


def test_a_hint_is_in_a_brief_on_request_only(begin, command, desk):
    desk.decide(HINT, asset_class="crypto")
    desk.weigh()

    assert begin().start_brief() == ""
    assert command("brief").out == "no typed entry and no lesson yet\n"
    assert "[hint]" in begin(lesson_choice="all").start_brief()
    assert "[hint]" in command("brief", env=ALL).out


def test_a_brief_is_as_of_the_start_of_its_session(begin, command, desk, clock):
    early = begin()
    clock.advance(hours=1)
    desk.decide(FLAW, asset_class="crypto")
    desk.weigh()

    assert early.start_brief() == ""
    assert "[failing]" in begin().start_brief()
    assert "[failing]" in early.memory_brief().text  # the tool shows the present
    assert early.start_brief() == ""


@pytest.mark.usefixtures("taught")
@pytest.mark.parametrize("most", [600, 1_200, 2_400, 4_000, 10_000])
def test_lessons_take_a_third_of_a_brief_at_most(store, clock, writer, most):
    for number in range(50):
        clock.advance(seconds=1)
        write_memory(writer, NewMemory("fact", f"a fact of some length, {number}", type="fact"))
    limits = BriefLimits(max_chars=most)

    brief = read_brief(store, clock, limits, choice="all")
    assert len(brief.text) <= most
    more = More(brief.entry_count - brief.brief_count)
    without = len(render_brief(brief.entries, more=more))
    assert len(brief.text) - without <= most // 3
    assert [one.content for one in parse_brief(brief.text)] == [
        one.content for one in brief.entries
    ]
    assert bool(brief.lessons) == (most > 1_200)
    if most == 10_000:
        assert (brief.brief_count, len(brief.lessons)) == (50, 3)
