"""A table with another decimal mark gives the same trades or a question: never other trades."""

import csv
import io
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, date
from decimal import Decimal
from pathlib import Path

import pytest

from afterword.pipeline.domain.documents.document import open_document
from afterword.pipeline.domain.exports.read import read_export
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.layout import LeftOut, Origin
from afterword.pipeline.errors import InvalidInputError

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
FOLDERS = (
    Path(__file__).parent / "samples",
    SHARED / "data/exports/trades",
    SHARED / "data/public",
)
FILES = [
    file
    for folder in FOLDERS
    if folder.exists()
    for file in sorted(folder.iterdir())
    if file.suffix == ".csv"
]
SIZES = dict.fromkeys(("XYZM6", "MNQM6", "MNQU6"), Decimal(2))
NUMBER = re.compile(
    r"([^0-9A-Za-z]{0,3})([1-9][0-9]{0,2}(?:,[0-9]{3})+|[0-9]+)(\.[0-9]+)?([^0-9]{0,8})"
)


def trades(file: Path) -> list:
    """Return what a file trades, without the rows as they are written."""
    origin = Origin(file.name, "me", UTC, day=date(2026, 3, 31), contract_sizes=SIZES)
    try:
        items = list(read_export(file, origin)[1])
    except InvalidInputError as asked:
        if "--symbol" not in asked.accepted:
            raise
        items = list(read_export(file, replace(origin, symbol="BTCUSDT"))[1])
    made = (item for item in items if not isinstance(item, LeftOut))
    return [
        item._replace(raw="", line=0) if isinstance(item, Fill) else replace(item, raw="", line=0)
        for item in made
    ]


def with_comma(cell: str) -> str:
    """Return a cell as a spreadsheet of a country with decimal commas saves it."""
    number = NUMBER.fullmatch(cell)
    if number is None:
        return cell
    before, whole, part, behind = number.groups()
    return f"{before}{whole.replace(',', '')}{(part or '').replace('.', ',')}{behind}"


def save(file: Path, rows: Iterable[list[str]], delimiter: str) -> Path:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter).writerows(rows)
    file.write_text(text.getvalue())
    return file


def parts_of(rows: list[list[str]]) -> Iterator[list[list[str]]]:
    """Yield the whole table, and each of its first rows alone: less says its mark there."""
    yield rows
    header = next(at for at, row in enumerate(rows) if sum(map(has_word, row)) > 2)
    yield from ([*rows[: header + 1], row] for row in rows[header + 1 : header + 30])


def has_word(cell: str) -> bool:
    return re.search("[A-Za-z]{3}", cell) is not None


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_decimal_commas_give_the_same_trades_or_a_question(tmp_path, file):
    document = open_document(file)
    text = file.read_text(document.encoding)
    rows = list(csv.reader(io.StringIO(text), delimiter=document.delimiter))
    for part in parts_of(rows):
        try:
            wanted = trades(save(tmp_path / file.name, part, document.delimiter))
            written = [[with_comma(cell) for cell in row] for row in part]
            read = trades(save(tmp_path / file.name, written, ";"))
        except InvalidInputError:
            continue

        assert read == wanted


KRAKEN = (
    "txid;ordertxid;pair;time;type;ordertype;price;cost;fee;vol;margin;misc;ledgers\n"
    "T1;O1;XBTUSD;2025-01-02 10:00:00;buy;limit;{price};1;0;{size};0;;L1\n"
    "T2;O2;XBTUSD;2025-01-03 10:00:00;sell;limit;{price};1;0;{size};0;;L2\n"
)


@pytest.mark.parametrize("price", ["64000", "64000,5"])
def test_a_comma_behind_a_zero_is_a_decimal_mark(command, tmp_path, price):
    file = tmp_path / "trades.csv"
    file.write_text(KRAKEN.format(price=price, size="0,125"))

    done = command("--json", "learn", str(file))

    assert done.json["outcomes"][0]["trip"]["size"] == "0.125"


def test_a_known_export_with_numbers_of_two_readings_asks_for_its_mark(command, tmp_path):
    file = tmp_path / "trades.csv"
    file.write_text(KRAKEN.format(price="64000", size="1,125"))

    refused = command("learn", str(file))
    assert refused.code == 2 and "line 2, column vol" in refused.err
    assert "--decimal . or --decimal ," in refused.err
    by_comma = command("--json", "learn", str(file), "--decimal", ",")
    by_point = command("--json", "learn", str(file), "--decimal", ".")

    sizes = [done.json["outcomes"][0]["trip"]["size"] for done in (by_comma, by_point)]
    assert sizes == ["1.125", "1125"]


def test_a_number_far_below_the_head_says_the_mark_of_a_table(command, tmp_path):
    rows = [f"2025-01-0{1 + at % 2} {at // 60:02}:{at % 60:02}:00" for at in range(200)]
    lines = [f"{when};SOL/USDT;buy;1,250;100" for when in rows]
    file = tmp_path / "mine.csv"
    file.write_text("\n".join(["Time;Symbol;Side;Qty;Price", *lines, lines[0][:-9] + "1,5;100"]))
    columns = "time=Time,symbol=Symbol,side=Side,qty=Qty,price=Price,fee:0"

    done = command("learn", str(file), "--columns", columns, "--zone", "UTC")

    assert "It cost 25,150.00 USDT" in done.out  # 200 of 1.25 and one of 1.5, at 100
