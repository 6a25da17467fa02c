"""A signed folder and the key of its home bring all into an empty home, and say what differs."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.core.store import writing
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command, CommandResult
from tests.unit.portability.full_rows import fill
from tests.unit.portability.lived import Lived, rows

KEYED = {
    "methodologies": ("uid",),
    "memories": ("uid",),
    "decisions": ("uid",),
    "fills": ("fill_uid",),
    "round_trips": ("trip_uid", "digest"),
}
OWN = {
    *("methodologies", "methodology_events", "methodology_sightings", "preferences"),
    *("case_hints", "cases", "citations", "patterns", "preference_observations"),
    *("synthesis_runs", "audit_reports"),
}
"""What a group counted: not carried, or as if it were new."""


@pytest.fixture
def full(lived: Lived) -> Lived:
    """Return a group with a row in each table."""
    with writing(lived.by.store) as conn:
        fill(conn)
    return lived


@pytest.fixture
def key(home: Path, tmp_path: Path) -> Path:
    """Return the key of the home as its owner carries it away."""
    return Path(shutil.copy(home / "keys/hmac.key", tmp_path / "old.key"))


@pytest.fixture
def other(tmp_path: Path, clock: ManualClock, ids: Any) -> Command:
    """Return the commands of an empty home."""
    return Command(tmp_path / "other", clock, ids)


def take(other: Command, folder: Path, *options: str) -> CommandResult:
    return other("memory", "import", str(folder), "--json", *options)


def test_all_comes_out_equal_and_the_second_export_names_each_field_that_differs(
    full: Lived, key: Path, other: Command, tmp_path: Path
):
    first, second = full.export("first", "--sign", "--prices"), tmp_path / "second"
    done = take(other, first, "--key", str(key), "--apply")
    assert (done.code, other("memory", "export", "--prices", "--out", str(second)).code) == (0, 0)

    told = differences(second)
    for path in sorted((first / "data").iterdir()):
        name = path.stem
        if name in OWN:
            continue
        before, after = rows(first, name), rows(second, name)
        assert len(after) == len(before), name
        differ = {
            field
            for row, other_row in zip(before, after, strict=True)
            for field in row
            if row[field] != other_row[field]
        }
        assert differ <= told.get(f"data/{name}.jsonl", set()), name
        assert not differ & {"content", "uid", "occurred_at", "origin", "source", "session_id"}
    for page in first.glob("methodologies/*/*.md"):
        before, after = (fields(place / page.relative_to(first)) for place in (first, second))
        differ = {name for name in before if before[name] != after[name]} - {"instance_id"}
        assert differ and differ <= told["methodologies/"]
    assert not re.search(r"memory of main +wrong", other("doctor").out)


def test_the_same_import_again_changes_nothing(
    full: Lived, key: Path, other: Command, tmp_path: Path
):
    first = full.export("first", "--sign")
    take(other, first, "--key", str(key), "--apply")

    again = take(other, first, "--key", str(key), "--apply").json["files"]

    assert {file["path"] for file in again if file["new"]} == set()


def test_decisions_that_came_back_queue_their_edges(full: Lived, key: Path, other: Command):
    first = full.export("first", "--sign")
    assert "extract_role_edges" not in full.command("jobs", "ls", "--json").out

    take(other, first, "--key", str(key), "--apply")

    assert "extract_role_edges" in other("jobs", "ls", "--json").out


def test_a_changed_file_beside_the_key_is_a_claim_and_no_evidence(
    full: Lived, key: Path, other: Command
):
    first = full.export("first", "--sign")
    for name in ("memories", "decisions"):
        data = first / f"data/{name}.jsonl"
        data.write_text(data.read_text().replace("BTC", "ETH"))

    files = {file["path"]: file for file in take(other, first, "--key", str(key)).json["files"]}

    memories, decisions = files["data/memories.jsonl"], files["data/decisions.jsonl"]
    assert (memories["signed_by"], files["data/facts.jsonl"]["signed_by"]) == ("nobody", "key")
    assert any("claim" in words for words in memories["notes"])
    assert (decisions["outcome"], decisions["new"]) == ("not_carried", 0)
    trades = files["data/recorded_trades.jsonl"]
    assert (trades["new"], list(trades["notes"])) == (
        1,
        ["decision_uid: empty, since what it named is not here"],
    )


@pytest.mark.parametrize("case", ["another", "short", "inside", "unsigned", "missing"])
def test_a_key_that_proves_nothing_is_refused(
    lived: Lived, key: Path, other: Command, tmp_path: Path, case: str
):
    first = lived.export("first", *(() if case == "unsigned" else ("--sign",)))
    if case == "another":
        key.write_bytes(b"k" * 32)
    elif case == "short":
        key.write_bytes(b"k")
    elif case == "missing":
        key.unlink()
    elif case == "inside":
        key = Path(shutil.copy(key, first / "mine.key"))

    done = take(other, first, "--key", str(key), "--apply")

    assert (done.code != 0, "key" in done.err) == (True, True)
    assert not (tmp_path / "other/groups/main.sqlite").exists()


def test_a_home_with_the_old_key_in_its_place_is_the_old_home(
    full: Lived, home: Path, key: Path, other: Command, tmp_path: Path
):
    first = full.export("first", "--sign")
    (tmp_path / "other/keys").mkdir(parents=True, mode=0o700)
    shutil.copy(key, tmp_path / "other/keys/hmac.key")

    files = take(other, first, "--apply").json["files"]

    assert {file["channel"] for file in files} == {"A"}
    assert [file["path"] for file in files if file["notes"]] == []


def differences(folder: Path) -> dict[str, set[str]]:
    """Return the fields that the page about differences names, by file."""
    told: dict[str, set[str]] = {}
    place = ""
    for line in (folder / "differences.md").read_text().splitlines():
        if line.startswith("## "):
            place = line[3:]
        elif match := re.match(r"- ([a-z_, ]+): ", line):
            told.setdefault(place, set()).update(match[1].split(", "))
    return told


def fields(page: Path) -> dict[str, Any]:
    """Return the front matter of a page that Afterword wrote: JSON by name."""
    lines = page.read_text().split("---\n")[1].splitlines()
    return {name: json.loads(value) for name, value in (line.split(": ", 1) for line in lines)}
