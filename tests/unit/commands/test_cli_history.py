"""Fills come in from files, all files sound before one row is kept."""

import json
from pathlib import Path

import pytest

from afterword.pipeline.doors.commands.history import named_wallets
from afterword.pipeline.errors import InvalidInputError


def fill(tid: int, side: str, start: str, time: int) -> dict[str, object]:
    """Return a fill of one SOL as the venue's API writes it."""
    return {
        "coin": "SOL",
        "px": "150.0",
        "sz": "1.0",
        "side": side,
        "time": time,
        "startPosition": start,
        "dir": "Open Long" if side == "B" else "Close Long",
        "closedPnl": "0.0",
        "hash": f"0x{tid:064x}",
        "oid": tid,
        "crossed": True,
        "fee": "0.01",
        "tid": tid,
        "feeToken": "USDC",
    }


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    pages = [[fill(1, "B", "0.0", 1_700_000_000_000)], [fill(2, "A", "1.0", 1_700_000_060_000)]]
    paths = [tmp_path / f"page{number}.json" for number in (1, 2)]
    for path, page in zip(paths, pages, strict=True):
        path.write_text(json.dumps(page))
    return [str(path) for path in paths]


def test_fills_of_several_files_become_a_remembered_trip(command, files):
    line = ("history", "import", *files, "--account", "desk", "--json")
    first, again = command(*line).json, command(*line).json

    assert (first["fills_new"], first["trips_new"], first["memories"]) == (2, 1, 1)
    assert (again["fills_new"], again["fills_known"], again["memories"]) == (0, 2, 0)
    assert command("memory", "read", "--category", "trade_outcome", "--json").json
    assert "fills known    2" in command("history", "import", *files, "--account", "desk").out


def test_one_bad_file_keeps_all_of_them_out(command, files, home):
    Path(files[1]).write_text("[{}]")
    answer = command("history", "import", *files, "--account", "desk")

    assert answer.code == 2
    assert answer.err.startswith("afterword: page2.json: fills[0].")
    assert not home.exists()


def test_an_address_that_belongs_to_no_account_of_the_files_is_refused():
    address = "0x" + "1" * 40
    accounts = {"lead/a", "lead/b"}

    assert named_wallets("lead", [f"a={address}"], accounts) == {"lead/a": address}
    with pytest.raises(InvalidInputError, match=r"'lead' is not in the files; .* lead/a, lead/b"):
        named_wallets("lead", [address], accounts)
