"""BOOTSTRAP.md is seen by one session, for one turn; ours is deleted then."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from afterword.pipeline.domain.sessions.sessions import begin_daily
from afterword.pipeline.domain.workspace.source import WorkspaceSource
from afterword.pipeline.doors.agent import Agent
from afterword.pipeline.doors.agent.door import Door
from tests.unit.workspace.conftest import write

FIRST = "Ask for the user's name."


@pytest.fixture
def ours(home: Path) -> WorkspaceSource:
    """The folder in the home."""
    folder = home / "workspace"
    write(folder, "SOUL.md", "You are Ada.")
    write(folder, "BOOTSTRAP.md", FIRST)
    return WorkspaceSource(folder, is_ours=True)


def turn(agent: Agent) -> None:
    agent.finish_turn(agent.begin_turn("hello"), "succeeded")


def test_it_follows_the_prefix_for_one_turn_and_is_deleted(begin, ours):
    agent = begin(ours)
    first = agent.workspace()
    asked = agent.begin_turn("hello")
    during = agent.workspace()
    there = (ours.folder / "BOOTSTRAP.md").exists()
    agent.finish_turn(asked, "succeeded")
    later = agent.workspace()

    assert (first.is_first_run, later.is_first_run) == (True, False)
    assert first == during
    assert first.system_prompt_prefix == (
        f"{later.system_prompt_prefix}\n\n=== BOOTSTRAP.md ===\n{FIRST}"
    )
    assert later.system_prompt_prefix == "=== SOUL.md ===\nYou are Ada."
    assert (there, (ours.folder / "BOOTSTRAP.md").exists()) == (True, False)


def test_no_other_session_sees_it(begin, ours):
    first, second = begin(ours), begin(ours)

    assert first.workspace().is_first_run
    assert not second.workspace().is_first_run
    turn(second)
    assert (ours.folder / "BOOTSTRAP.md").exists()
    assert first.workspace().is_first_run


def test_of_twenty_sessions_begun_at_once_one_sees_it(home, ours):
    at_once = Barrier(20)

    def begin(_number: int) -> bool:
        with Agent.open(home=home, synchronous="NORMAL") as agent:
            at_once.wait()
            shown = agent.workspace()
            at_once.wait()
            return shown.is_first_run

    with ThreadPoolExecutor(20) as threads:
        assert sum(threads.map(begin, range(20))) == 1


def test_a_session_that_ends_without_a_turn_has_seen_it(begin, ours):
    agent = begin(ours)
    agent.workspace()
    agent.end()

    assert not (ours.folder / "BOOTSTRAP.md").exists()
    assert not begin(ours).workspace().is_first_run


def test_a_session_that_ends_with_its_day_has_seen_it(writer, ours, clock):
    by, handle = begin_daily(writer)
    agent = Agent(Door(by, handle, workspace=ours))
    assert agent.workspace().is_first_run
    clock.advance(days=1)

    assert not agent.workspace().is_first_run
    assert not (ours.folder / "BOOTSTRAP.md").exists()


def test_a_foreign_one_stays_and_is_seen_once(begin, folder, command):
    write(folder, "BOOTSTRAP.md", FIRST)
    agent = begin()
    shown = agent.workspace()
    turn(agent)

    assert shown.is_first_run
    assert (folder / "BOOTSTRAP.md").read_text() == FIRST
    assert not begin().workspace().is_first_run
    report = command("workspace", "check", "--workspace", str(folder)).out
    assert "a session has seen it; no other one will" in report


def test_one_that_was_edited_is_another_one(begin, ours):
    agent = begin(ours)
    agent.workspace()
    write(ours.folder, "BOOTSTRAP.md", "Ask for the time zone.")
    turn(agent)

    assert (ours.folder / "BOOTSTRAP.md").exists()
    assert "time zone" in begin(ours).workspace().system_prompt_prefix


def test_looking_at_it_is_not_seeing_it(begin, ours, command, store):
    assert FIRST in command("workspace", "show", "prefix").out
    assert begin(ours).workspace().is_first_run
    assert FIRST not in command("workspace", "show", "prefix").out


def test_a_link_in_the_place_of_our_folder_is_not_ours(home, folder, command):
    write(folder, "BOOTSTRAP.md", FIRST)
    home.mkdir()
    (home / "workspace").symlink_to(folder)
    with Agent.open(home=home) as agent:
        assert agent.workspace().is_first_run
        turn(agent)

    assert (folder / "BOOTSTRAP.md").exists()
    assert command("setup").code == 2


def test_nothing_is_made_through_a_link_that_leads_out_of_our_folder(home, folder, command):
    (home / "workspace").mkdir(parents=True)
    (home / "workspace" / "users").symlink_to(folder)
    before = sorted(folder.rglob("*"))
    done = command("setup", "--group", "alice")

    assert (done.code, "leads out of the folder" in done.err) == (2, True)
    assert sorted(folder.rglob("*")) == before
    assert list((home / "workspace").iterdir()) == [home / "workspace" / "users"]
