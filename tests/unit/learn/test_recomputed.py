"""Every number of `learn --json` is computed a second time, from the fills of a made export."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from afterword.pipeline.testing.trade_files import write_trade_files
from tests.unit.learn.recomputed import (
    binance_fills,
    book_of,
    cells_of,
    labels_of,
    said_by_trip,
    stretches_of,
    trips_of,
)

EXACT = ("trips", "n_eff", "others", "is_beyond_market", "gross_micro_usd", "net_micro_usd")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("export")
    return write_trade_files(folder, 260, parts=2, flaw=0.02)


@pytest.fixture
def told(made, command, clock):
    clock.set(datetime(2025, 6, 1, tzinfo=UTC))
    done = command("learn", str(made.trades), *map(str, made.prices), "--json")
    assert done.code == 0, done.err
    return done.json


def near(name, number):
    is_exact = number is None or name in EXACT
    return number if is_exact else pytest.approx(number, rel=1e-4, abs=1e-9)


def test_the_numbers_of_a_report_are_those_of_its_fills(made, told):
    trips = trips_of(binance_fills(made.trades))
    said = said_by_trip(told)
    for one in trips:
        one.said = said[one.symbol, one.opened]
        assert Decimal(one.said["trip"]["net"]) == one.net
    report = told["trades"]
    (sums,) = report["sums"]
    assert Decimal(sums["net"]) == sum(one.net for one in trips)
    assert Decimal(sums["gross"]) == sum(one.gross for one in trips)
    assert Decimal(sums["fees"]) == sum(one.fees for one in trips)
    assert sums["winners"] == sum(one.net > 0 for one in trips)

    stretches = stretches_of(trips, labels_of(trips, lambda symbol: symbol.removesuffix("USDT")))
    ours = cells_of(stretches)
    theirs = {
        (one["attribute"], one["value"]): one for one in [*report["named"], *report["looked_at"]]
    }
    assert ours.keys() == theirs.keys()
    for key, numbers in ours.items():
        for name, number in numbers.items():
            assert (key, name, theirs[key][name]) == (key, name, near(name, number))
    assert report["tried"] == sum(one["p"] is not None for one in ours.values()) + 1
    assert [(one["attribute"], one["value"]) for one in report["named"]] == [("hour", "12-16")]
    for name, number in book_of(stretches).items():
        assert (name, report["book"][name]) == (name, near(name, number))


def test_a_file_of_four_fills_a_side_has_the_verdict_of_the_file_of_one(tmp_path, command, clock):
    clock.set(datetime(2025, 6, 1, tzinfo=UTC))
    found = []
    for parts in (1, 4):
        folder = tmp_path / str(parts)
        folder.mkdir()
        made = write_trade_files(folder, 260, parts=parts, flaw=0.02)
        done = command("learn", str(made.trades), *map(str, made.prices), "--json")
        found.append(done.json["trades"])
    whole, cut = found
    cells = [
        [(one["attribute"], one["value"], one["n_eff"], near("z", one["z"])) for one in every]
        for every in (whole["named"], whole["looked_at"])
    ]
    assert [
        [(one["attribute"], one["value"], one["n_eff"], one["z"]) for one in every]
        for every in (cut["named"], cut["looked_at"])
    ] == cells
    assert whole["tried"] == cut["tried"] > 30
