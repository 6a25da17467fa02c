"""Prices out of files: every bad row is named, and nothing of a bad file is kept."""

import gzip
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from pipeline.errors import InvalidInputError
from pipeline.market.bars import PRINT
from pipeline.sources import csv_file
from pipeline.sources.csv_file import read_factors, read_interval, read_prices, write_interval
from pipeline.sources.model import Series

HOUR = timedelta(hours=1)
NOW = datetime(2026, 1, 5, tzinfo=UTC)
T = 1_704_067_200_000  # 2024-01-01T00:00Z
HEAD = "t_open_ms,open,high,low,close,volume"


def rows(count: int, step: timedelta = HOUR) -> list[str]:
    return [
        f"{T + place * (step // timedelta(milliseconds=1))},10,12,9,11,5" for place in range(count)
    ]


def write(path: Path, lines: list[str], name: str = "SOLUSDT_2024_1h.csv") -> Path:
    file = path / name
    content = "\n".join([HEAD, *lines]).encode()
    file.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return file


def problems(file: Path, **options: str) -> list[str]:
    with pytest.raises(ExceptionGroup) as refused:
        read_prices(file, "file", known_by=NOW, **options)
    return [str(one) for one in refused.value.exceptions]


@pytest.mark.parametrize("name", ["SOLUSDT_2024_1h.csv", "SOLUSDT_2024_1h.csv.gz"])
def test_a_file_of_bars_says_market_and_interval_by_its_name(tmp_path, name):
    lines = [f"{T},1.3e-06,1.31e-06,1.29e-06,1.3e-06,4.1e+11", *rows(3)[1:]]

    (found,) = read_prices(write(tmp_path, lines, name), "file", known_by=NOW)

    assert found.series == Series("file", "SOLUSDT", HOUR)
    assert found.bars[0].close == Decimal("0.0000013")
    assert [bar.t_open.hour for bar in found.bars] == [0, 1, 2]


def test_options_say_it_where_the_name_does_not(tmp_path):
    file = write(tmp_path, rows(3), "export.csv")

    (found,) = read_prices(file, "file", "kPEPE", "1h", known_by=NOW)

    assert found.series == Series("file", "kPEPE", HOUR)
    with pytest.raises(InvalidInputError, match="names no market"):
        read_prices(file, "file", known_by=NOW)


@pytest.mark.parametrize(
    "row",
    [
        f"{T},NaN,12,9,11,5",
        f"{T},inf,12,9,11,5",
        f"{T},-10,12,9,11,5",
        f"{T},0,12,9,11,5",
        f"{T},10,12,0,11,5",
        f"{T},10,10.5,9,11,5",  # high below the close
        f"{T},10,12,10.5,11,5",  # low above the open
        f"{T},10,12,9,11,-5",
        f"{T},10,12,9,11",
        f"{T},10,12,9,11,5,6",
        f"{T}.0,10,12,9,11,5",
        f"{T}, 10,12,9,11,5",
        f"{T},1٠,12,9,11,5",
        "999999999999999,10,12,9,11,5",
        f"{int(NOW.timestamp() * 1000) - 3_599_999},10,12,9,11,5",  # not closed yet
        "",
    ],
)
def test_a_row_that_is_no_closed_bar_is_named(tmp_path, row):
    told = problems(write(tmp_path, [row, *rows(12)[1:]]))

    assert len(told) == 1
    assert told[0].startswith("SOLUSDT_2024_1h.csv: line 2: ")


def test_all_bad_rows_are_named_up_to_a_bound(tmp_path):
    assert len(problems(write(tmp_path, ["x"] * 3 + rows(5)))) == 3
    assert len(problems(write(tmp_path, ["x"] * 5000))) == csv_file.MOST_TOLD


def test_a_repeated_bar_counts_once_and_one_that_differs_is_refused(tmp_path):
    lines = rows(3)
    (found,) = read_prices(write(tmp_path, [*lines, lines[0]]), "file", known_by=NOW)

    assert len(found.bars) == 3
    (told,) = problems(write(tmp_path, [*lines, f"{T},10,12,9,9.5,5"]))
    assert "line 5: says something else" in told


@pytest.mark.parametrize(
    ("step", "interval"), [(timedelta(days=1), "1h"), (HOUR, "1d"), (HOUR, "30m")]
)
def test_an_interval_that_is_not_that_of_the_bars_is_refused(tmp_path, step, interval):
    """Hours said to be of a day: each would be used 23 hours late; days of an hour: too early."""
    with pytest.raises(InvalidInputError, match=r"bars .* apart, not"):
        read_prices(write(tmp_path, rows(20, step)), "file", interval=interval, known_by=NOW)


def test_prints_become_a_series_for_each_market(tmp_path):
    file = tmp_path / "prints.csv"
    file.write_text(f"time_ms,coin,price,kind\n{T},SOL,185.5,trade_entry\n{T},BTC,6e4,x\n")

    found = read_prices(file, "arena", known_by=NOW)

    assert [one.series for one in found] == [
        Series("arena", "BTC", PRINT),
        Series("arena", "SOL", PRINT),
    ]
    assert found[0].bars[0].close == 60_000
    file.write_text("time_ms,coin,price,kind\n1,SOL,-1,x\n1,S L,1,x\n1.5,SOL,1,x\n")
    assert len(problems(file)) == 3


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("A_1h.csv", b"time,open\n"),
        ("A_1h.csv", b""),
        ("A_1h.csv", HEAD.encode() + b"\n\xff\xfe"),
        ("A_1h.csv.gz", b"no gzip"),
        ("A_1h.csv.gz", gzip.compress(b"x" * 1000)[:-9]),
        ("A_1h.csv", b"\0" * 5000),
    ],
)
def test_what_is_no_file_of_prices_is_refused(tmp_path, name, content):
    file = tmp_path / name
    file.write_bytes(content)

    with pytest.raises(InvalidInputError, match=name):
        read_prices(file, "file", known_by=NOW)


def test_a_bomb_is_refused_before_it_unfolds(tmp_path, monkeypatch):
    monkeypatch.setattr(csv_file, "MOST_BYTES", 10_000)
    file = tmp_path / "A_1h.csv.gz"
    file.write_bytes(gzip.compress(f"{HEAD}\n".encode() + b"1,1,1,1,1,1\n" * 10_000))

    with pytest.raises((InvalidInputError, ExceptionGroup), match=r"too large|bad rows"):
        read_prices(file, "file", known_by=NOW)


def test_a_factor_file_says_its_market_by_its_name(tmp_path):
    file = tmp_path / "USO_factor_file.csv"
    file.write_text("20200428,1,8,2.13\n20501231,1,1,0")

    market, (split,) = read_factors(file)

    assert (market, split.ratio) == ("USO", Decimal("0.125"))


@pytest.mark.parametrize("text", ["1m", "15m", "1h", "4h", "1d", "3d"])
def test_an_interval_is_written_as_it_is_read(text):
    assert write_interval(read_interval(text)) == text


@pytest.mark.parametrize("text", ["", "h", "0h", "1w", "-1h", "1.5h", "9999d", "1 h"])
def test_an_interval_that_is_none_is_refused(text):
    with pytest.raises(InvalidInputError, match="interval"):
        read_interval(text)
