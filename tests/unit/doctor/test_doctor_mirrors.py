"""The doctor says which mirrors stand still, fail or miss something, and what helps."""

import json
from collections.abc import Iterator
from datetime import timedelta

import pytest

from afterword.pipeline.clock import EPOCH
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command
from afterword.pipeline.testing.venue_server import VenueServer, venue_fill

MINE = "0x" + "ab" * 20


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[VenueServer]:
    with VenueServer() as server:
        monkeypatch.setenv("AFTERWORD_HYPERLIQUID_BASE_URL", server.origin)
        yield server


@pytest.fixture
def main(server: VenueServer, command: Command) -> VenueServer:
    """The venue, with the account `zebrafund` added."""
    server.account(MINE)
    assert command("account", "add", "zebrafund", MINE, "--own").code == 0
    return server


def findings(command: Command, *options: str) -> list[tuple[str, str, str]]:
    told = command("doctor", *options, "--json").json
    return [
        (finding["state"], finding["says"], finding["remedy"])
        for finding in told
        if finding["subject"].startswith("mirrors")
    ]


def test_a_group_without_accounts_has_no_line(command: Command) -> None:
    assert command("memory", "write", "observation", "BTC fell").code == 0
    assert findings(command) == []


def test_mirrors_are_fine_until_they_stand_still(
    main: VenueServer, command: Command, clock: ManualClock
) -> None:
    command("sync", "now")
    assert [state for state, _, _ in findings(command)] == ["fine"]
    clock.advance(minutes=61)
    still = findings(command)
    assert [state for state, _, _ in still] == ["wrong", "wrong", "wrong"]
    for _, says, remedy in still:
        assert "zebrafund stands still since" in says
        assert "afterword sync now zebrafund" in remedy
    command("sync", "pause", "zebrafund")
    ((state, says, remedy),) = findings(command)
    assert (state, remedy) == ("note", "`afterword sync resume zebrafund`")
    assert "is paused since" in says
    command("sync", "resume")
    command("sync", "now")
    assert [state for state, _, _ in findings(command)] == ["fine"]


def test_a_mirror_that_fails_is_told_with_its_error_and_left_out_after_five(
    main: VenueServer, command: Command, clock: ManualClock
) -> None:
    at = (clock() - EPOCH) // timedelta(milliseconds=1)
    main.account(MINE).trade([venue_fill(1, at, "1.0") | {"side": "neither"}])
    command("sync", "now")
    ((state, says, _),) = findings(command)
    assert state == "note"
    assert "perps_fills of zebrafund failed once" in says
    for _ in range(4):
        command("sync", "now")
    ((state, says, remedy),) = findings(command)
    assert state == "wrong"
    assert "failed 5 times and is left out until" in says
    assert "tried again by itself" in remedy
    assert "zebrafund" not in json.dumps(findings(command, "--anonymous"))


def test_a_mirror_that_is_not_whole_names_the_moment_and_the_file_that_helps(
    main: VenueServer, command: Command, clock: ManualClock
) -> None:
    begin = (clock() - EPOCH) // timedelta(milliseconds=1) - 100_000
    main.account(MINE).trade([venue_fill(tid, begin, "1.0", f"{tid}.0") for tid in range(2_000)])
    command("sync", "now")
    ((state, says, remedy),) = findings(command)
    assert state == "note"
    assert "perps_fills of zebrafund is whole since" in says
    assert "afterword learn FILE --keep --account zebrafund" in remedy
