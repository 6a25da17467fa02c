"""Files are backed up, restored and checked from the command line."""

import re
from pathlib import Path

from afterword.pipeline.areas import AREAS
from afterword.pipeline.core.jobs.registrations import WorkerRegistration
from afterword.pipeline.core.store import Stores
from afterword.pipeline.doors.cli.lazy import commands_of
from afterword.pipeline.doors.cli.root import Root
from afterword.pipeline.testing.command import Command


def test_a_group_makes_the_round_trip(command, tmp_path: Path):
    target = str(tmp_path / "backup")
    command("memory", "write", "lesson", "cut losers")
    made = command("store", "backup", target)
    command("memory", "write", "lesson", "hope")

    assert [line.split()[0] for line in made.out.splitlines()] == [
        *("file", "key", "instance", "group")
    ]
    refused = command("store", "restore", target, "--group", "main")
    assert (refused.code, "--replace" in refused.err) == (2, True)
    done = command("store", "restore", target, "--group", "main", "--replace", "--json").json
    assert Path(done[0]["kept"]).exists()
    assert [one["content"] for one in command("memory", "read", "--json").json] == ["cut losers"]
    twin = command("store", "restore", target, "--group", "twin", "--from", "main")
    assert twin.out.splitlines()[1].startswith("group twin")
    assert [one["name"] for one in command("store", "check", "--json").json] == [
        *("instance", "main", "twin")
    ]


def test_everything_comes_back_in_another_home(command, clock, ids, tmp_path: Path):
    target, other = str(tmp_path / "backup"), Command(tmp_path / "new", clock, ids)
    command("memory", "write", "lesson", "cut losers")
    command("store", "backup", target)

    assert other("store", "restore", target).code == 0
    assert "cut losers" in other("memory", "read").out
    assert other("store", "restore", target).code == 2


def test_only_the_named_group_is_backed_up(stores: Stores, store, command, tmp_path: Path):
    stores.group("other", create=True)
    made = command("store", "backup", str(tmp_path / "one"), "--group", "other", "--json").json
    missing = command("store", "backup", str(tmp_path / "two"), "--group", "gone")

    assert [one["name"] for one in made["manifest"]["files"]] == ["instance", "other"]
    assert (missing.code, (tmp_path / "two").exists()) == (1, False)


def test_nothing_is_restored_while_a_worker_runs(store, home, command, tmp_path: Path):
    target = str(tmp_path / "backup")
    command("store", "backup", target)
    line = ("store", "restore", target, "--group", "new", "--from", "main")
    owner = WorkerRegistration(home, "worker", 1, ("quick",))
    refused = command(*line)
    owner.leave()

    assert (refused.code, "workers are running here" in refused.err) == (1, True)
    assert command(*line).code == 0


def test_a_damaged_group_makes_the_check_fail_and_names_it(stores: Stores, store, command):
    stores.close()
    store.path.write_bytes(b"")
    answer = command("store", "check")

    assert answer.code == 1
    assert answer.err == ""
    assert "is empty" in answer.out
    assert "instance" in answer.out


def leaves(command: object, path: str) -> dict[str, object]:
    below = getattr(command, "commands", None)
    if below is None:
        return {path: command}
    found: dict[str, object] = {}
    for name, one in below.items():
        found |= leaves(one, f"{path} {name}")
    return found


def test_every_command_has_the_shared_options_and_a_line_of_help():
    root = Root(name="afterword")
    for name in commands_of(AREAS):
        for path, leaf in leaves(root.get_command(None, name), name).items():
            options = {option for param in leaf.params for option in param.opts}
            assert {"--home", "--group", "--json", "--debug"} <= options, path
            assert leaf.help, path
            purpose, *_ = re.split(r"\n[\s\b]*Examples?:", leaf.help)
            assert purpose.rstrip().endswith("."), path
