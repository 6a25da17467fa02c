"""Prices out of files: every bad row is named, and nothing of a bad file is kept."""

import gzip
import tracemalloc
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.clock import EPOCH
from afterword.pipeline.domain.prices import csv_file
from afterword.pipeline.domain.prices.csv_file import read_factors, read_prices
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.prices.intervals import read_interval, write_interval
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.bars import PRINT, misshapen

HOUR, MS = timedelta(hours=1), timedelta(milliseconds=1)
NOW = datetime(2026, 1, 5, tzinfo=UTC)
T = 1_704_067_200_000  # 2024-01-01T00:00Z
HEAD = "t_open_ms,open,high,low,close,volume"


def rows(count: int, step: timedelta = HOUR) -> list[str]:
    return [
        f"{T + place * (step // timedelta(milliseconds=1))},10,12,9,11,5" for place in range(count)
    ]


def write(path: Path, lines: list[str], name: str = "SOLUSDT_2024_1h.csv") -> Path:
    file = path / name
    content = "\n".join([HEAD, *lines]).encode("utf-8", "surrogateescape")
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
    with pytest.raises(InvalidInputError, match="must begin with its market"):
        read_prices(file, "file", known_by=NOW)


@pytest.mark.parametrize(
    ("row", "named"),
    [
        (f"{T},NaN,12,9,11,5", "open must be a plain number, got 'NaN'"),
        (f"{T},inf,12,9,11,5", "open must be a plain number, got 'inf'"),
        (f"{T},-10,12,9,11,5", "open must be a plain number, got '-10'"),
        (f"{T},0,12,9,11,5", "open 0, which is not above 0"),
        (f"{T},10,12,0,11,5", "low 0, which is not above 0"),
        (f"{T},10,10.5,9,11,5", "high 10.5, which is below its close 11"),
        (f"{T},10,8,9,9.5,5", "high 8, which is below its open 10"),
        (f"{T},10,12,10.5,12,5", "low 10.5, which is above its open 10"),
        (f"{T},10,12,9,11,-5", "volume must be a plain number, got '-5'"),
        (f"{T},10,12,9,11,", "volume must be a plain number, got ''"),
        (f"{T},10,12,9,11", "has 5 fields"),
        (f"{T},10,12,9,11,5,6", "has 7 fields"),
        (f"{T}.0,10,12,9,11,5", f"t_open_ms must be a whole number of milliseconds, got '{T}.0'"),
        (f"-{T},10,12,9,11,5", f"t_open_ms must be a whole number of milliseconds, got '-{T}'"),
        (f"{T}, 10,12,9,11,5", "open must be a plain number, got ' 10'"),
        (f"{T},1٠,12,9,11,5", r"open must be a plain number, got '1\u0660'"),
        (f"{T},10,12,\udcff9,11,5", r"low must be a plain number, got '\\xff9'"),
        ("999999999999999,10,12,9,11,5", "t_open_ms is 999999999999999, after the year 9999"),
        (f"{int(NOW.timestamp() * 1000) - 3_599_999},10,12,9,11,5", "not yet"),
        ("", "has 1 fields"),
    ],
)
def test_a_row_that_is_no_closed_bar_is_named_with_its_field(tmp_path, row, named):
    told = problems(write(tmp_path, [row, *rows(12)[1:]]))

    assert len(told) == 1
    assert told[0].startswith("SOLUSDT_2024_1h.csv: line 2: ")
    assert named in told[0]


def test_all_bad_rows_are_named_up_to_a_bound(tmp_path):
    assert len(problems(write(tmp_path, ["x"] * 3 + rows(5)))) == 3
    assert len(problems(write(tmp_path, ["x"] * 5000))) == csv_file.NAMED_ROWS


def test_a_repeated_bar_counts_once_and_one_that_differs_is_refused(tmp_path):
    lines = rows(3)
    (found,) = read_prices(write(tmp_path, [*lines, lines[0]]), "file", known_by=NOW)

    assert len(found.bars) == 3
    (told,) = problems(write(tmp_path, [*lines, f"{T},10,12,9,9.5,5"]))
    assert f"line 5: t_open_ms {T} has other prices than in an earlier line" in told


@pytest.mark.parametrize(
    ("step", "interval"), [(timedelta(days=1), "1h"), (HOUR, "1d"), (HOUR, "30m")]
)
def test_an_interval_that_is_not_that_of_the_bars_is_refused(tmp_path, step, interval):
    """Hours said to be of a day: each would be used 23 hours late; days of an hour: too early."""
    with pytest.raises(InvalidInputError, match=rf"line 3: t_open_ms {T + step // MS} is .*, not"):
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
        ("A_1h.csv", HEAD.encode("utf-16")),
        ("A_1h.csv.gz", b"no gzip"),
        ("A_1h.csv.gz", gzip.compress(b"x" * 1000, mtime=0)[:-9]),
        ("A_1h.csv", b"\0" * 5000),
    ],
)
def test_what_is_no_file_of_prices_is_refused(tmp_path, name, content):
    file = tmp_path / name
    file.write_bytes(content)

    with pytest.raises(InvalidInputError, match=name):
        read_prices(file, "file", known_by=NOW)


@pytest.mark.parametrize(
    ("unfolds", "problem"), [(b"1,1,1,1,1,1\n", "is too large"), (b"\0", "does not end")]
)
def test_a_bomb_is_refused_before_it_unfolds(tmp_path, monkeypatch, unfolds, problem):
    monkeypatch.setattr(csv_file, "FORM_BYTES", 500_000)
    file = tmp_path / "A_1h.csv.gz"
    file.write_bytes(gzip.compress(f"{HEAD}\n".encode() + unfolds * 1_000_000))

    tracemalloc.start()
    with pytest.raises(InvalidInputError, match=problem):
        read_prices(file, "file", known_by=NOW)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 2_000_000


@given(
    order=st.permutations(range(20)),
    again=st.sets(st.integers(0, 19)),
    gap=st.sets(st.integers(1, 18), max_size=5),
    ends=st.sampled_from(["\n", "\r\n"]),
    mark=st.sampled_from(["", "\ufeff"]),
    zipped=st.booleans(),
    tail=st.booleans(),
)
def test_order_repeats_gaps_and_line_ends_make_no_other_bars(
    tmp_path_factory, order, again, gap, ends, mark, zipped, tail
):
    """What can only be read one way is read, however the file was written."""
    there = [row for place, row in enumerate(rows(20)) if place not in gap]
    lines = [rows(20)[place] for place in [*order, *again] if place not in gap]
    content = (mark + ends.join([HEAD, *lines]) + ends * tail).encode()
    file = tmp_path_factory.mktemp("prices") / f"SOLUSDT_1h.csv{'.gz' * zipped}"
    file.write_bytes(gzip.compress(content) if zipped else content)

    (found,) = read_prices(file, "file", known_by=NOW)

    assert [(bar.t_open - EPOCH) // MS for bar in found.bars] == [
        int(row.split(",")[0]) for row in there
    ]


@given(
    place=st.integers(0, 11),
    field=st.integers(0, 5),
    value=st.text("0123456789.,eE+-naif \t\"'\r\0é", max_size=12),
)
def test_one_spoilt_field_is_a_sound_bar_still_or_is_named(tmp_path_factory, place, field, value):
    lines = [row.split(",") for row in rows(12)]
    lines[place][field] = value
    file = write(tmp_path_factory.mktemp("prices"), [",".join(row) for row in lines])

    try:
        (found,) = read_prices(file, "file", known_by=NOW)
    except ExceptionGroup as refused:
        assert f"line {place + 2}: " in str(refused.exceptions[0])
        assert any(name in str(refused.exceptions[0]) for name in (*HEAD.split(","), "fields"))
    except InvalidInputError as refused:  # a moment of its own, off the others' beat
        assert field == 0 and "t_open_ms" in str(refused)
    else:
        assert all(misshapen(bar) is None for bar in found.bars)
        assert len(found.bars) in (11, 12)


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
