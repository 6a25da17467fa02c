"""Exports and files of prices are told apart by what they hold, never by where they stand."""

import gzip
from datetime import UTC, datetime
from pathlib import Path

import pytest

from afterword.pipeline.domain.exports.mapping import ColumnMapping
from afterword.pipeline.domain.layouts.layout import Origin
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.learn.files import ReadingOptions, SortedFiles, sort_files
from afterword.pipeline.testing.trade_files import write_trade_files

NOW = datetime(2026, 11, 22, tzinfo=UTC)


def sorted_files(*paths: Path, prices: tuple[Path, ...] = (), **changed: object) -> SortedFiles:
    options = ReadingOptions(Origin("", "main", None, changed.pop("symbol", None)), **changed)
    return sort_files(paths, prices, options, NOW)


def names(found: SortedFiles) -> tuple[list[str], list[str]]:
    return [one.name for one in found.trades], [name for name, _ in found.prices]


def test_trades_and_prices_may_be_mixed(tmp_path: Path):
    made = write_trade_files(tmp_path, 4, markets=("BTCUSDT", "SOLUSDT"))
    packed = tmp_path / "ETHUSDT_2024_1h.csv.gz"
    packed.write_bytes(gzip.compress(made.prices[0].read_bytes()))

    found = sorted_files(made.prices[0], made.trades, packed, prices=(made.prices[1],))

    assert names(found) == (
        [made.trades.name],
        [made.prices[1].name, made.prices[0].name, packed.name],
    )
    assert {one.series.symbol for _, series in found.prices for one in series} == {
        *("BTCUSDT", "SOLUSDT", "ETHUSDT")
    }


def test_a_market_named_on_the_line_is_that_of_a_file_of_prices_without_one(tmp_path: Path):
    (made,) = write_trade_files(tmp_path, 4, markets=("BTCUSDT",)).prices
    nameless = made.rename(tmp_path / "x_1h.csv")

    found = sorted_files(nameless, symbol="SOLUSDT")

    assert [one.series.symbol for _, series in found.prices for one in series] in (
        ["SOLUSDT"],
        ["x"],
    )


def test_a_bad_row_of_prices_is_named_and_not_taken_for_trades(tmp_path: Path):
    (made,) = write_trade_files(tmp_path, 4, markets=("BTCUSDT",)).prices
    lines = made.read_text().splitlines()
    made.write_text("\n".join([*lines[:5], "nonsense", *lines[5:]]) + "\n")

    with pytest.raises((InvalidInputError, ExceptionGroup), match=r"BTCUSDT|bad"):
        sorted_files(made)


def test_a_file_that_is_neither_is_refused_as_an_export(tmp_path: Path):
    path = tmp_path / "letter.csv"
    path.write_text("Dear,Sir\n1,2\n")

    with pytest.raises(InvalidInputError, match=r"letter\.csv"):
        sorted_files(path)


def test_a_file_whose_columns_are_named_holds_trades(tmp_path: Path):
    path = tmp_path / "own.csv"
    path.write_text("When,What,How,Units,At\n2024-01-01 00:00:00,SOL,buy,1,100\n")
    mapping = ColumnMapping.parse("time=When,symbol=What,side=How,qty=Units,price=At", zone="UTC")

    assert names(sorted_files(path, mapping=mapping)) == ([path.name], [])
