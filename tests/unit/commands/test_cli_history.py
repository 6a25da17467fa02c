"""Fills come in from files, all files sound before one row is kept."""

import json
from pathlib import Path

import pytest

from afterword.pipeline.doors.commands.history.import_files import named_wallets
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
    assert "fills known  2" in command("history", "import", *files, "--account", "desk").out


def test_one_bad_file_keeps_all_of_them_out(command, files, home):
    page = json.loads(Path(files[1]).read_text())
    Path(files[1]).write_text(json.dumps([page[0] | {"px": "ten"}]))
    answer = command("history", "import", *files, "--account", "desk")

    assert answer.code == 2
    assert answer.err.startswith("afterword: page2.json: fills[0].px: is 'ten'")
    assert not home.exists()


def test_an_address_that_belongs_to_no_account_of_the_files_is_refused():
    address = "0x" + "1" * 40
    accounts = {"lead/a", "lead/b"}

    assert named_wallets("lead", [f"a={address}"], accounts) == {"lead/a": address}
    with pytest.raises(InvalidInputError, match=r"'lead' is not in the files; .* lead/a, lead/b"):
        named_wallets("lead", [address], accounts)


EXPORT = """Uid,Time,Symbol,Side,Price,Quantity,Amount,Fee,Realized Profit,Buyer,Maker,\
Trade ID,Order ID
1,26-03-17 10:00:00,BTCUSDT,BUY,100,1,100,0.5 USDT,0,true,false,11,7
1,26-03-17 10:09:00,BTCUSDT,SELL,110,1,110,0.5 USDT,10,false,false,12,8
"""


@pytest.fixture
def export(tmp_path: Path) -> str:
    path = tmp_path / "trades(UTC+0).csv"
    path.write_text(EXPORT)
    return str(path)


def test_an_export_of_a_venue_needs_no_account_and_is_listed(command, export):
    answer = command("history", "import", export, "--json").json
    (last, first) = command("history", "ls", "--json").json

    assert answer["layouts"] == ["Binance futures, Trade History"]
    assert (answer["fills_new"], answer["trips_new"], answer["left_out"]) == (2, 1, {})
    assert (last["time"], last["side"], last["closed_pnl"]) == (
        "2026-03-17T10:09:00.000000Z",
        "sell",
        "10",
    )
    assert (first["account"], first["venue"], first["size"]) == ("binance", "binance", "1")


@pytest.mark.parametrize(
    ("filters", "fills"),
    [
        (("--account", "binance", "--symbol", "BTCUSDT"), 2),
        (("--account", "other"), 0),
        (("--symbol", "ETHUSDT"), 0),
        (("--since", "2026-03-17T10:05:00Z"), 1),
        (("--limit", "1"), 1),
    ],
)
def test_fills_are_listed_by_account_market_and_time(command, export, filters, fills):
    command("history", "import", export)

    assert len(command("history", "ls", *filters, "--json").json) == fills


def test_a_fill_is_shown_with_its_row_and_a_trip_with_its_fills(command, export):
    command("history", "import", export)
    uid = command("history", "ls", "--json").json[0]["uid"]
    memory = command("memory", "read", "--category", "trade_outcome", "--json").json[0]

    fill = command("history", "show", uid, "--json").json
    trip = command("history", "show", memory["metadata"]["trip_uid"], "--json").json

    assert (fill["execution"], json.loads(fill["raw"])["Trade ID"]) == ("12", "12")
    assert (trip["trip"]["net"], [one["execution"] for one in trip["fills"]]) == ("9", ["11", "12"])
    assert "no fill and no trip 'x'" in command("history", "show", "x").err


def test_an_address_needs_the_name_of_its_account(command, export):
    answer = command("history", "import", export, "--wallet", "0x" + "1" * 40)

    assert (answer.code, "needs the account's name" in answer.err) == (2, True)


def test_columns_that_are_named_once_are_kept_for_the_next_file(command, tmp_path):
    path = tmp_path / "own.csv"
    path.write_text("When,What,Pair,Much,At\n2026-03-17 10:00:00,buy,BTC/USDT,1,100\n")
    columns = "time=When,side=What,symbol=Pair,qty=Much,price=At"

    first = command(
        *("history", "import", str(path), "--account", "own", "--zone", "UTC"),
        *("--columns", columns, "--json"),
    ).json
    again = command("history", "import", str(path), "--account", "own", "--json").json

    assert (first["fills_new"], again["fills_new"], again["fills_known"]) == (1, 0, 1)
