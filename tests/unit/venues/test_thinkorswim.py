import os
from decimal import Decimal
from pathlib import Path

import pytest

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.testing.exports import (
    MarketSum,
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


CASH = (
    "Cash Balance\n"
    "DATE,TIME,TYPE,REF #,DESCRIPTION,Misc Fees,Commissions & Fees,AMOUNT,BALANCE\n"
    '5/1/26,08:35:00,TRD,="1",BOT +2 IWM 100 (Weeklys) 1 MAY 26 210 CALL @.50,'
    "-0.04,-1.30,-100.00,1\n"
    '5/1/26,08:36:00,TRD,="2",SOLD -10 FATN @9.86,-0.01,0.00,98.60,1\n'
    '5/1/26,09:00:00,DOI,="3",DIVIDEND~FATN,,,1.00,1\n'
)
TRADED = (
    "\nAccount Trade History\n"
    ",Exec Time,Spread,Side,Qty,Pos Effect,Symbol,Exp,Strike,Type,Price,Net Price,Order Type\n"
    ",5/1/26 08:35:00,VERTICAL,BUY,+2,TO OPEN,IWM,1 MAY 26,210,CALL,.50,.10,LMT\n"
    ",,,SELL,-2,TO OPEN,IWM,1 MAY 26,215,CALL,.40,DEBIT,\n"
)


def test_cash_rows_are_read_where_the_trade_history_is_not_in_the_file(tmp_path: Path):
    items = items_of(write(tmp_path, CASH), "America/Chicago")

    assert markets_of(items) == {
        "IWM260501C00210000": MarketSum(1, Decimal(2), Decimal(-100), Decimal("1.34")),
        "FATN": MarketSum(1, Decimal(-10), Decimal("98.60"), Decimal("0.01")),
    }
    assert left_out_of(items) == {"cash DOI": 1}
    assert [fill.oid for fill in fills_of(items)] == ["1", "2"]
    # 08:35 in Chicago in May is 13:35 UTC.
    assert fills_of(items)[0].time_ms == 1777642500000


def test_each_leg_of_a_spread_has_its_price_and_the_first_the_fee(tmp_path: Path):
    items = items_of(write(tmp_path, CASH + TRADED), "America/Chicago")

    assert markets_of(items) == {
        "IWM260501C00210000": MarketSum(1, Decimal(2), Decimal(-100), Decimal("1.34")),
        "IWM260501C00215000": MarketSum(1, Decimal(-2), Decimal(80), Decimal(0)),
    }
    assert len({fill.time_ms for fill in fills_of(items)}) == 1
    # The sale of FATN is in the cash rows only.
    assert left_out_of(items) == {"row of another section": 3, "fee without its trade": 1}


def test_the_zone_of_the_platform_is_asked_for(tmp_path: Path):
    with pytest.raises(InvalidInputError, match="--zone"):
        items_of(write(tmp_path, CASH))


def test_a_bad_expiry_is_refused_with_its_line(tmp_path: Path):
    bad = write(tmp_path, CASH + TRADED.replace("1 MAY 26,215", "31 FEB 26,215"))

    with pytest.raises(InvalidInputError, match=r"line 10, column Exp"):
        items_of(bad, "UTC")


@shared_file
def test_the_account_statement_holds_six_legs():
    items = items_of(TRADES / "constructed_thinkorswim_account_statement.csv", "America/New_York")

    assert markets_of(items) == {
        "FATN": MarketSum(2, Decimal(0), Decimal(23), Decimal(0)),  # 100 x (9.86 - 9.63)
        "SPY260502P00580000": MarketSum(1, Decimal(1), Decimal(-120), Decimal(0)),
        "SPY260502P00575000": MarketSum(1, Decimal(-1), Decimal(80), Decimal(0)),
        # 2 x 100 x (0.75 - 0.50); the fee of the purchase, 0.04 + 1.30, is in the cash row
        "IWM260501C00210000": MarketSum(2, Decimal(0), Decimal(50), Decimal("1.34")),
    }
    # one row each of cash, orders and equities
    assert left_out_of(items) == {"row of another section": 3}
    assert fills_of(items)[0].effect == "close"


@shared_file
def test_spreads_of_the_cash_section_are_left_out():
    items = items_of(TRADES / "tradetally_thinkorswim_cash_balance.csv", "America/New_York")

    # 100 x (1.75 - 1.25); 1.30 each way, whether the amount holds it or not
    assert markets_of(items) == {
        "AAPL260619C00200000": MarketSum(2, Decimal(0), Decimal(50), Decimal("2.60"))
    }
    assert left_out_of(items) == {"spread with one net price": 2}


OF_MINUTES = (
    "Cash Balance\n"
    "DATE,TIME,TYPE,REF #,DESCRIPTION,Misc Fees,Commissions & Fees,AMOUNT,BALANCE\n"
    "5/1/2026,08:36:04,TRD,11,KEY: F2 BOT +12 FATN @9.86,,-0.65,-118.32,1\n"
    "5/1/2026,08:36:41,TRD,12,SOLD -12 FATN @9.96,-0.02,-0.65,119.52,1\n"
    "\nAccount Trade History\n"
    ",Exec Time,Spread,Side,Qty,Pos Effect,Symbol,Exp,Strike,Type,Price,Net Price,Order Type\n"
    ",5/1/2026 8:36,STOCK,SELL,-12,TO CLOSE,FATN,,,STOCK,9.96,9.96,LMT\n"
    ",5/1/2026 8:36,STOCK,BUY,12,TO OPEN,FATN,,,STOCK,9.86,9.86,LMT\n"
)


@pytest.mark.parametrize("hour", ["8:36", "08:36"])
def test_times_that_a_spreadsheet_cut_to_minutes_are_those_of_the_cash_rows(tmp_path, hour):
    file = write(tmp_path, OF_MINUTES.replace("2026 8:36", f"2026 {hour}"))

    fills = sorted(fills_of(items_of(file, "America/Chicago")), key=lambda fill: fill.time_ms)

    assert [(fill.side, fill.time_ms % 60_000, fill.fee) for fill in fills] == [
        ("B", 4_000, Decimal("0.65")),
        ("A", 41_000, Decimal("0.67")),
    ]


def test_a_leg_without_seconds_and_without_a_cash_row_has_no_known_fee(tmp_path):
    file = write(tmp_path, OF_MINUTES.replace("BOT +12 FATN @9.86", "BOT +7 FATN @9.86"))

    items = items_of(file, "America/Chicago")

    assert {fill.side: fill.fee_is_known for fill in fills_of(items)} == {"A": True, "B": False}
    assert left_out_of(items)["fee without its trade"] == 1
