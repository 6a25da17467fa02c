"""A thousand ordinary writes, and all upkeep after them, look like no edit by another program."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import StoreOptions, Stores
from afterword.pipeline.core.store.chain.shorten import shorten_chain
from afterword.pipeline.doors.agent import Agent, call
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command
from afterword.pipeline.testing.network_door import NetworkDoor
from afterword.pipeline.testing.trade_files import write_trade_files

WRITES: Final = 1_000

SETTINGS: Final = {
    "autostart": False,
    "synchronous": "NORMAL",
    "mcp_tools": "all",
    "session_max_stores": 10 * WRITES,
}


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A home into which a thousand entries came by three doors at once, and trades of a file."""
    home = tmp_path / "home"
    with NetworkDoor(home, **SETTINGS, token_daily_writes=10 * WRITES) as door:
        agent = Agent.open("main", home=home, **SETTINGS)
        for place in range(WRITES):
            told = {"type": "preference", "content": f"Wants chart {place} of that day"}
            if place % 10 == 0:
                answer = door.ask("POST", "/v1/tools/memory_store", told, "agent")
                assert answer.status == 200, answer.body
            elif place % 10 == 1:
                asked = {"name": "memory_store", "arguments": told}
                line = {"jsonrpc": "2.0", "id": place, "method": "tools/call", "params": asked}
                answer = door.ask(
                    *("POST", "/mcp", line, "agent"),
                    Accept="application/json, text/event-stream",
                    MCP_Protocol_Version="2025-11-25",
                )
                assert not answer.body["result"].get("isError"), answer.body
            else:
                uid = call(agent, "memory_store", told)["id"]
                if place % 250 == 2:
                    call(agent, "memory_delete", {"id": uid})
        agent.close()
    files = write_trade_files(tmp_path, 20)
    run = Command(home, system_clock, random_uid)
    done = run("history", "import", str(files.trades))
    assert done.code == 0, done.err
    yield home


def test_a_thousand_writes_and_all_upkeep_are_no_alarm(home: Path, tmp_path: Path) -> None:
    clock = ManualClock(system_clock() + timedelta(minutes=1))
    run = Command(home, clock, random_uid)

    def check(of: Command, *, by: str) -> int:
        done = of("--json", "store", "check", "--tamper")
        assert [(group["edits"], by) for group in done.json if group["edits"]] == []
        return int(done.json[0]["rows"])

    assert check(run, by="writes") > 2 * WRITES
    for line in (
        ("store", "backup", str(tmp_path / "backup")),
        ("forget", "--subject", "chart 7", "--apply", "--yes"),
        ("memory", "write", "personalization", "Trades from Porto"),
        ("doctor", "--fix", "--apply"),
    ):
        assert run(*line).code in (0, 1), line
        check(run, by=" ".join(line))
    clock.advance(days=400)
    assert run("memory", "purge", "--apply").code == 0
    check(run, by="purge")
    stores = Stores(home, StoreOptions(), clock, random_uid)
    assert shorten_chain(stores.instance, stores.group("main"), clock(), shortest_bytes=0)
    stores.close()
    check(run, by="shorten")
    restore = ("--group", "main", "store", "restore", str(tmp_path / "backup"), "--replace")
    assert (done := run(*restore)).code == 0, done.err
    assert check(run, by="restore") > 2 * WRITES
    assert run("memory", "write", "personalization", "Trades from Lisbon").code == 0
    check(run, by="a write after the restore")
    there = Command(tmp_path / "there", clock, random_uid)
    assert (done := run("store", "move", "main", "--to", str(there.home))).code == 0, done.err
    assert there("memory", "write", "personalization", "Trades from Faro").code == 0
    check(there, by="move")
