"""The same trades in two layouts of a venue count once, or are told where nobody can say."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.testing.command import Command

BEGIN = datetime(2025, 1, 10, 12, 0, 7, 345_000, tzinfo=UTC)
HEAD = (
    "id,Order id,Time,Trade Type,Symbol,Action,Amount,Trading Unit,Filled Price,PnL,Fee,"
    "Fee Unit,Position Change,Position Balance,Balance Change,Balance,Balance Unit"
)

Row = tuple[int, str, str, str]
"""Minute, side, contracts, price."""

ROWS: Sequence[Row] = (
    (0, "buy", "100", "100"),
    (5, "sell", "40", "110"),
    (9, "sell", "60", "120"),
    (20, "sell", "50", "130"),
    (30, "buy", "50", "125"),
)
NETS = ["16", "2.5"]
"""40 % of one bitcoin at 110, 60 % at 120; half of one from 130 to 125."""


def exported(path: Path, rows: Sequence[Row]) -> str:
    """Save rows as OKX's Trading History has them: to the second, ids of bills."""
    lines = ["UID:0,Account Type:Trading,Time Zone:UTC+0", HEAD]
    for number, (minute, side, size, price) in enumerate(rows):
        at = BEGIN + timedelta(minutes=minute)
        lines.append(
            f"7{number},9{minute},{at:%Y-%m-%d %H:%M:%S},Perpetual,BTC-USDT-SWAP,{side},"
            f"{size},cont,{price},0,0,USDT,0,0,0,0,USDT"
        )
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def fetched(path: Path, rows: Sequence[Row]) -> str:
    """Save rows as ccxt has them: to the millisecond, ids of trades."""
    found: list[dict[str, Any]] = [
        {
            "info": {"instId": "BTC-USDT-SWAP", "fillPx": price, "fillPnl": "0", "posSide": "net"},
            "id": f"8{number}",
            "order": f"9{minute}",
            "timestamp": int((BEGIN + timedelta(minutes=minute)).timestamp() * 1000),
            "datetime": "",
            "symbol": "BTC/USDT:USDT",
            "side": side,
            "price": price,
            "amount": size,
            "cost": str(float(price) * float(size) / 100),
            "fee": {"cost": "0", "currency": "USDT"},
        }
        for number, (minute, side, size, price) in enumerate(rows)
    ]
    path.write_text(json.dumps(found))
    return str(path)


def told(report: Any) -> list[Any]:
    return [line for line in report["unread"] if "layouts" in line["words"]]


def nets(report: Any) -> list[str]:
    return [one["trip"]["net"] for one in report["outcomes"]]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_trades_of_two_layouts_that_say_the_same_count_once(command: Command, tmp_path, order):
    files = [exported(tmp_path / "okx.csv", ROWS), fetched(tmp_path / "ccxt.json", ROWS)]

    report = command("learn", *(files[n] for n in order), "--json").json

    assert nets(report) == NETS
    assert told(report) == []


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_files_that_overlap_in_part_are_joined(command: Command, tmp_path, order):
    files = [exported(tmp_path / "okx.csv", ROWS[:3]), fetched(tmp_path / "ccxt.json", ROWS[1:])]

    report = command("learn", *(files[n] for n in order), "--json").json

    assert nets(report) == NETS


def test_a_file_that_comes_again_in_another_layout_brings_what_is_new(command, tmp_path):
    one, whole = exported(tmp_path / "okx.csv", ROWS[:3]), fetched(tmp_path / "ccxt.json", ROWS)
    later = exported(tmp_path / "later.csv", ROWS)

    done = [
        command("history", "import", path, "--json").json for path in (one, whole, later, whole)
    ]

    counts = [(one["fills_new"], one["fills_known"], one["fills_twin"]) for one in done]
    assert counts == [(3, 0, 0), (2, 0, 3), (0, 3, 2), (0, 2, 3)]


def test_an_order_that_one_layout_writes_as_one_row_counts_once(command: Command, tmp_path):
    parts = (ROWS[0], (5, "sell", "10", "110"), (5, "sell", "30", "110"), *ROWS[2:])
    files = [exported(tmp_path / "okx.csv", ROWS), fetched(tmp_path / "ccxt.json", parts)]

    assert nets(command("learn", *files, "--json").json) == NETS


def test_layouts_that_agree_in_part_are_told_and_nothing_counts_twice(command, tmp_path):
    other = (*ROWS[:2], (9, "sell", "50", "120"), (10, "sell", "10", "120"), *ROWS[3:])
    files = [exported(tmp_path / "okx.csv", ROWS), fetched(tmp_path / "ccxt.json", other)]

    report = command("learn", *files, "--json").json

    assert nets(report) == NETS
    (line,) = told(report)
    assert line["count"] == 6
    assert "count twice" in line["words"]
    assert line["examples"] == [
        "BTC-USDT-SWAP 2025-01-10 12:00 to 2025-01-10 12:30 in ccxt.json (6)"
    ]


def test_other_trades_of_the_same_market_and_time_are_all_kept(command: Command, tmp_path):
    other = [(minute + 2, side, "7", price) for minute, side, _, price in ROWS[:2]]
    files = [exported(tmp_path / "okx.csv", ROWS), fetched(tmp_path / "ccxt.json", other)]

    done = [command("history", "import", path, "--json").json for path in files]

    assert [(one["fills_new"], one["fills_twin"], one["fills_set_aside"]) for one in done] == [
        (5, 0, 0),
        (2, 0, 0),
    ]


def test_another_account_is_never_compared(command: Command, tmp_path):
    command("history", "import", exported(tmp_path / "okx.csv", ROWS))

    path = fetched(tmp_path / "ccxt.json", ROWS)
    done = command("history", "import", path, "--account", "second", "--json").json

    assert done["fills_new"] == 5


def test_two_equal_trades_in_each_of_two_layouts_are_two(command: Command, tmp_path):
    rows = [(0, "buy", "10", "100"), (0, "buy", "10", "100"), (9, "sell", "20", "110")]
    files = [exported(tmp_path / "okx.csv", rows), fetched(tmp_path / "ccxt.json", rows)]

    report = command("learn", *files, "--json").json

    assert [(one["trip"]["size"], one["trip"]["fills"]) for one in report["outcomes"]] == [
        ("20", 3)
    ]


def test_a_look_at_the_past_counts_them_once_too(command: Command, tmp_path):
    files = [exported(tmp_path / "okx.csv", ROWS), fetched(tmp_path / "ccxt.json", ROWS)]

    report = command("learn", *files, "--as-of", "2025-01-10T12:15:00Z", "--json").json

    assert nets(report) == NETS[:1]


def test_edges_lists_what_two_layouts_leave_unclear(command: Command, tmp_path):
    other = (*ROWS[:2], (9, "sell", "50", "120"), (10, "sell", "10", "120"), *ROWS[3:])
    files = [exported(tmp_path / "okx.csv", ROWS), fetched(tmp_path / "ccxt.json", other)]
    imported = command("history", "import", *files).out

    (edge,) = command("history", "edges", "--json").json
    listed = " ".join(command("history", "edges").out.split())

    assert "afterword history edges" in " ".join(imported.split())
    assert (edge["sort"], edge["market"], edge["fills"]) == ("two layouts", "BTC-USDT-SWAP", 6)
    assert edge["files"] == ["ccxt.json"]
    assert "--account" in listed
    assert "BTC-USDT-SWAP" in listed


def test_edges_lists_equal_fills_where_two_files_meet(command: Command, tmp_path):
    head = "Date(UTC),Pair,Side,Price,Executed,Amount,Fee"
    row = "{},SOLUSDT,BUY,100,1SOL,100USDT,0.1USDT"
    times = (("2025-01-10 12:00:00", "2025-01-10 13:00:00"), ("2025-01-10 13:00:00",))
    for number, rows in enumerate(times):
        lines = [head, *(row.format(at) for at in rows)]
        lines += ["2025-01-11 09:00:00,SOLUSDT,SELL,110,1SOL,110USDT,0.1USDT"] * number
        path = tmp_path / f"part{number}.csv"
        path.write_text("\n".join(lines) + "\n")
        command("history", "import", str(path))

    (edge,) = command("history", "edges", "--json").json

    assert edge == {
        "sort": "one fill or two",
        "account": "binance",
        "market": "SOLUSDT",
        "first": "2025-01-10T13:00:00.000000Z",
        "last": "2025-01-10T13:00:00.000000Z",
        "side": "buy",
        "size": "1",
        "price": "100",
        "fills": 1,
        "files": ["part0.csv", "part1.csv"],
    }
    assert "goes on over that moment" in " ".join(command("history", "edges").out.split())


def test_edges_says_that_there_are_none(command: Command, tmp_path):
    command("history", "import", exported(tmp_path / "okx.csv", ROWS))

    assert command("history", "edges").out == "nothing is undecided\n"


def test_the_page_of_hyperliquid_and_its_api_count_once(command: Command, tmp_path):
    fills = (
        # an order of two executions within a second, and its close
        (345, "B", "1.0", "100.0", "0.0", "Open Long", "0.0"),
        (349, "B", "3.0", "102.0", "1.0", "Open Long", "0.0"),
        (60_345, "A", "4.0", "110.0", "4.0", "Close Long", "34.0"),
    )
    start = int(datetime(2025, 1, 20, 12, 0, 7, tzinfo=UTC).timestamp() * 1000)
    answer = [
        {
            "coin": "SOL",
            "px": px,
            "sz": sz,
            "side": side,
            "time": start + at,
            "startPosition": held,
            "dir": word,
            "closedPnl": pnl,
            "hash": f"0x{number:064x}",
            "oid": number // 2,
            "crossed": True,
            "fee": "0.1",
            "tid": number,
            "feeToken": "USDC",
        }
        for number, (at, side, sz, px, held, word, pnl) in enumerate(fills)
    ]
    api, page = tmp_path / "api.json", tmp_path / "page.csv"
    api.write_text(json.dumps(answer))
    page.write_text(
        "time,coin,dir,px,sz,ntl,fee,closedPnl\n"
        "20/01/2025 - 12:01:07,SOL,Close Long,110,4,440,0.1,33.9\n"
        "20/01/2025 - 12:00:07,SOL,Open Long,101.5,4,406,0.2,-0.2\n"
    )

    for files in ((api, page), (page, api)):
        report = command("learn", *map(str, files), "--zone", "UTC", "--json").json

        assert nets(report) == ["33.7"]
        assert told(report) == []


def described(home: Path, name: str) -> Path:
    """Describe a table of the venue `desk` in a layout file of the home; return a path for one."""
    (home / "layouts").mkdir(parents=True, exist_ok=True)
    columns = {key: f"{name} {key}" for key in ("time", "symbol", "side", "qty", "price", "id")}
    lines = [
        f'title = "Desk, {name}"',
        *('venue = "desk"', f"header = {json.dumps(list(columns.values()))}", "[columns]"),
        *(f"{key} = {json.dumps(column)}" for key, column in columns.items()),
        *("[times]", 'zone = "UTC"'),
    ]
    (home / "layouts" / f"{name}.toml").write_text("\n".join(lines) + "\n")
    return home / f"{name}.csv"


def of_desk(path: Path, rows: Sequence[Row]) -> str:
    """Save rows as the layout of the path's name has them."""
    lines = [
        ",".join(f"{path.stem} {key}" for key in ("time", "symbol", "side", "qty", "price", "id"))
    ]
    for minute, side, size, price in rows:
        at = BEGIN + timedelta(minutes=minute)
        lines.append(f"{at:%Y-%m-%d %H:%M:%S},BTC-USDT,{side},{size},{price},{path.stem}{minute}")
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_a_file_that_comes_again_is_set_aside_once(command: Command, home: Path):
    other = (*ROWS[:2], (9, "sell", "50", "120"), (10, "sell", "10", "120"), *ROWS[3:])
    first, second, third = (described(home, name) for name in ("first", "second", "third"))
    command("history", "import", of_desk(first, ROWS), of_desk(second, other))
    (edge,) = command("history", "edges", "--json").json

    command("history", "import", of_desk(third, ROWS))
    command("history", "import", str(second))

    again = command("history", "edges", "--json").json
    assert [(one["files"], one["fills"]) for one in again] == [(edge["files"], edge["fills"])]
    assert edge["fills"] == 6


def test_a_file_that_a_later_one_bears_out_is_set_aside_no_longer(command: Command, home: Path):
    first, second = described(home, "first"), described(home, "second")
    command("history", "import", of_desk(first, [*ROWS[:2], *ROWS[3:]]), of_desk(second, ROWS))
    assert [one["fills"] for one in command("history", "edges", "--json").json] == [5]

    command("history", "import", of_desk(first, ROWS))
    command("history", "import", str(second))

    assert command("history", "edges", "--json").json == []
