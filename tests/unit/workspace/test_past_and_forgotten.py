"""What a session read is kept: as it was, by content, and until it is forgotten."""

import os

from afterword.pipeline.clock import iso
from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.domain.workspace.source import WorkspaceSource
from afterword.pipeline.doors.agent import Agent
from afterword.pipeline.doors.agent.door import Door
from tests.unit.workspace.conftest import write


def bodies(store) -> list[tuple[str, str]]:
    with reading(store) as conn:
        rows = conn.exec_driver_sql("SELECT name, body FROM workspace_files ORDER BY id").all()
    return [tuple(row) for row in rows]


def test_the_same_content_is_kept_once(begin, folder, store):
    begin().workspace()
    before = bodies(store)
    begin().workspace()
    write(folder, "SOUL.md", "Another soul.")
    begin().workspace()

    assert bodies(store) == [*before, ("SOUL.md", "Another soul.")]


def test_the_past_is_shown_as_it_was(begin, folder, clock, command):
    agent = begin()
    shown = agent.workspace()
    then = iso(clock())
    clock.advance(hours=1)
    write(folder, "SOUL.md", "Another soul.")
    (folder / "MEMORY.md").unlink()
    begin().workspace()

    past = command("workspace", "show", "--as-of", then, "--json").json
    assert past == {"prefix": shown.system_prompt_prefix, "memory": shown.memory_snapshot}
    assert command("workspace", "show", "--session", agent.session, "--json").json == past
    soul = command("workspace", "show", "soul", "--as-of", then).out
    assert soul == "# Ada\n\nYou are calm, and you say what you know.\n"
    assert command("workspace", "show", "memory.md", "--as-of", iso(clock())).code == 1
    before = command("workspace", "show", "--as-of", "2026-01-04T00:00:00Z", "--json").json
    assert before == {"prefix": "", "memory": ""}


def test_two_of_the_options_are_refused(command, folder):
    done = command("workspace", "show", "--workspace", str(folder), "--session", "x")

    assert done.code == 2


def test_forgetting_reaches_what_was_read_and_names_the_files(begin, folder, store, command):
    begin().workspace()
    env = {"AFTERWORD_WORKSPACE": str(folder)}
    before = (folder / "USER.md").read_text()

    looked = command("forget", "--subject", "Kim", env=env)
    done = command("forget", "--subject", "Kim", "--apply", "--yes", env=env)

    for name in ("USER.md", "MEMORY.md"):
        line = f"not changed: {folder / name} of the workspace holds it"
        assert line in looked.out
        assert line in done.out
    assert "proved: 0 of" in done.out
    assert (folder / "USER.md").read_text() == before
    assert all("Kim" not in body for _, body in bodies(store))
    store.close()
    for path in store.path.parent.glob("main.sqlite*"):
        assert b"Never trades before noon" not in path.read_bytes()


def test_a_forgotten_memory_is_found_in_the_files_that_repeat_it(folder, owner, command):
    said = "The quibbleworth account pays the rent of the house in Lund"
    write(folder, "notes.txt", f"Remember: {said}!")
    (folder / os.fsdecode(b"of-no-name-\xff.md")).write_text(said)
    memory = write_memory(owner, NewMemory("preference", said)).uid
    env = {"AFTERWORD_WORKSPACE": str(folder)}

    done = command("forget", "--memory", memory, "--apply", "--yes", env=env)

    for name in ("notes.txt", "of-no-name-\\udcff.md"):
        assert f"not changed: {folder}/{name} of the workspace holds it" in done.out


def test_a_file_that_says_nothing_of_the_subject_is_not_named(home, writer, command):
    """What a session was shown is erased as a whole; its other files are not asked to change."""
    command("setup")
    folder = home / "workspace"
    write(folder, "AGENTS.md", "Read the notes of the day first, then ask what is wanted.")
    write(folder, "USER.md", "- **Name:** Quibbleworth\n- Never trades before noon")
    source = WorkspaceSource(folder, is_ours=True)
    Agent(Door(writer, begin_session(writer).handle, workspace=source)).workspace()

    done = command("forget", "--subject", "Quibbleworth", "--apply", "--yes")

    assert f"not changed: {folder / 'USER.md'} of the workspace holds it" in done.out
    assert "AGENTS.md" not in done.out and "SOUL.md" not in done.out
    assert "proved: 0 of" in done.out


def test_our_own_folder_is_searched_beside_one_that_is_named(home, folder, writer, command):
    command("setup")
    write(home / "workspace", "USER.md", "- **Name:** Quibbleworth")
    env = {"AFTERWORD_WORKSPACE": str(folder)}
    write_memory(writer, NewMemory("preference", "Quibbleworth never trades before noon"))

    done = command("forget", "--subject", "Quibbleworth", "--apply", "--yes", env=env)

    assert f"not changed: {home / 'workspace' / 'USER.md'} of the workspace holds it" in done.out


def test_what_the_store_keeps_and_the_files_lack_is_listed(folder, owner, command):
    texts = {
        "Never holds more than 5 % in one coin": "instruction",
        "Never trades before noon": "preference",  # USER.md says it
        "Lost on SOL breakouts in May": "correction",  # MEMORY.md says it
        "Lost on SOL breakouts in June 2025": "personalization",
        "Lost 400 on SOL breakouts in May": "correction",  # how much, it does not say
        "Trades before noon": "preference",  # the files say the contrary
        "Watched BTC for an hour": "observation",  # not for good
    }
    for text, category in texts.items():
        write_memory(owner, NewMemory(category, text))
    write_memory(owner, NewMemory("preference", "DOGE doubles", origin="web"))

    missing = command("workspace", "diff", "--workspace", str(folder), "--json").json
    listed = command("workspace", "diff", "--workspace", str(folder)).out

    assert [memory["text"] for memory in missing] == [
        "Never holds more than 5 % in one coin",
        "Lost on SOL breakouts in June 2025",
        "Lost 400 on SOL breakouts in May",
        "Trades before noon",
    ]
    assert "Never holds more than 5 %" in listed


def test_files_that_say_all_lack_nothing(folder, owner, command):
    write_memory(owner, NewMemory("preference", "Never trades before noon"))

    done = command("workspace", "diff", "--workspace", str(folder))
    assert done.out == "the files say all that the store keeps for good\n"


def test_setup_makes_what_lacks_and_changes_nothing(home, command):
    first = command("setup", "--json").json
    (home / "workspace" / "USER.md").write_text("- **Name:** Kim")
    (home / "workspace" / "BOOTSTRAP.md").unlink()
    (home / "workspace" / "SOUL.md").unlink()
    again = command("workspace", "init", "--json").json

    assert set(first["made"]) >= {"SOUL.md", "AGENTS.md", "USER.md", "MEMORY.md", "BOOTSTRAP.md"}
    assert again["made"] == ["SOUL.md"]
    assert (home / "workspace" / "USER.md").read_text() == "- **Name:** Kim"
    assert (home / "workspace").stat().st_mode & 0o077 == 0
    assert command("workspace", "init").out.endswith("nothing was changed\n")
