import os
from decimal import Decimal
from pathlib import Path

import pytest

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.testing.exports import (
    fills_of,
    items_of,
    left_out_of,
    markets_of,
)

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
TRADES = SHARED / "data" / "exports" / "trades"
shared_file = pytest.mark.skipif(not TRADES.is_dir(), reason="no shared folder with exports")


def write(tmp_path: Path, text: str, name: str = "export.csv") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


HEADER = "Date,Action,Symbol,Description,Quantity,Price,Fees & Comm,Amount\n"


def test_a_day_is_read_from_its_last_row_up(tmp_path: Path):
    rows = (
        "03/05/2024,Sell,FOO,x,2,$13.00,,$26.00\n"
        "03/05/2024,Buy,FOO,x,1,$12.00,,-$12.00\n"
        "03/04/2024,Sell,FOO,x,1,$11.00,,$11.00\n"
        "03/04/2024,Buy,FOO,x,2,$10.00,,-$20.00\n"
    )

    fills = fills_of(items_of(write(tmp_path, HEADER + rows)))

    assert [fill.px for fill in fills] == [12, 13, 10, 11]
    # 4 March, 00:00 in New York
    assert fills[2].time_ms == 1709528400000


def test_a_file_that_runs_forward_is_read_forward(tmp_path: Path):
    rows = (
        "03/04/2024,Buy,FOO,x,2,$10.00,,-$20.00\n"
        "03/04/2024,Sell,FOO,x,1,$11.00,,$11.00\n"
        "03/05/2024,Sell,FOO,x,1,$12.00,,$12.00\n"
    )

    fills = fills_of(items_of(write(tmp_path, HEADER + rows)))

    assert [fill.px for fill in fills] == [10, 11, 12]


def test_a_printed_price_gives_way_to_the_amount(tmp_path: Path):
    row = "03/04/2024,Sell,FOO,x,300,$135.0071,$1.34,$40500.94\n"

    (fill,) = fills_of(items_of(write(tmp_path, HEADER + row)))

    # 40500.94 + 1.34 = 40502.28; the printed price gives 40502.25
    assert round(fill.px * fill.sz, 6) == Decimal("40502.28")
    assert fill.fee == Decimal("1.34")


def test_a_row_that_contradicts_itself_is_left_out(tmp_path: Path):
    row = "03/04/2024,Sell,FOO,x,300,$135.00,,$405.00\n"

    assert left_out_of(items_of(write(tmp_path, HEADER + row))) == {"amount and price disagree": 1}


def test_an_option_that_expires_is_closed_at_nothing(tmp_path: Path):
    rows = (
        "01/17/2026 as of 01/16/2026,Expired,FOO 01/16/2026 20.00 C,x,2,,,\n"
        "01/02/2026,Sell to Open,FOO 01/16/2026 20.00 C,x,2,$0.50,$1.30,$98.70\n"
    )

    fills = fills_of(items_of(write(tmp_path, HEADER + rows)))

    assert [(one.symbol, one.side, one.px, one.sz, one.effect) for one in fills] == [
        ("FOO260116C00020000", "B", 0, 2, "close"),
        ("FOO260116C00020000", "A", Decimal("0.50"), 2, "open"),
    ]
    assert fills[0].time_ms == 1768539600000  # 16 January, 00:00 in New York


def test_a_bad_day_is_refused_with_its_line(tmp_path: Path):
    row = "13/04/2024,Sell,FOO,x,1,$1.00,,$1.00\n"

    with pytest.raises(InvalidInputError, match=r"line 2, column Date"):
        items_of(write(tmp_path, HEADER + row))


@shared_file
def test_the_transactions_of_2023_add_up_to_their_amounts():
    items = items_of(TRADES / "kapji_schwab_transactions_2023.csv")

    markets = {
        name: (market.fills, market.net, round(market.cash, 6), market.fees)
        for name, market in markets_of(items).items()
    }
    assert markets == {
        # amounts -40503.61 + 42103.66 = 1600.05, and 2 x 1.34 of fees before it
        "BAR": (2, 0, Decimal("1602.73"), Decimal("2.68")),
        # -45061.70 + 49998.85 = 4937.15, and 1.23
        "FOO": (2, 0, Decimal("4938.38"), Decimal("1.23")),
        # -208166.93 + 221456.59 = 13289.66, and 1.12 + 1.20
        "QUX": (2, 0, Decimal("13291.98"), Decimal("2.32")),
    }
    assert left_out_of(items) == {"moneylink transfer": 1}


@shared_file
def test_reinvested_shares_are_bought_and_other_actions_left_out():
    items = items_of(TRADES / "ghostfolio_export_schwab.csv")

    markets = markets_of(items)
    assert len(fills_of(items)) == 43  # 40 reinvestments, 1 purchase, 2 sales
    # 1.6531 + 1.5705 + 1.5750 + 2.2990; 694.48 + 716.12 + 655.98 + 932.07
    assert markets["SPY"].net == Decimal("7.0976")
    assert round(markets["SPY"].cash, 4) == Decimal("-2998.65")
    # bought 12.4 + 14.396 + 14.539 + 14.356 + 14.445 + 14.855 = 84.991, sold 592.199;
    # 5000.00 + 10.00 of fee - (102.30 + 123.37 + 121.69 + 122.31 + 122.35 + 127.46 = 719.48)
    assert markets["FIHBX"].net == Decimal("-507.208")
    assert round(markets["FIHBX"].cash, 4) == Decimal("4290.52")
    assert markets["FIHBX"].fees == 10
    assert markets["SNAXX"].net == Decimal("-496428.62")  # 3706.38 - 500135
    assert markets["AVGO"].cash == -1680
    left_out = left_out_of(items)
    assert sum(left_out.values()) == 77  # of 120 rows
    assert (left_out["reinvest dividend"], left_out["advisor fee"], left_out["total"]) == (
        29,
        10,
        1,
    )
    assert left_out["stock split"] == left_out["spin-off"] == left_out["journaled shares"] == 1


@pytest.mark.parametrize(
    ("action", "quantity"),
    [("Cash Merger Adj", "-4"), ("Stock Plan Activity", "4"), ("Journaled Shares", "4")],
)
def test_units_that_came_or_went_untraded_leave_no_cost_and_no_result(
    command, tmp_path: Path, action, quantity
):
    rows = (
        "03/08/2024,Sell,FOO,x,2,$13.00,,$26.00\n"
        f"03/06/2024,{action},FOO,x,{quantity},,,\n"
        "03/04/2024,Buy,FOO,x,2,$10.00,,-$20.00\n"
        "03/04/2024,Buy,BAR,x,2,$10.00,,-$20.00\n"
    )
    file = write(tmp_path, HEADER + rows)

    told = command("--json", "learn", str(file)).json

    (outcome,) = told["outcomes"]
    assert outcome["trip"]["is_incomplete"]
    assert "share_split" in outcome["trip"]["flags"]
