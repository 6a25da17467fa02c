"""The order of a file's rows: reversed, or shuffled inside a moment, they fill the same tables."""

import random
from itertools import chain
from typing import Any

import pytest
from sqlalchemy import text

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.exports.import_export import import_export
from afterword.pipeline.domain.exports.mapping import ColumnMapping
from afterword.pipeline.domain.layouts.layout import Origin

HEADER = "Date,Pair,Type,Amount,Price,Fee,Note"
COLUMNS = "time=Date,symbol=Pair,side=Type,qty=Amount,price=Price,fee=Fee"
TABLES = (
    "SELECT fill_uid, ts_ms, rank_in_ms, order_in_ms, side, size, price, fee, raw_json, kind, quote"
    " FROM perps_fills ORDER BY 1",
    "SELECT trip_uid, digest, fills, net FROM round_trips WHERE superseded_at IS NULL ORDER BY 1",
    "SELECT content, metadata FROM memories WHERE superseded_at IS NULL ORDER BY 1, 2",
    "SELECT trade_uid, trip_uid, label, raw_json FROM closed_trades ORDER BY 1",
    "SELECT first_ms, last_ms, first_equal, last_equal FROM history_files",
)


@pytest.fixture
def tables(stores, tmp_path, clock, ids):
    """Import rows into a group of their own, and return what is stored then."""

    def stored(name: str, rows: list[str], columns: str, header: str = HEADER) -> Any:
        path = tmp_path / f"{name}.csv"
        path.write_text("\n".join([header, *rows, ""]))
        store = stores.group(name, create=True)
        mapping = ColumnMapping.parse(columns, zone="UTC")
        import_export(store, path, Origin("x", "me"), clock, ids, mapping=mapping)
        with reading(store) as conn:
            return [[tuple(row) for row in conn.execute(text(query))] for query in TABLES]

    return stored


def made(chance: random.Random, moments: int, *, ids: bool) -> list[list[str]]:
    """Return rows by moment: some fills of a moment are equal but for their fee and note."""
    found, number = [], 0
    for minute in range(moments):
        rows = []
        for _ in range(chance.randint(1, 4)):
            number += 1
            side, price = chance.choice(("BUY", "SELL")), chance.choice(("100", "101"))
            row = f"2026-01-01 10:{minute:02}:00,BTC/USDT,{side},1,{price},0.{number % 3}"
            rows.append(f"{row},{number if ids else chance.choice('abc')}")
        found.append(rows)
    return found


@pytest.mark.parametrize("seed", range(12))
def test_a_file_whose_rows_are_reversed_fills_the_same_tables(tables, seed):
    rows = [row for moment in made(random.Random(seed), 9, ids=False) for row in moment]

    assert tables("a", rows, COLUMNS) == tables("b", rows[::-1], COLUMNS)


@pytest.mark.parametrize("seed", range(12))
def test_rows_with_ids_that_are_shuffled_inside_their_moments_fill_the_same_tables(tables, seed):
    chance = random.Random(seed)
    moments = made(chance, 9, ids=True)
    shuffled = [chance.sample(rows, len(rows)) for rows in moments]
    columns = f"{COLUMNS},id=Note"

    once = tables("a", list(chain(*moments)), columns)

    assert tables("b", list(chain(*shuffled)), columns) == once
    assert tables("c", list(chain(*shuffled))[::-1], columns) == once


@pytest.mark.parametrize("seed", range(6))
def test_equal_fills_of_a_moment_are_named_alike_in_any_order(tables, seed):
    chance = random.Random(seed)
    start = "2026-01-01 10:00:00,BTC/USDT,BUY,1,100"
    equal = [f"{start},0.{number % 4},{chance.choice('abc')}" for number in range(6)]
    after = "2026-01-01 11:00:00,BTC/USDT,SELL,6,110,1,z"
    shuffled = chance.sample(equal, len(equal))

    assert tables("a", [*equal, after], COLUMNS) == tables("b", [*shuffled, after], COLUMNS)


def test_equal_closed_trades_are_named_alike_in_any_order(tables):
    header = "Date,Pair,Type,Amount,In,Out,Net,Note"
    columns = (
        "closed=Date,symbol=Pair,direction=Type,qty=Amount,entry=In,exit=Out,net=Net,label=Note"
    )
    rows = [f"2026-01-01 10:00:00,BTC/USDT,long,1,100,110,10,{note}" for note in "abca"]

    assert tables("a", rows, columns, header) == tables("b", rows[::-1], columns, header)


@pytest.mark.parametrize("seed", range(2))
def test_a_reversed_file_is_given_the_same_report_to_the_byte(command, tmp_path, seed):
    chance = random.Random(seed)
    rows = list(chain(*made(chance, 40, ids=False)))
    said = []
    for name, ordered in (("a", rows), ("b", rows[::-1])):
        path = tmp_path / name / "fills.csv"
        path.parent.mkdir()
        path.write_text("\n".join([HEADER, *ordered, ""]))
        line = ("learn", str(path), "--columns", COLUMNS, "--zone", "UTC", "--json")
        said.append(command(*line).out)

    assert '"trips": 0' not in said[0].split('"looked_at"')[0]
    assert said[0] == said[1]
