"""`afterword connect openclaw`: its entries in a configuration of the user's, and its tokens."""

import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.testing.command import Command, CommandResult

Connect = Callable[..., CommandResult]

CONFIG = """{
    "agents": {"defaults": {"model": "test/one"}},
    "mcp": {
        "servers": { "docs": {"command": "docs-mcp", "args": []} }
    },
    "plugins": {"entries": {"memory-wiki": {"enabled": true}}}
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A state folder of OpenClaw that was used before."""
    folder = tmp_path / "openclaw"
    (folder / "extensions/other").mkdir(parents=True)
    (folder / "openclaw.json").write_text(CONFIG)
    return folder


@pytest.fixture
def connect(command: Command, folder: Path) -> Connect:
    def run(*line: str) -> CommandResult:
        return command("connect", "openclaw", *line, env={"OPENCLAW_STATE_DIR": str(folder)})

    return run


def config(folder: Path) -> Any:
    return json.loads((folder / "openclaw.json").read_text())


def token_of_server(folder: Path) -> str:
    header: str = config(folder)["mcp"]["servers"]["afterword"]["headers"]["Authorization"]
    return header.removeprefix("Bearer ")


def live_tokens(command: Command) -> list[str]:
    tokens = command("token", "ls", "--json").json
    return sorted(token["label"] for token in tokens if token["revoked_at"] is None)


def test_connecting_adds_the_plugin_the_server_and_two_tokens_that_nobody_else_reads(
    connect: Connect, command: Command, folder: Path, home: Path
):
    done = connect()
    written = config(folder)
    plugin = folder / "extensions/afterword"
    kept = json.loads((plugin / "connection.json").read_text())

    assert (done.code, done.err) == (0, "")
    assert written["mcp"]["servers"]["docs"] == {"command": "docs-mcp", "args": []}
    server = written["mcp"]["servers"]["afterword"]
    assert (server["url"], server["transport"]) == (f"{kept['url']}/mcp", "streamable-http")
    assert written["plugins"]["entries"]["afterword"] == {
        "enabled": True,
        "hooks": {"allowConversationAccess": True},
    }
    assert "slots" not in written["plugins"]
    assert live_tokens(command) == ["openclaw", "openclaw mcp"]
    record = (home / "connected.json").read_text()
    assert kept["token"] not in record
    assert token_of_server(folder) not in record
    for path in (folder / "openclaw.json", plugin / "connection.json"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_second_time_nothing_is_written_and_removing_leaves_every_byte(
    connect: Connect, command: Command, folder: Path
):
    connect()
    again = connect()
    removed = connect("--remove")

    assert "is connected already: nothing is written" in again.out
    assert removed.code == 0
    assert (folder / "openclaw.json").read_text() == CONFIG
    assert [path.name for path in (folder / "extensions").iterdir()] == ["other"]
    assert live_tokens(command) == []


def test_a_file_that_was_written_anew_loses_our_entries_alone(connect: Connect, folder: Path):
    before = config(folder)
    connect()
    anew = {"meta": {"lastTouchedVersion": "2026.9.6"}, **config(folder)}
    choice = {"config": {"capture": False}}  # of the user, about our plugin
    anew["plugins"]["entries"]["afterword"] |= choice
    (folder / "openclaw.json").write_text(json.dumps(anew, indent=2))
    again = connect()
    removed = connect("--remove")

    assert "is connected already: nothing is written" in again.out
    assert removed.code == 0
    before["plugins"]["entries"]["afterword"] = {"hooks": {}, **choice}
    assert config(folder) == {"meta": anew["meta"], **before}


def test_a_token_that_ended_is_replaced_in_its_place(
    connect: Connect, command: Command, folder: Path
):
    connect()
    first = token_of_server(folder)
    (ended,) = (
        token["id"]
        for token in command("token", "ls", "--json").json
        if token["label"] == "openclaw mcp"
    )
    command("token", "revoke", str(ended))
    check = connect("--check")
    connect()

    assert "its token ended; connect again" in " ".join(check.out.split())
    assert token_of_server(folder) != first
    assert live_tokens(command) == ["openclaw", "openclaw mcp"]


def test_a_server_of_that_name_or_one_that_was_changed_stays(
    connect: Connect, command: Command, folder: Path
):
    own = config(folder)
    own["mcp"]["servers"]["afterword"] = {"command": "mine"}
    (folder / "openclaw.json").write_text(json.dumps(own))
    refused = connect()
    assert refused.code != 0
    assert config(folder) == own
    assert live_tokens(command) == []

    (folder / "openclaw.json").write_text(CONFIG)
    connect()
    changed = config(folder)
    changed["mcp"]["servers"]["afterword"]["requestTimeoutMs"] = 5_000
    (folder / "openclaw.json").write_text(json.dumps(changed))
    removed = connect("--remove")

    assert removed.code == 1
    assert "mcp.servers.afterword was changed since it was written: it stays" in removed.out
    assert config(folder)["mcp"] == changed["mcp"]
    assert live_tokens(command) == []


def test_a_file_with_comments_is_told_and_left_as_it_is(
    connect: Connect, command: Command, folder: Path
):
    text = CONFIG.replace("{\n", "{\n    // mine\n", 1)
    (folder / "openclaw.json").write_text(text)
    done = connect()

    assert done.code == 2
    assert "cannot be read" in done.err
    assert (folder / "openclaw.json").read_text() == text
    assert not (folder / "extensions/afterword").exists()
    assert live_tokens(command) == []


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ({"allow": ["memory-core"]}, "plugins.allow does not name afterword: add it"),
        ({"deny": ["afterword"]}, "plugins.deny names afterword: take it out"),
        ({"enabled": False}, "plugins.enabled is false: OpenClaw loads none"),
        ({}, "openclaw.json lets the plugin in"),
    ],
)
def test_the_check_says_what_keeps_the_plugin_out(
    rule: dict[str, Any], said: str, connect: Connect, folder: Path
):
    ruled = config(folder)
    ruled["plugins"] |= rule
    (folder / "openclaw.json").write_text(json.dumps(ruled))
    connect()

    assert said in " ".join(connect("--check").out.split())
