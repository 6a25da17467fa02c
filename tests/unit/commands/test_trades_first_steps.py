"""The first steps with trades that are kept: empty answers say why they are empty."""

import re

import pytest

from afterword.pipeline.testing.trade_files import write_trade_files


@pytest.fixture
def kept(command, tmp_path):
    made = write_trade_files(tmp_path, 12, markets=("SOLUSDT",))
    assert command("learn", str(made.trades), "--keep").code == 0


@pytest.mark.parametrize(
    "narrowed", [("--asset", "XX"), ("--tag", "none"), ("--since", "2030-01-01T00:00:00Z")]
)
def test_a_list_that_was_narrowed_to_nothing_does_not_ask_for_an_import(command, kept, narrowed):
    assert command("trades", "ls", *narrowed).out == "no trade fits\n"


def test_a_month_without_trades_says_where_the_older_ones_are(command, kept):
    said = command("trades", "stats").out

    assert said.startswith("All trades that are kept, closed from 2024-01-21 to 2024-01-30 (UTC)\n")
    recent = command("trades", "profile").out
    assert " ".join(recent.split()) == (
        "No trade of the last 30 days is known. Older trades: `afterword trades ls`"
    )


def test_trips_become_decisions_of_a_role_that_is_named(command, kept):
    told = command("role", "record", "--from-trips")

    assert (told.code, told.out) == (2, "")
    assert "role: is missing; accepted: one of `afterword role list`" in told.err


@pytest.fixture
def turned(command, tmp_path):
    """Trades of the last days: a long, turned into a short by one fill."""
    path = tmp_path / "t.csv"
    path.write_text(
        "Time,Pair,Side,Qty,Price\n"
        "2026-01-01 10:00:00,SOLUSDT,buy,1,100\n2026-01-01 11:00:00,SOLUSDT,sell,3,110\n"
        "2026-01-01 12:00:00,SOLUSDT,buy,2,100\n"
    )
    columns = "time=Time,symbol=Pair,side=Side,qty=Qty,price=Price,kind:perp"
    told = command("learn", str(path), "--columns", columns, "--zone", "UTC", "--keep")
    assert told.code == 0


def test_a_fill_that_turned_a_position_is_explained_where_it_is_listed(command, turned):
    (short, _) = command("trades", "ls", "--json").json
    said = command("trades", "show", short["trip"]["trip_uid"]).out

    assert "A fill that turned the position belongs to two trades; both list it whole." in said


def test_the_profile_says_what_its_counts_are_of(command, turned):
    said = command("trades", "profile").out

    assert "2, 2 won (100 %), net $30.00 after fees and funding, of those in dollars" in (
        " ".join(said.split())
    )
    assert re.search(r"^ *trades +3$", said, re.M)


def test_a_line_of_the_report_lists_all_its_trades(command, tmp_path):
    made = write_trade_files(tmp_path, 80, markets=("SOLUSDT",))
    command("learn", str(made.trades), "--keep")

    assert len(command("trades", "ls", "--cell", "asset=SOL", "--json").json) == 80
    assert len(command("trades", "ls", "--json").json) == 50
