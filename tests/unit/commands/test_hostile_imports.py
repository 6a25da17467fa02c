"""Files that nobody's venue writes: refused by one error, and no row of them is kept."""

import os
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


ROWS = ("2026-01-01 10:00:00,BTC/USDT,BUY,1,100,0", "2026-01-02 10:00:00,BTC/USDT,SELL,1,110,0")
HEADER = "Date,Pair,Type,Amount,Price,Fee"


@pytest.mark.parametrize("secret", [KEY, PHRASE, "AKIAIOSFODNN7EXAMPLE"])
@pytest.mark.parametrize("key", ["", ",fee="])
def test_a_secret_as_the_name_of_a_column_is_kept_nowhere(imported, command, home, secret, key):
    columns = FILLS.removesuffix(",fee=Fee")

    told = imported(
        f"{columns}{key}{secret}" if key else columns, HEADER.replace("Fee", secret), *ROWS
    )

    assert told.code == 0, told
    assert in_files(home, secret) == []
    assert secret[:24] not in command("history", "mappings", "ls", "--json").out


def test_a_mapping_of_a_header_with_a_secret_reads_the_next_file(imported, command, tmp_path):
    imported(FILLS.replace("=Fee", f"={KEY}"), HEADER.replace("Fee", KEY), *ROWS)
    again = tmp_path / "again.csv"
    again.write_text(f"{HEADER.replace('Fee', KEY)}\n2026-02-01 10:00:00,BTC/USDT,BUY,1,1,0\n")

    told = command("history", "import", str(again), "--json")

    assert told.code == 0, told
    assert told.json["fills_new"] == 1


@pytest.mark.parametrize("door", [("history", "import"), ("learn",)])
@pytest.mark.parametrize("secret", [KEY, PHRASE, f"private key {'ab12' * 16}"])
@pytest.mark.parametrize("place", [0, 2, 3, 4, 5])
def test_an_error_repeats_no_part_of_a_secret_in_a_cell(imported, door, secret, place):
    cells = ROWS[0].split(",")
    cells[place] = secret

    told = imported(FILLS, f"{HEADER},{secret}", ",".join(cells), door=door)

    assert told.code == 2, told
    assert secret[13:30] not in told.out + told.err


def test_the_name_of_a_column_makes_its_cell_a_secret_in_an_error_too(imported):
    secret = "vmPUZE6mv9SD5VNHk4HlWFsOr6aKE2zvsw0MuIgwCIPy6utIco14y7Ju91duEh8A"

    told = imported(
        FILLS.replace("Amount", "API Secret"),
        HEADER.replace("Amount", "API Secret"),
        f"2026-01-01 10:00:00,BTC/USDT,BUY,{secret},100,0",
    )

    assert told.code == 2, told
    assert secret[:16] not in told.out + told.err


def test_a_secret_in_the_name_of_a_file_is_shown_nowhere(command, home, tmp_path):
    path, page = tmp_path / f"{KEY}.csv", tmp_path / "page.html"
    path.write_text("\n".join([HEADER, *ROWS, ""]))
    read = ("--columns", FILLS, "--zone", "UTC")

    answers = [
        command("learn", str(path)),
        command("learn", str(path), *read, "--html", str(page)),
        command("learn", str(path), *read, "--json"),
        command("learn", str(path), *read, "--keep"),
    ]

    assert [told.code for told in answers] == [2, 0, 0, 0]
    assert [told for told in answers if KEY[:24] in told.out + told.err] == []
    assert KEY[:24] not in page.read_text()
    assert in_files(home, KEY) == []


def test_a_secret_is_refused_as_the_name_of_a_mapping_and_as_a_word_of_sides(imported):
    for columns, door in (
        (f"{FILLS},buy:{KEY}", ("history", "import")),
        (FILLS, ("history", "import", "--mapping", "AKIAIOSFODNN7EXAMPLE")),
    ):
        told = imported(columns, HEADER, *ROWS, door=door)
        assert told.code == 2, told
        assert "AKIAIOSF" not in told.err and KEY[:24] not in told.err


@pytest.mark.parametrize(("pair", "quote"), [("BTC/IDR", "IDR"), ("btc_vnd", "VND")])
def test_a_pair_in_a_currency_that_is_not_known_is_no_sum_of_dollars(imported, pair, quote):
    rows = [row.replace("BTC/USDT", pair) for row in ROWS]

    told = imported(FILLS, HEADER, *rows, door=("learn", "--json"))

    assert told.code == 0, told
    assert [one["quote"] for one in told.json["trades"]["sums"]] == [quote]


@pytest.mark.parametrize("symbol", ["BTCIDR", "SAP.DE", "ABC-DEF"])
def test_a_currency_that_cannot_be_told_is_asked_for(imported, symbol):
    rows = [row.replace("BTC/USDT", symbol) for row in ROWS]

    told = imported(FILLS, HEADER, *rows, door=("learn",))
    assert told.code == 2
    assert "line 2" in told.err and "quote:USD" in told.err

    told = imported(f"{FILLS},quote:IDR", HEADER, *rows, door=("learn", "--json"))
    assert told.json["trades"]["sums"][0]["quote"] == "IDR"


@pytest.mark.parametrize(
    ("opened", "closed"),
    [("1969-12-31", "1970-01-02"), ("1900-01-02", "1900-01-03"), ("2998-01-01", "3000-01-01")],
)
@pytest.mark.parametrize("door", [("history", "import"), ("learn",)])
def test_a_closed_trade_outside_the_times_of_fills_is_refused(
    imported, command, home, opened, closed, door
):
    told = imported(
        f"opened=Begin,{CLOSED}",
        "Begin,Date,Pair,Type,Amount,In,Out,Fee,Net",
        "2026-01-01 10:00:00,2026-01-02 10:00:00,BTC/USDT,long,1,100,110,0,10",
        f"{opened} 10:00:00,{closed} 10:00:00,BTC/USDT,long,1,100,110,0,10",
        door=door,
    )

    assert told.code == 2, told
    assert "line 3" in told.err and "from 1970 to 2999" in told.err
    assert stored(home, command) == 0


@pytest.mark.parametrize("price", ["1e999999999", "1E400", "100e999"])
def test_an_exponent_is_no_unit(imported, price):
    told = imported(FILLS, HEADER, ROWS[0], ROWS[1].replace("110", price), door=("learn",))

    assert told.code == 2, told
    assert "line 3, column Price" in told.err


def test_a_column_that_is_there_twice_is_asked_for(imported):
    columns = FILLS.removesuffix(",fee=Fee")

    told = imported(columns, HEADER.replace("Fee", "Price"), *ROWS, door=("learn",))
    assert told.code == 2, told
    assert "has 2 columns Price; accepted: #5 or #6" in told.err

    told = imported(columns.replace("=Price", "=#5"), HEADER.replace("Fee", "Price"), *ROWS)
    assert told.code == 0, told


def test_the_page_never_takes_the_place_of_a_file_that_is_read(imported, command, tmp_path):
    path = tmp_path / "rows.csv"

    told = imported(FILLS, HEADER, *ROWS, door=("learn", "--html", str(path)))

    assert told.code == 2, told
    assert path.read_text().startswith(HEADER)


def test_a_page_is_not_written_to_a_pipe_that_nobody_reads(imported, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    told = imported(FILLS, HEADER, *ROWS, door=("learn", "--html", str(pipe)))

    assert told.code == 2 and "is a pipe" in told.err
