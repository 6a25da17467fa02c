"""A prompt has so much of each file, no file starves another, and every cut is told."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.workspace.fitting import shares
from afterword.pipeline.domain.workspace.metrics import WorkspaceNumbers
from afterword.pipeline.domain.workspace.source import WorkspaceSource
from tests.unit.workspace.conftest import write


def lines(name: str, count: int) -> str:
    return "\n".join(f"{name} line {number:05}" for number in range(count))


def parts(text: str) -> dict[str, str]:
    """Return the files of a block by name."""
    found = (part.partition(" ===\n") for part in text.split("=== ")[1:])
    return {name: body for name, _, body in found}


def test_a_long_file_loses_its_middle_and_says_so(begin, folder, command):
    write(folder, "MEMORY.md", lines("memory", 5_000))
    shown = begin().workspace()
    body = parts(shown.memory_snapshot)["MEMORY.md"].rstrip("\n")

    assert 19_500 < len(body) <= 20_000
    assert body.startswith("memory line 00000\n")
    assert body.endswith("memory line 04999")
    (mark,) = (line for line in body.splitlines() if not line.startswith("memory line "))
    left_out = 5_000 - body.count("memory line ")
    assert mark.startswith("[… ")
    assert "of 89,999 characters of this file are left out here" in mark
    assert left_out > 3_000
    report = command("workspace", "check", "--workspace", str(folder)).out
    assert f"cut to {len(body):,} of 89,999 characters" in report
    assert any("cut to" in note for note in shown.notes)


@pytest.mark.parametrize(
    ("text", "is_there"),
    [
        ("# Memory\n", False),
        ("# Memory\n\n- **Name:**\n- Zone:\n\n---\n<!-- fill it in -->\n", False),
        ("# Memory\n\n## Never trade SOL\n", True),
        ("# Memory\n\n- **Name:** Kim\n", True),
        ("Never trade SOL", True),
    ],
)
def test_a_template_that_nobody_filled_in_takes_no_place(begin, folder, text, is_there):
    write(folder, "MEMORY.md", text)

    assert ("=== MEMORY.md ===" in begin().workspace().memory_snapshot) == is_there


def test_no_file_starves_another(begin, folder):
    names = ("SOUL.md", "AGENTS.md", "USER.md", "MEMORY.md", "memory/2026-01-05.md")
    for name in names:
        write(folder, name, lines("long", 3_000))
    shown = begin().workspace()
    bodies = parts(f"{shown.system_prompt_prefix}\n{shown.memory_snapshot}")

    lengths = [len(bodies[name]) for name in names]
    assert sum(map(len, bodies.values())) < 61_500  # with headings and the fence
    assert max(lengths) - min(lengths) < 500
    assert bodies["memory/2026-01-03.md"].startswith("Closed the ETH short.\n")


def test_the_limits_are_settings(command, folder):
    write(folder, "MEMORY.md", lines("memory", 500))
    env = {"AFTERWORD_WORKSPACE": str(folder), "AFTERWORD_WORKSPACE_FILE_CHARS": "1000"}

    report = command("workspace", "check", "--json", env=env).json

    (cut,) = (file for file in report["files"] if file["is_cut"])
    assert (cut["file"], cut["in_prompts"] <= 1000) == ("MEMORY.md", True)
    assert (
        command("workspace", "check", env=env | {"AFTERWORD_WORKSPACE_FILE_CHARS": "9"}).code == 2
    )


def test_the_doctor_and_a_metric_tell_of_cuts_and_of_unread_files(begin, folder, command, store):
    write(folder, "MEMORY.md", lines("memory", 5_000))
    (folder / "SOUL.md").unlink()
    (folder / "SOUL.md").mkdir()
    begin().workspace()
    numbers = WorkspaceNumbers(None)
    with reading(store) as conn:
        sums = numbers.sums([numbers.read(conn)], [], None)
    said = command("doctor", env={"AFTERWORD_WORKSPACE": str(folder)}).out

    assert sums == {
        "afterword_workspace_cut_files": {(): 1},
        "afterword_workspace_unread_files": {(): 1},
    }
    assert "1 file is not read" in said
    assert "1 file is too long for prompts, which have a part" in said


def test_of_many_notes_of_one_day_the_latest_are_read_and_the_rest_is_told(begin, folder):
    for number in range(50):
        write(folder, f"memory/2026-01-04-{number:02}.md", f"Note {number}.")
    shown = begin().workspace()

    assert shown.memory_snapshot.count("=== memory/") == 30
    assert "=== memory/2026-01-05.md ===" in shown.memory_snapshot
    assert any(note.startswith("memory is not read: it has 53 notes") for note in shown.notes)


@given(
    st.lists(st.integers(0, 50_000), max_size=40),
    st.integers(1, 20_000),
    st.integers(1, 60_000),
)
def test_shares_are_fair(lengths, most_each, most_all):
    given_to = shares(lengths, most_each, most_all)
    wanted = [min(length, most_each) for length in lengths]

    assert sum(given_to) <= most_all
    assert all(share <= want for share, want in zip(given_to, wanted, strict=True))
    cut = [share for share, want in zip(given_to, wanted, strict=True) if share < want]
    if cut:  # nobody has more than a file that was cut, but for a rest of the division
        assert max(given_to) - min(cut) <= 1
        assert sum(given_to) >= most_all - len(lengths)
    else:
        assert given_to == wanted


@pytest.mark.parametrize("total", [10_000, 60_000])
def test_the_sum_of_all_files_is_within_the_limit(begin, folder, total):
    for number in range(20):
        write(folder, f"memory/2026-01-05-{number:02}.md", lines("note", 1_000))
    source = replace(WorkspaceSource(folder, is_ours=False), total_chars=total)
    shown = begin(source).workspace()
    bodies = parts(f"{shown.system_prompt_prefix}\n{shown.memory_snapshot}")

    assert sum(len(body.strip()) for body in bodies.values()) <= total + 200  # the fence


@pytest.mark.parametrize("name", ["", "  "])
@pytest.mark.parametrize("what", ["show", "check"])
def test_a_folder_without_a_name_is_refused(command, what, name):
    done = command("workspace", what, "--workspace", name)

    assert done.code == 2
    assert "workspace: is empty" in done.err
