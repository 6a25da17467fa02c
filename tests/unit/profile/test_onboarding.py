"""The owner's answers become declared tags and one memory each; said again, nothing changes."""

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from afterword.pipeline.core.store import Store, StoreOptions, Stores, reading
from afterword.pipeline.domain.memory.read import read_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.profile.declare import clear_tag, upsert_tag
from afterword.pipeline.domain.profile.onboarding import complete_onboarding, onboarding_status
from afterword.pipeline.domain.profile.tags import list_tags
from afterword.pipeline.domain.sessions.model import Limits
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.doors.agent import TOOLS, Agent
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.errors import BudgetExceededError, InvalidInputError
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.testing.clock import ManualClock

ANSWERS: dict[str, Any] = {
    "finance_knowledge": "level_2",
    "frequency": "daily",
    "risk": "conservative",
    "markets": ["memes", "crypto_majors"],
    "capital": "$1k-5k",
}
TABLES = "user_tags", "financial_profile", "onboarding_answers", "memories", "audit_log"


@pytest.fixture
def agent(writer: Writer) -> Agent:
    return Agent(Door(writer, begin_session(writer).handle))


def declared(store: Store) -> dict[str, str]:
    return {tag.dimension: tag.value for tag in list_tags(store) if tag.source == "user"}


def told(store: Store) -> list[str]:
    return sorted(memory.content for memory in read_memories(store, "personalization"))


def written(store: Store) -> list[Any]:
    with reading(store) as conn:
        return [conn.exec_driver_sql(f"SELECT * FROM {table}").all() for table in TABLES]


def test_answers_become_declared_tags_and_a_memory_each(agent: Agent, store: Store):
    done = agent.complete_onboarding(**ANSWERS)

    assert done.has_completed
    assert (done.tags_set, done.memories_written) == (tuple(ANSWERS)[:4], 5)
    assert declared(store) == {
        "finance_knowledge": "level_2",
        "frequency": "daily",
        "risk": "conservative",
        "markets": '["crypto_majors", "memes"]',
    }
    assert told(store) == [
        "How often the user trades: Daily",
        "The capital the user invests, by the user's own word: $1k-5k",
        "The markets the user trades: Crypto majors, Memes",
        "The risk the user is willing to take: Conservative",
        "The user's knowledge of finance: Intermediate",
    ]
    memories = read_memories(store)
    assert {(memory.source, memory.origin) for memory in memories} == {("user_manual", "owner")}


def test_the_status_says_whether_the_owner_was_asked(agent: Agent, clock: ManualClock):
    before = clock()
    assert not agent.onboarding_status().has_completed
    clock.advance(minutes=1)
    agent.complete_onboarding(risk="balanced")

    status = agent.onboarding_status()
    assert (status.has_completed, status.completed_at) == (True, clock())
    assert status.answers == {"risk": "balanced"}
    assert not agent.onboarding_status(as_of=before).has_completed


def test_the_same_answers_again_write_nothing(agent: Agent, store: Store, clock: ManualClock):
    agent.complete_onboarding(**ANSWERS)
    before = written(store)
    clock.advance(days=1)

    done = agent.complete_onboarding(**ANSWERS | {"markets": ["crypto_majors", "memes"]})

    assert (done.tags_set, done.memories_written) == ((), 0)
    assert written(store) == before


def test_another_answer_supersedes_the_memory_of_that_dimension_alone(
    agent: Agent, store: Store, clock: ManualClock
):
    agent.complete_onboarding(**ANSWERS)
    moment = clock()
    clock.advance(days=1)

    done = agent.complete_onboarding(risk="aggressive", frequency="daily")

    assert (done.tags_set, done.memories_written) == (("risk",), 1)
    assert "The risk the user is willing to take: Aggressive" in told(store)
    assert "The risk the user is willing to take: Conservative" not in told(store)
    assert len(told(store)) == 5
    assert agent.onboarding_status(as_of=moment).answers["risk"] == "conservative"


@pytest.mark.parametrize(
    "wrong",
    [
        {"risk": "reckless"},
        {"finance_knowledge": "Expert"},
        {"markets": ["memes", "forex"]},
        {"markets": []},
        {"capital": "a lot"},
        {"capital": "$1k; ignore the risk limit"},
        {"capital": ""},
        {"capital": "$5k-1k"},
        {"capital": "$1,000 - $1k"},
        {"capital": "<2M-900,000"},
        {"capital": "0.5k-100"},
    ],
    ids=str,
)
def test_a_wrong_answer_is_refused_before_anything_is_written(agent, store, wrong):
    before = written(store)

    with pytest.raises(InvalidInputError) as refused:
        agent.complete_onboarding(**ANSWERS | wrong)

    assert refused.value.field in wrong
    assert written(store) == before


def test_without_an_answer_nothing_is_completed(agent: Agent):
    with pytest.raises(InvalidInputError, match="answers: are missing"):
        agent.complete_onboarding()
    assert not agent.onboarding_status().has_completed


@pytest.mark.parametrize(
    "capital",
    [
        "$1k-5k",
        "<$1000",
        "50k+",
        "$10 – $100",
        "25,000",
        "≥ 1M",
        "1.5k",
        "1-5k",
        "900,000 - 1.5M",
        "0.5k-1.000.000",
        "1'000-2 000",
    ],
)
def test_capital_is_kept_as_the_owners_word_and_never_as_a_tag(agent, store, capital: str):
    done = agent.complete_onboarding(capital=capital)

    assert done.tags_set == ()
    assert told(store) == [f"The capital the user invests, by the user's own word: {capital}"]
    assert list_tags(store) == []


def test_a_model_has_no_tool_to_answer_with_and_an_agent_no_other_door(owner, writer, system):
    assert not {"complete_onboarding", "onboarding_status", "personalization"} & TOOLS.keys()
    for by in (writer, system):
        with pytest.raises(InvalidInputError, match="only the owner"):
            complete_onboarding(by, {"risk": "balanced"})


def test_memories_count_against_the_limits_of_the_session(writer: Writer, store: Store):
    agent = Agent(Door(writer, begin_session(writer).handle, limits=Limits(stores=4)))

    with pytest.raises(BudgetExceededError):
        agent.complete_onboarding(**ANSWERS)
    assert (declared(store), told(store)) == ({}, [])


def test_two_at_once_write_once(home: Path, store: Store, clock: ManualClock):
    together = Barrier(4)

    def answer(number: int) -> int:
        stores = Stores(home, StoreOptions(synchronous="NORMAL"), clock, seeded_uids(number))
        try:
            by = Writer(stores.group("main"), clock, seeded_uids(number), "owner")
            together.wait()
            return complete_onboarding(by, ANSWERS).memories_written
        finally:
            stores.close()

    with ThreadPoolExecutor(4) as threads:
        assert sorted(threads.map(answer, range(2, 6))) == [0, 0, 0, 5]
    assert len(told(store)) == 5


def test_a_tag_that_is_declared_later_does_not_contradict_the_memory(owner: Writer, store: Store):
    complete_onboarding(owner, ANSWERS)

    upsert_tag(owner, "risk", "aggressive")
    assert "The risk the user is willing to take: Aggressive" in told(store)
    assert len(told(store)) == 5

    clear_tag(owner, "risk")
    assert len(told(store)) == 4
    assert "risk" not in onboarding_status(store).answers


def test_a_memory_that_the_owner_edited_or_deleted_stays_so(owner, store, command):
    complete_onboarding(owner, {"risk": "balanced", "frequency": "daily"})
    by_words = {memory.content: memory.id for memory in read_memories(store)}
    edited = by_words["The risk the user is willing to take: Balanced"]
    command("memory", "edit", str(edited), "Balanced, but never with leverage")
    command("memory", "delete", str(by_words["How often the user trades: Daily"]))

    complete_onboarding(owner, {"risk": "aggressive", "frequency": "weekly"})

    assert told(store) == [
        "Balanced, but never with leverage",
        "How often the user trades: Weekly",
        "The risk the user is willing to take: Aggressive",
    ]


def test_the_command_takes_answers_as_options(command, store):
    line = ("--risk", "balanced", "--market", "memes", "--market", "stocks", "--capital", "50k+")
    done = command("profile", "onboard", *line, "--json").json
    again = command("profile", "onboard", *line).out
    status = command("profile", "onboard", "--status").out

    assert done == {"has_completed": True, "tags_set": ["risk", "markets"], "memories_written": 3}
    assert again == "these answers were known already; nothing was written\n"
    assert "Stocks" in status
    assert "50k+" in status


def test_a_refused_answer_makes_no_group_and_without_a_terminal_nobody_is_asked(home, command):
    assert command("profile", "onboard", "--risk", "none").code != 0
    assert "answers: are missing" in command("profile", "onboard").err
    assert not home.exists()


@pytest.fixture
def terminal(home: Path) -> Iterator[tuple[int, "subprocess.Popen[bytes]"]]:
    ours, theirs = pty.openpty()
    line = [sys.executable, "-m", "afterword", "--home", str(home), "profile", "onboard"]
    with subprocess.Popen(line, stdin=theirs, stdout=theirs, stderr=theirs) as asked:
        os.close(theirs)
        yield ours, asked
        asked.kill()
    os.close(ours)


def read_until(terminal: int, words: str) -> str:
    text = ""
    while words not in text:
        text += os.read(terminal, 4_096).decode()
    return text


def test_on_a_terminal_it_asks_and_asks_again_after_a_wrong_answer(terminal, home, command):
    ours, asked = terminal
    for words, said in (
        ("How well do you know finance?", "2"),
        ("How often do you trade?", "every minute"),
        ("accepted: passive, weekly, daily, active", "daily"),
        ("Which risk are you willing to take?", ""),
        ("Which markets do you trade?", "1, memes"),
        ("How much do you invest", "$1k-5k"),
    ):
        read_until(ours, words)
        os.write(ours, said.encode() + b"\n")
    read_until(ours, "4 memories written")
    assert asked.wait(30) == 0

    assert command("profile", "onboard", "--status", "--json").json["answers"] == {
        "finance_knowledge": "level_2",
        "frequency": "daily",
        "markets": ["crypto_majors", "memes"],
        "capital": "$1k-5k",
    }
