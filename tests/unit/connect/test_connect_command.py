"""`afterword connect`: what it shows, writes, checks and removes, and what it leaves alone."""

import json
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from afterword.pipeline.testing.command import Command, CommandResult
from afterword.pipeline.testing.network_door import NetworkDoor

Connect = Callable[..., CommandResult]

CONFIG = "# mine\nmodel:\n  default: x   # cheap\nmemory:\n  memory_enabled: true\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A HERMES_HOME that was used before."""
    folder = tmp_path / "hermes"
    folder.mkdir()
    (folder / "config.yaml").write_text(CONFIG)
    (folder / "SOUL.md").write_text("I trade.\n")
    return folder


@pytest.fixture
def connect(command: Command, folder: Path) -> Connect:
    def run(*line: str) -> CommandResult:
        return command("connect", "hermes", *line, env={"HERMES_HOME": str(folder)})

    return run


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def live_tokens(command: Command) -> list[tuple[str, str]]:
    tokens = command("token", "ls", "--json").json
    return [(token["group"], token["label"]) for token in tokens if token["revoked_at"] is None]


def test_a_dry_run_shows_what_would_be_written_and_writes_nothing(
    connect: Connect, folder: Path, home: Path
):
    before = files_in(folder)
    shown = connect("--dry-run")
    whole = connect("--dry-run", "--json").json

    assert (shown.code, shown.err) == (0, "")
    assert "memory:\n  provider: afterword\n" in shown.out
    assert '"token": "(a new token)"' in shown.out
    assert files_in(folder) == before
    assert not home.exists()
    connect()
    written = files_in(folder)
    for edit in whole["edits"]:
        path = Path(edit["place"].partition(" ")[0])
        if path.suffix not in (".yaml", ".json") or path.name == "plugin.yaml":
            assert written[str(path.relative_to(folder))].decode() == edit["text"]


def test_connecting_adds_what_it_needs_and_a_second_time_writes_nothing(
    connect: Connect, command: Command, folder: Path
):
    before = files_in(folder)
    first = connect()
    after = files_in(folder)
    second = connect()

    assert (first.code, second.code) == (0, 0)
    assert "is connected already: nothing is written" in second.out
    assert files_in(folder) == after
    added = after.keys() - before.keys()
    assert {name.split("/")[0] for name in added} == {"plugins"}
    assert after["SOUL.md"] == before["SOUL.md"]
    assert after["config.yaml"].decode() == CONFIG.replace(
        "memory:\n", "memory:\n  provider: afterword\n"
    )
    assert live_tokens(command) == [("main", "hermes")]


def test_the_token_is_in_a_file_of_its_owner_alone(connect: Connect, folder: Path, home: Path):
    connect("--url", "http://10.1.2.3:8000")
    owner = folder / "plugins/afterword/connections/owner.json"
    kept = json.loads(owner.read_bytes())

    assert stat.S_IMODE(owner.stat().st_mode) == 0o600
    assert kept["url"] == "http://10.1.2.3:8000"
    assert kept["token"].startswith("aw_main_")
    assert kept["token"] not in (home / "connected.json").read_text()
    assert stat.S_IMODE((home / "connected.json").stat().st_mode) == 0o600


def test_removing_leaves_every_byte_that_was_there_before(
    connect: Connect, command: Command, folder: Path
):
    before = files_in(folder)
    connect()
    compiled = folder / "plugins/afterword/__pycache__"  # what Hermes makes of a plugin
    compiled.mkdir()
    (compiled / "wire.cpython-311.pyc").write_bytes(b"compiled")
    removed = connect("--remove")

    assert removed.code == 0
    assert files_in(folder) == before
    assert not (folder / "plugins").exists()
    assert live_tokens(command) == []
    assert "there is nothing to remove" in connect("--remove").out


@pytest.mark.parametrize("name", ["plugins/afterword/wire.py", "connections"])
def test_a_file_that_was_changed_since_is_told_and_left(name: str, connect: Connect, folder: Path):
    connect()
    path = folder / name
    if name == "connections":
        path = folder / "plugins/afterword/connections/owner.json"
    path.write_text("{}  # mine now\n")
    before = files_in(folder)
    again, check, removed = connect(), connect("--check"), connect("--remove")

    assert again.code != 0
    assert f"{path} was changed since it was written" in " ".join(again.err.split())
    assert check.code == 1
    assert removed.code == 1
    assert "it stays" in removed.out
    left = files_in(folder)
    assert left[str(path.relative_to(folder))] == b"{}  # mine now\n"
    assert left["config.yaml"].decode() == CONFIG
    assert before.keys() - left.keys()


def test_another_provider_is_not_replaced(connect: Connect, command: Command, folder: Path):
    (folder / "config.yaml").write_text("memory:\n  provider: honcho\n")
    before = files_in(folder)
    done = connect()

    assert done.code != 0
    assert "has something of its own there" in " ".join(done.err.split())
    assert files_in(folder) == before
    assert live_tokens(command) == []


def test_a_token_that_ended_is_replaced_and_a_missing_file_comes_back(
    connect: Connect, command: Command, folder: Path
):
    connect()
    command("token", "revoke", "1")
    (folder / "plugins/afterword/wire.py").unlink()
    written = connect("--json").json["written"]

    assert [Path(place).name for place in written] == ["wire.py", "owner.json"]
    assert live_tokens(command) == [("main", "hermes")]
    assert connect("--json").json["written"] == []


def test_a_user_needs_a_group_that_is_named_and_is_removed_alone(
    connect: Connect, command: Command, folder: Path
):
    unnamed = connect("--user", "telegram:1")
    connect()
    before = files_in(folder)
    connect("--user", "telegram:1", "--group", "ann")
    again = connect("--user", "telegram:1")
    tokens = live_tokens(command)
    connect("--user", "telegram:1", "--remove")

    assert unnamed.code != 0
    assert "--group NAME" in unnamed.err
    assert "the group ann" in again.out
    assert tokens == [("main", "hermes"), ("ann", "hermes telegram:1")]
    assert files_in(folder) == before
    assert live_tokens(command) == [("main", "hermes")]


@pytest.mark.parametrize(
    "line",
    [
        ("--dry-run", "--check"),
        ("--url", "ftp://there"),
        ("--url", "http://there:99999"),
        ("--folder", "/nowhere/at/all"),
        ("--folder", "/proc/1"),
    ],
    ids=" ".join,
)
def test_a_wrong_line_is_refused_before_anything_is_written(
    line: tuple[str, ...], connect: Connect, folder: Path, home: Path
):
    before = files_in(folder)
    done = connect(*line)

    assert done.code != 0
    assert "accepted:" in done.err
    assert files_in(folder) == before
    assert not home.exists()


@pytest.mark.parametrize(
    ("name", "text"),
    [("plugins", "a file where a folder should be"), ("config.yaml", "a: 1\n---\nb: 2\n")],
)
def test_one_file_that_cannot_be_written_stops_all_before_the_first(
    name: str, text: str, connect: Connect, command: Command, folder: Path
):
    (folder / name).write_text(text)
    before = files_in(folder)
    done = connect()

    assert done.code != 0
    assert files_in(folder) == before
    assert live_tokens(command) == []


def test_an_unknown_client_is_told_which_there_are(command: Command):
    assert "hermes" in command("connect", "emacs").err


def test_the_check_finds_what_is_missing(
    connect: Connect, command: Command, tmp_path: Path, folder: Path
):
    nothing = connect("--check")
    connect("--url", "http://127.0.0.1:9")
    silent = connect("--check", "--json")

    assert (nothing.code, silent.code) == (1, 1)
    assert "`afterword connect hermes` writes it" in nothing.out
    held = {check["name"]: check["holds"] for check in silent.json}
    assert held == {"written": True, "server": False, "token": False, "used": None}
    with NetworkDoor(tmp_path / "served") as door:
        served = Command(door.home, command.clock, command.ids)
        line = ("connect", "hermes", "--folder", str(folder.with_name("other")))
        folder.with_name("other").mkdir()
        served(*line, "--url", f"http://127.0.0.1:{door.port}")
        assert served(*line, "--check").code == 0
        last = served("token", "ls", "--json").json[-1]
        served("token", "revoke", str(last["id"]))
        revoked = served(*line, "--check", "--json")
    assert revoked.code == 1
    assert {check["name"]: check["holds"] for check in revoked.json}["token"] is False


@pytest.mark.parametrize(("client", "file"), [("cursor", "mcp.json"), ("claude-code", ".mcp.json")])
def test_a_client_with_a_file_of_servers_gets_one_entry(
    client: str, file: str, command: Command, tmp_path: Path
):
    text = '{\n  "mcpServers": {\n    "memory": {"command": "other"}\n  }\n}\n'
    (tmp_path / file).write_text(text)
    line = ("connect", client, "--folder", str(tmp_path))
    command(*line)
    servers = json.loads((tmp_path / file).read_bytes())["mcpServers"]
    command(*line, "--remove")

    assert servers["memory"] == {"command": "other"}
    assert servers["afterword"]["args"][0] == "mcp"
    assert (tmp_path / file).read_text() == text
    assert command("connect", "mcp").out.count('"afterword"') == 2
