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


HEADER = "ID;Type;Time;Symbol;Comment;Amount\n"


def test_a_short_is_opened_by_a_sale_and_part_of_an_order_is_its_own_size(tmp_path: Path):
    rows = (
        "2;x;12.04.2024 13:01:46;SAP.DE;CLOSE SELL 3 @ 100.5;-301.5\n"
        "1;x;12.04.2024 13:01:45;SAP.DE;OPEN SELL 3/10.5 @ 101;303\n"
    )

    fills = fills_of(items_of(write(tmp_path, HEADER + rows), "Europe/Warsaw"))

    assert [(one.side, one.sz, one.effect, one.quote) for one in fills] == [
        ("B", 3, "close", "EUR"),
        ("A", 3, "open", "EUR"),
    ]
    assert fills[1].time_ms == 1712919705000  # 11:01:45 UTC


def test_london_is_in_the_currency_of_the_account_or_unknown(tmp_path: Path):
    london = "1;x;12.04.2024 13:01:45;CSPX.UK;OPEN BUY 2 @ 550;-1100\n"
    german = "2;x;11.04.2024 13:01:45;SAP.DE;OPEN BUY 1 @ 100;-100\n"
    converted = german.replace("-100", "-430")

    known = items_of(write(tmp_path, HEADER + london + german), "UTC")
    unknown = items_of(write(tmp_path, HEADER + london + converted), "UTC")
    other = items_of(write(tmp_path, HEADER + london.replace("-1100", "-1290") + german), "UTC")

    assert [one.quote for one in fills_of(known)] == ["EUR", "EUR"]
    assert left_out_of(unknown) == {"currency that is not known": 1}
    assert left_out_of(other) == {"currency that is not known": 1}


def test_an_impossible_date_of_a_trade_is_refused_and_of_interest_left_out(tmp_path: Path):
    interest = "1;Interest;010.09.2024 20:49:02;;x;-0.5\n"
    trade = "2;x;010.09.2024 20:49:02;SAP.DE;OPEN BUY 1 @ 100;-100\n"

    assert left_out_of(items_of(write(tmp_path, HEADER + interest), "UTC")) == {"interest": 1}
    with pytest.raises(InvalidInputError, match=r"line 3, column Time: is '010\.09\.2024"):
        items_of(write(tmp_path, HEADER + interest + trade), "UTC")


@shared_file
def test_the_cash_operations_hold_fourteen_trades():
    items = items_of(TRADES / "ghostfolio_export_xtb.csv", "Europe/Warsaw")

    none = Decimal(0)
    assert markets_of(items) == {
        # 34 + 8 + 0.5658 + 85 + 35 + 26 + 26; 399.432 + 93.984 + 6.6464526 + 997.0925 + 410.9175
        # + 294.84 + 295.10
        "SPYL.DE": MarketSum(7, Decimal("214.5658"), Decimal("-2498.0124526"), none),
        "ZAL.DE": MarketSum(2, none, Decimal("-0.12"), none),
        # one id for the purchase and the sale
        "GOOGL.US": MarketSum(2, none, none, none),
        # 16.7399 x 5.914; its two rows come twice
        "FLOA.UK": MarketSum(2, Decimal("16.7399"), Decimal("-98.9997686"), none),
        "CSPX.UK": MarketSum(1, Decimal("0.1799"), Decimal("-98.99897"), none),
    }
    left_out = left_out_of(items)
    assert left_out["repeated operation"] == 3
    assert sum(left_out.values()) == 32  # 46 rows, 14 fills
    assert {fill.quote for fill in fills_of(items) if fill.symbol != "GOOGL.US"} == {"EUR"}


def test_a_wider_sheet_with_the_same_common_words_is_not_of_this_broker(tmp_path: Path):
    wider = HEADER.replace("Amount", "Amount;Price;Quantity") + "1;x;x;BTC;;1;2;3\n"

    with pytest.raises(InvalidInputError, match="no known layout"):
        items_of(write(tmp_path, wider), "UTC")
