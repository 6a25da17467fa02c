"""A session begins with the files of its workspace, and keeps them as they were."""

import asyncio
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from afterword.pipeline.domain.sessions.sessions import begin_daily, begin_session
from afterword.pipeline.domain.workspace.source import WorkspaceSource
from afterword.pipeline.doors.agent import Agent, AsyncAgent
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.doors.agent.workspace_model import AgentWorkspace
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.text.line import FENCE
from tests.unit.workspace.conftest import write


def test_each_file_goes_where_it_belongs(begin):
    shown = begin().workspace()

    assert shown.system_prompt_prefix == (
        "=== SOUL.md ===\n# Ada\n\nYou are calm, and you say what you know.\n\n"
        "=== AGENTS.md ===\n# Start\n\n1. Read the notes.\n2. Ask before money moves."
    )
    user, _, notes = shown.memory_snapshot.partition(f"\n\n<{FENCE}>\n")
    assert user == "=== USER.md ===\n# User\n\n- **Name:** Kim\n- Never trades before noon."
    assert notes.endswith(f"\n</{FENCE}>")
    assert [line for line in notes.splitlines() if line.startswith("=== ")] == [
        "=== MEMORY.md ===",
        "=== memory/2026-01-05.md ===",
        "=== memory/2026-01-04-a-slow-day.md ===",
        "=== memory/2026-01-03.md ===",
    ]
    assert "Kim lost on SOL" in notes


def test_identity_tools_and_heartbeat_are_in_no_prompt(begin):
    shown = begin().workspace()

    texts = shown.system_prompt_prefix + shown.memory_snapshot
    assert (shown.identity.name, shown.identity.vibe, shown.identity.emoji) == ("Ada", "calm", "🦊")
    for hidden in ("🦊", "tool notes", "Look at the mail", "The day before that"):
        assert hidden not in texts


def test_an_edit_counts_from_the_next_session_on(begin, folder):
    agent = begin()
    before = agent.workspace()
    write(folder, "SOUL.md", "Now you are bold.")
    (folder / "MEMORY.md").unlink()

    assert agent.workspace() == before
    after = begin().workspace()
    assert after.system_prompt_prefix.startswith("=== SOUL.md ===\nNow you are bold.")
    assert "MEMORY.md" not in after.memory_snapshot


def test_a_session_that_goes_on_in_another_process_keeps_its_bytes(begin, folder, writer):
    agent = begin()
    before = agent.workspace()
    write(folder, "USER.md", "Somebody else.")
    source = WorkspaceSource(folder, is_ours=False)

    assert Agent(Door(writer, agent.handle, workspace=source)).workspace() == before


def test_days_begin_in_the_zone_of_the_user_and_at_the_start_of_the_session(begin, folder, clock):
    clock.advance(hours=20)  # 2026-01-05 20:00 UTC is the 6th in Shanghai
    here = WorkspaceSource(folder, is_ours=False)
    there = replace(here, zone=ZoneInfo("Asia/Shanghai"))
    late = begin(there)
    clock.advance(days=5)

    assert "memory/2026-01-03.md" not in late.workspace().memory_snapshot
    assert "memory/2026-01-04-a-slow-day.md" in late.workspace().memory_snapshot
    assert "memory/2026" not in begin(here).workspace().memory_snapshot


def test_a_foreign_folder_is_never_written(begin, folder, command):
    write(folder, "BOOTSTRAP.md", "Ask for the name.")
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files(folder)}
    agent = begin()
    agent.workspace()
    agent.finish_turn(agent.begin_turn("hello"), "succeeded")
    agent.end()
    for name in ("show", "check", "diff"):
        command("workspace", name, "--workspace", str(folder))
    refused = command("workspace", "init", env={"AFTERWORD_WORKSPACE": str(folder)})

    assert {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files(folder)} == before
    assert (refused.code, "is never written to" in refused.err) == (2, True)


def files(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_an_agent_is_opened_with_a_folder_and_the_home_has_one_of_its_own(home, folder, command):
    with Agent.open(home=home, workspace=str(folder)) as agent:
        assert "You are calm" in agent.workspace().system_prompt_prefix
    with Agent.open(home=home) as agent:
        nothing = agent.workspace()
    command("setup")
    with Agent.open(home=home) as agent:
        ours = agent.workspace()

    assert (nothing.system_prompt_prefix, nothing.memory_snapshot, nothing.notes) == ("", "", ())
    assert ours.system_prompt_prefix.startswith("=== SOUL.md ===\n# Who you are")
    assert ours.memory_snapshot == ""  # nobody filled in USER.md and MEMORY.md


def test_a_folder_that_was_named_must_be_there(home, tmp_path):
    missing = str(tmp_path / "nowhere")
    with (
        Agent.open(home=home, workspace=missing) as agent,
        pytest.raises(InvalidInputError, match="nowhere is not a folder"),
    ):
        agent.workspace()


def test_an_agent_without_a_workspace_has_empty_texts(writer):
    shown = Agent(Door(writer, begin_session(writer).handle)).workspace()

    assert (shown.system_prompt_prefix, shown.memory_snapshot, shown.is_first_run) == (
        "",
        "",
        False,
    )


async def _asked(home, folder) -> AgentWorkspace:
    async with await AsyncAgent.open(home=home, workspace=str(folder)) as agent:
        shown: AgentWorkspace = await agent.workspace()
        return shown


def test_an_agent_on_asyncio_has_it_too(home, folder):
    assert "Kim" in asyncio.run(_asked(home, folder)).memory_snapshot


def test_the_files_of_one_user_reach_no_other(home, command):
    command("setup")
    ours = home / "workspace"
    write(ours, "USER.md", "- **Name:** Kim")
    write(ours, "MEMORY.md", "Kim is in debt.")
    write(ours, "memory/2026-01-05.md", "Kim sold the house.")
    command("setup", "--group", "lee")
    write(ours, "users/lee/USER.md", "- **Name:** Lee")

    kim = command("workspace", "show", "--group", "main").out
    lee = command("workspace", "show", "--group", "lee").out

    assert "Kim is in debt" in kim
    assert "Lee" not in kim
    assert "Lee" in lee
    assert "Who you are" in lee  # the agent is the same
    assert "Kim" not in lee
    user = command("workspace", "show", "user", "--group", "lee").out
    assert user == "- **Name:** Lee\n"


def test_user_is_the_file_that_a_session_began_with(begin, folder, command):
    write(folder, "users/main/USER.md", "- **Name:** Kim of main")
    agent = begin()
    agent.workspace()

    for which in (("--workspace", str(folder)), ("--session", agent.session)):
        assert command("workspace", "show", "user", *which).out == "- **Name:** Kim of main\n"


def test_a_profile_of_openclaw_comes_before_the_common_one(command, folder):
    write(folder, "users/main/USER.md", "- **Name:** Kim of main")

    shown = command("workspace", "show", "memory", "--workspace", str(folder)).out

    assert "=== users/main/USER.md ===\n- **Name:** Kim of main" in shown
    assert "Never trades before noon" not in shown


def test_a_new_day_begins_a_new_session_which_reads_the_folder_again(begin, folder, clock, writer):
    by, handle = begin_daily(writer)
    agent = Agent(Door(by, handle, workspace=WorkspaceSource(folder, is_ours=False)))
    before = agent.workspace()
    write(folder, "SOUL.md", "Another soul.")
    clock.advance(days=1)

    assert "Another soul." not in before.system_prompt_prefix
    assert "Another soul." in agent.workspace().system_prompt_prefix
