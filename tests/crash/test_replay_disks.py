"""Disks that take no more while a replay runs: whole slices stay, and it goes on to the same state.

Some need a mount namespace; where a machine has none, the test says so and is left out.
"""

import resource
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.clock import system_clock
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.command import Command
from afterword.pipeline.testing.process import command_of, environment_of
from tests.crash.small_disk import on_disk
from tests.unit.replay.worlds import price_file

pytestmark = pytest.mark.crash

SLICES = ("--slice", "4", "--json")
ASKED = ("--rule", "momentum:lookback_hours=96", "--rule", "breakout", "--horizon", "1d", *SLICES)


class Home:
    """The command line in one home, with room on its disk."""

    def __init__(self, home: Path) -> None:
        self.replay = Command(home, system_clock, random_uid)

    def listed(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.replay("replay", "ls", "--json").json
        return found

    def hash_after(self, *line: str) -> str:
        """Return the hash that a replay ends in."""
        done = self.replay(*line)
        assert done.code == 0, done.err
        assert done.json["replay"]["state"] == "done"
        return str(done.json["replay"]["state_hash"])

    def resumed(self) -> str:
        return self.hash_after("replay", "resume", "past", *SLICES)


@dataclass(frozen=True)
class Undisturbed:
    """A run that nothing disturbed.

    Args:
        line: its command, without its home.
        size: of its file at the end; bytes.
    """

    line: tuple[str, ...]
    hash: str
    size: int


@pytest.fixture
def whole(tmp_path: Path) -> Undisturbed:
    line = ("replay", "run", "past", "--prices", str(price_file(tmp_path, days=50)), *ASKED)
    home = tmp_path / "undisturbed"
    found = Home(home).hash_after(*line)
    return Undisturbed(line, found, (home / "replays" / "past.sqlite").stat().st_size)


def test_a_disk_that_fills_in_a_slice_keeps_those_before_and_with_room_it_goes_on(
    tmp_path: Path, whole: Undisturbed
):
    disk, copy = tmp_path / "disk", tmp_path / "copy"
    run = command_of(*whole.line, home=disk)

    # Too small, since the log and the file of the instance need space beside it.
    done = on_disk(disk, f"size={whole.size}", run, ["cp", "-r", str(disk), str(copy)])

    (error,) = done.stderr.splitlines()
    assert f"{disk}/replays/past.sqlite: " in error and "free some disk space" in error
    assert done.stdout == ""
    home = Home(copy)
    assert is_on_its_way(*home.listed())
    assert home.resumed() == whole.hash


def test_a_limit_of_file_sizes_that_a_slice_meets_does_the_same(tmp_path: Path, whole: Undisturbed):
    limit = whole.size * 3 // 4  # an empty file takes more than a half

    done = subprocess.run(
        command_of(*whole.line, home=tmp_path / "home"),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
        env=environment_of(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    (error,) = done.stderr.splitlines()
    assert (done.returncode, done.stdout) == (1, "")
    assert f"this process may write {limit:,} bytes a file" in error
    home = Home(tmp_path / "home")
    assert is_on_its_way(*home.listed())
    assert home.resumed() == whole.hash


@pytest.mark.parametrize("share", [0.2, 0.55], ids=("its file", "its inputs"))
def test_a_disk_that_fills_while_a_replay_is_prepared_keeps_none_and_the_same_line_works_later(
    tmp_path: Path, whole: Undisturbed, share: float
):
    disk, copy = tmp_path / "disk", tmp_path / "copy"
    run = command_of(*whole.line, home=disk)

    done = on_disk(disk, f"size={int(whole.size * share)}", run, ["cp", "-r", str(disk), str(copy)])

    (error,) = done.stderr.splitlines()
    assert f"{disk}/replays/past.sqlite: " in error and "free some disk space" in error
    home = Home(copy)
    assert home.listed() == []
    assert [path for path in (copy / "replays").iterdir() if path.stat().st_size] == []
    assert home.hash_after(*whole.line) == whole.hash


def is_on_its_way(status: dict[str, Any]) -> bool:
    """Whether some slices of a replay are kept, and some are not done."""
    settings = status["settings"]
    return bool(settings["begins_at"] < status["cursor"] < settings["ends_at"])
