"""A newcomer's wrong file or option: one line says what it is, and what to do instead."""

import gzip
from pathlib import Path

import pytest

TRADES = (
    "Pairs,Time,Side,Filled Price,Executed Amount,Total,Fee,Role\n"
    "KAS_USDT,2024-02-12 08:15:09,SELL,0.1312,5000,656,0.656,Taker\n"
    "KAS_USDT,2024-02-11 21:40:31,BUY,0.1250,5000,625,0,Maker\n"
)
BARS = "Date,Open,High,Low,Close,Volume\n2024-01-02,1,2,1,2,5\n2024-01-03,1,2,1,2,5\n"


@pytest.fixture
def refused(command, tmp_path):
    """Write a file, run a command on it, and return the line that refuses it."""

    def run(content: bytes | str, *options: str, door=("learn",), name="a.csv") -> str:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        told = command(*door, *options, str(path))
        assert (told.code, told.out) == (2, ""), told
        return told.err

    return run


@pytest.mark.parametrize("door", [("learn",), ("history", "import")])
@pytest.mark.parametrize(
    ("start", "what"),
    [
        (b"%PDF-1.7\n1 0 obj\n", "is a PDF"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is a picture"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "is a picture"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "is a workbook of Excel"),
    ],
)
def test_a_file_that_is_no_text_is_called_what_it_is(refused, door, start, what):
    said = refused(start, door=door)

    assert f"{what}; accepted: what the venue offers as CSV, JSON, XML or HTML" in said


@pytest.mark.parametrize("door", [("learn",), ("history", "import"), ("prices", "import")])
def test_a_folder_is_called_a_folder(command, tmp_path, door):
    assert "is a folder; accepted: the files in it" in command(*door, str(tmp_path)).err


def test_a_packed_export_is_read_like_a_plain_one(command, tmp_path: Path):
    path = tmp_path / "trades.csv.gz"
    path.write_bytes(gzip.compress(TRADES.encode()))

    assert "1 round trip, 1 won (100 %)" in command("learn", str(path), "--zone", "UTC").out


@pytest.mark.parametrize("door", [("prices", "import"), ("learn", "x.csv", "--prices")])
def test_an_export_given_as_prices_is_called_an_export(refused, door, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("x.csv").write_text(TRADES)
    said = refused(TRADES, door=door)

    assert "a.csv: holds trades (MEXC spot, trade history)" in said
    assert said.endswith("accepted: afterword learn FILE\n")


def test_prices_given_as_an_export_are_called_prices(refused):
    said = refused(BARS, door=("history", "import"))

    assert "holds prices; accepted: afterword prices import FILE" in said


def test_a_look_at_prices_only_says_what_is_missing(command, tmp_path: Path):
    path = tmp_path / "SOLUSDT_1d.csv"
    path.write_text(BARS)
    told = command("learn", str(path), "--symbol", "SOLUSDT")

    assert "The files hold prices only: name an export of trades beside them." in told.out


@pytest.mark.parametrize(
    ("option", "value", "accepted"),
    [
        ("--time-unit", "hours", "s or ms or us"),
        ("--decimal", "x", ". or ,"),
        ("--time-format", "foo", "dmy, mdy, ymd or a pattern"),
    ],
)
@pytest.mark.parametrize("door", [("learn",), ("history", "import")])
def test_a_wrong_option_is_refused_even_where_the_layout_needs_none(
    refused, door, option, value, accepted
):
    said = refused(TRADES, option, value, "--zone", "UTC", door=door)

    assert f"is '{value}'; accepted: {accepted}" in said


@pytest.mark.parametrize("door", [("learn",), ("history", "import")])
def test_a_zone_that_nobody_knows_is_called_unknown(refused, door):
    assert "zone: 'Mars' is not a known time zone" in refused(TRADES, "--zone", "Mars", door=door)


def test_a_date_as_a_moment_is_answered_with_an_example(refused):
    said = refused(TRADES, "--zone", "UTC", "--as-of", "2026-03-16")

    assert "has no time zone; accepted: date, time and zone, such as 2026-01-05T" in said


def test_a_part_of_columns_that_is_not_read_is_quoted(refused):
    said = refused(TRADES, "--columns", "when=Time,qty=Executed Amount")

    assert "columns: cannot read 'when=Time'; accepted: key=Column with a key of time, " in said


def test_a_time_that_clocks_of_the_zone_skipped_puts_the_zone_in_question(refused):
    skipped = TRADES.replace("2024-02-12 08:15:09", "2024-03-31 02:30:00")

    said = refused(skipped, "--zone", "Europe/Berlin")

    assert "a time that clocks of Europe/Berlin skipped: the times are of another zone" in said


def test_so_does_one_in_a_table_with_named_columns(refused):
    rows = "when,what,which,each,many\n2024-03-31 02:30:00,BTC,buy,1,2\n"
    named = "time=when,symbol=what,side=which,price=each,qty=many"

    said = refused(rows, "--columns", named, "--zone", "Europe/Berlin")

    assert "a time that clocks of Europe/Berlin skipped: the times are of another zone" in said


def test_all_that_a_file_does_not_say_is_asked_for_at_once(command, tmp_path: Path):
    bars = tmp_path / "bars.csv"
    bars.write_text(
        "Date,Open,High,Low,Close,Volume\n2026-01-02 10:00,1,1,1,1,5\n2026-01-02 11:00,1,1,1,1,5\n"
    )
    trades = tmp_path / "trades.csv"
    trades.write_text(
        "Size,EntryBar,ExitBar,EntryPrice,ExitPrice,SL,TP,PnL,ReturnPct,EntryTime,ExitTime,"
        "Duration,Tag\n"
        "1,1,2,10,11,,,1,0.1,2026-01-02 10:00:00,2026-01-02 11:00:00,0 days 01:00:00,\n"
    )
    own = tmp_path / "own.csv"
    own.write_text("When,Way,Size,Price\n2026-01-02 10:00:00,buy,1,10\n")
    columns = "time=When,side=Way,qty=Size,price=Price"

    for words in (
        ("prices", "import", str(bars)),
        ("learn", str(trades)),
        ("learn", str(own), "--columns", columns),
    ):
        refused = command(*words)
        assert refused.code == 2, refused
        assert (
            "does not say the time zone of its times and does not name its market; accepted: "
            "--zone UTC, --zone UTC+8 or --zone America/New_York; and --symbol BTCUSDT"
        ) in refused.err
