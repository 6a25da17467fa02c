"""Folders of OpenClaw and of Hermes Agent are read as these programs lay them out."""

import os
from pathlib import Path

import pytest

from tests.unit.workspace.conftest import write

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
PUBLIC = SHARED / "data" / "public"


@pytest.fixture
def hermes(tmp_path: Path) -> Path:
    folder = tmp_path / "hermes"
    write(folder, "SOUL.md", "You are Hermes.")
    write(folder, "memories/MEMORY.md", "Runs on a small server.\n§\nTests run with make.\n")
    write(folder, "memories/USER.md", "Name: Kim.\n§\nLikes short answers.\n")
    return folder


def checked(command, folder: Path) -> dict:
    return command("workspace", "check", "--workspace", str(folder), "--json").json


def places(report: dict) -> dict[str, tuple[str, str]]:
    return {file["file"]: (file["place"], file["origin"]) for file in report["files"]}


def test_hermes_has_its_memories_in_a_folder_and_its_agent_writes_both(command, hermes):
    report = checked(command, hermes)
    shown = command("workspace", "show", "memory", "--workspace", str(hermes)).out

    assert report["layout"] == "hermes"
    assert places(report) == {
        "SOUL.md": ("prefix", "owner"),
        "memories/USER.md": ("memory", "agent"),
        "memories/MEMORY.md": ("memory", "agent"),
    }
    assert "Runs on a small server.\n§\nTests run with make." in shown


def test_the_folder_of_memories_alone_is_known(command, hermes):
    report = checked(command, hermes / "memories")

    assert report["layout"] == "hermes"
    assert places(report)["USER.md"] == ("memory", "agent")


@pytest.mark.parametrize(
    ("there", "read"),
    [
        ((".hermes.md", "AGENTS.override.md", "AGENTS.md", "CLAUDE.md"), ".hermes.md"),
        (("AGENTS.override.md", "AGENTS.md", "CLAUDE.md"), "AGENTS.override.md"),
        (("AGENTS.md", "CLAUDE.md", ".cursorrules"), "AGENTS.md"),
        (("CLAUDE.md", ".cursorrules"), "CLAUDE.md"),
        ((".cursorrules",), ".cursorrules"),
    ],
)
def test_of_hermes_one_file_of_the_project_is_read(command, hermes, there, read):
    for name in there:
        write(hermes, name, f"This is {name}.")

    prefix = command("workspace", "show", "prefix", "--workspace", str(hermes)).out

    assert prefix == f"=== SOUL.md ===\nYou are Hermes.\n\n=== {read} ===\nThis is {read}.\n"


def test_of_openclaw_retired_and_other_files_are_shown_and_in_no_prompt(command, folder):
    for name in ("BOOT.md", "DREAMS.md"):
        write(folder, name, f"Of {name}.")
    report = checked(command, folder)

    assert report["layout"] == "openclaw"
    hidden = {name for name, (place, _) in places(report).items() if place == "display"}
    assert hidden == {"IDENTITY.md", "TOOLS.md", "HEARTBEAT.md", "BOOT.md", "DREAMS.md"}
    shown = command("workspace", "show", "--workspace", str(folder)).out
    assert "Of BOOT.md" not in shown
    one = command("workspace", "show", "heartbeat", "--workspace", str(folder)).out
    assert one == "Look at the mail every hour.\n"
    assert report["not_read"] == ["memory/2026-01-02.md"]


@pytest.mark.skipif(not PUBLIC.is_dir(), reason="needs the shared data")
class TestPublicWorkspaces:
    """Workspaces that people published load whole, with nothing flagged or promoted."""

    @pytest.mark.parametrize("name", ["openclaw_zh", "hermes"])
    def test_every_file_is_whole_and_nothing_is_withheld(self, command, name):
        report = checked(command, PUBLIC / name)

        assert report["faults"] == []
        for file in report["files"]:
            assert (file["is_cut"], file["withheld"], file["suspect"]) == (False, [], [])
            assert file["notes"] in ([], ["it says nothing yet"])

    def test_nothing_an_agent_wrote_counts_as_the_owners_word(self, command):
        openclaw, hermes = (checked(command, PUBLIC / name) for name in ("openclaw_zh", "hermes"))

        assert places(openclaw)["MEMORY.md"] == ("memory", "agent")
        assert set(places(hermes).values()) == {("memory", "agent")}

    def test_the_notes_of_its_days_load_too(self, command, clock):
        clock.advance(days=55)  # 2026-03-01
        report = checked(command, PUBLIC / "openclaw_zh")

        notes = [file for file in report["files"] if file["file"].startswith("memory/")]
        assert [file["file"] for file in notes] == [
            "memory/2026-03-01.md",
            "memory/2026-02-28-request-timed-out-before-a-res.md",
        ]
        assert [(file["withheld"], file["notes"]) for file in notes] == [([], []), ([], [])]
        assert "memory/events/2026-03-02.md" in report["not_read"]
