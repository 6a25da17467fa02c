"""Files that nobody's venue writes: refused by one error, and no row of them is kept."""

from pathlib import Path

import pytest

FILLS = "time=Date,symbol=Pair,side=Type,qty=Amount,price=Price,fee=Fee"
CLOSED = "closed=Date,symbol=Pair,direction=Type,qty=Amount,entry=In,exit=Out,fee=Fee,net=Net"


@pytest.fixture
def imported(command, tmp_path):
    """Import rows with named columns."""

    def run(columns: str, header: str, *rows: str, door=("history", "import")):
        path = tmp_path / "rows.csv"
        path.write_text("\n".join([header, *rows, ""]))
        return command(*door, str(path), "--columns", columns, "--zone", "UTC")

    return run


def stored(home: Path, command) -> int:
    if not (home / "groups").exists():
        return 0
    return len(command("history", "ls", "--json").json)


@pytest.mark.parametrize("door", [("history", "import"), ("learn", "--keep")])
@pytest.mark.parametrize(
    ("amount", "price", "fee"),
    [
        ("1" + "0" * 24, "1" + "0" * 24, "0"),
        ("1000000", "1000000000000", "0"),
        ("1", "1e30", "0"),
        ("1", "1000000000", "999999999 BTC"),
    ],
)
def test_a_fill_worth_more_than_a_column_holds_is_refused_whole(
    imported, command, home, door, amount, price, fee
):
    told = imported(
        FILLS,
        "Date,Pair,Type,Amount,Price,Fee",
        "2026-01-01 10:00:00,BTC/USDT,BUY,1,100,0",
        f"2026-01-02 10:00:00,BTC/USDT,BUY,{amount},{price},{fee}",
        f"2026-01-03 10:00:00,BTC/USDT,SELL,{amount},{price},0",
        door=door,
    )

    assert told.code == 2, told
    assert "line 3" in told.err
    assert stored(home, command) == 0


@pytest.mark.parametrize(
    ("entry", "fee"), [("1" + "0" * 24, "0"), ("1e30", "0"), ("100", "1" + "0" * 24)]
)
def test_a_closed_trade_worth_more_than_a_column_holds_is_refused(
    imported, command, home, entry, fee
):
    told = imported(
        CLOSED,
        "Date,Pair,Type,Amount,In,Out,Fee,Net",
        f"2026-01-02 10:00:00,BTC/USDT,long,10,{entry},110,{fee},9",
    )

    assert told.code == 2, told
    assert "line 2" in told.err
    assert stored(home, command) == 0


KEY = "sk-ant-api03-" + "AbCdEf0123456789" * 4
PHRASE = "legal winner thank year wave sausage worth useful legal winner thank yellow"


def in_files(home: Path, secret: str) -> list[str]:
    return [
        path.name
        for path in home.rglob("*")
        if path.is_file() and secret[:24].encode() in path.read_bytes()
    ]


@pytest.mark.parametrize("secret", [KEY, PHRASE, PHRASE.upper(), "AKIAIOSFODNN7EXAMPLE"])
def test_secrets_in_free_text_are_masked(imported, home, secret):
    told = imported(
        FILLS,
        "Date,Pair,Type,Amount,Price,Fee,Note",
        f"2026-01-01 10:00:00,BTC/USDT,BUY,1,100,0,{secret}",
    )

    assert told.code == 0, told
    assert (home / "groups").exists()
    assert in_files(home, secret) == []


@pytest.mark.parametrize("key", ["id", "order", "account", "fee_token"])
@pytest.mark.parametrize("secret", [KEY, PHRASE])
def test_a_secret_in_place_of_a_name_is_refused(imported, command, home, key, secret):
    told = imported(
        f"{FILLS},{key}=Note",
        "Date,Pair,Type,Amount,Price,Fee,Note",
        "2026-01-01 10:00:00,BTC/USDT,BUY,1,100,0,a",
        f"2026-01-02 10:00:00,BTC/USDT,SELL,1,100,0,{secret}",
    )

    assert told.code == 2, told
    assert "line 3" in told.err
    assert secret[:24] not in told.err
    assert stored(home, command) == 0
    assert in_files(home, secret) == []
