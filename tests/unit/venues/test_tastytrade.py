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


HEADER = (
    "Date,Type,Sub Type,Action,Symbol,Instrument Type,Description,Value,Quantity,Average Price,"
    "Commissions,Fees,Multiplier,Root Symbol,Underlying Symbol,Expiration Date,Strike Price,"
    "Call or Put,Order #,Currency\n"
)
OPTION = "UAL   260417C00110000,Equity Option,x"
BOUGHT = (
    f"2026-04-02T15:46:35+0200,Trade,Buy to Open,BUY_TO_OPEN,{OPTION},-124.00,2,-62.00,-2.00,-0.25,"
    "100,UAL,UAL,4/17/26,110,CALL,38,USD\n"
)
EXPIRED = (
    f"2026-04-17T22:00:00+0200,Receive Deliver,Expiration,,{OPTION},0.00,2,0.00,--,0.00,"
    "100,UAL,UAL,4/17/26,110,CALL,,USD\n"
)


def test_an_expiry_closes_what_the_file_opened_at_nothing(tmp_path: Path):
    fills = fills_of(items_of(write(tmp_path, HEADER + EXPIRED + BOUGHT)))

    assert [(one.side, one.px, one.effect, one.multiplier) for one in fills] == [
        ("A", 0, "close", 100),
        ("B", Decimal("0.62"), "open", 100),
    ]


def test_an_expiry_of_an_older_position_is_left_out(tmp_path: Path):
    assert left_out_of(items_of(write(tmp_path, HEADER + EXPIRED))) == {
        "option opened before the file": 1
    }


def test_the_list_of_order_chains_is_refused_with_the_export_that_works(tmp_path: Path):
    text = "Symbol,Status,MarketOrFill,Price,TIF,Time,TimeStampAtType,Order #,Description\n"

    with pytest.raises(InvalidInputError, match=r"no year.*History, Transactions"):
        items_of(write(tmp_path, text + 'PFE,Filled,1 db,1 db,Day,"11/12, 8:57p",Fill,#1,x\n'))


@shared_file
def test_the_shared_list_of_order_chains_is_refused():
    with pytest.raises(InvalidInputError, match="no year"):
        items_of(TRADES / "optiontheta_tastytrade_fills.csv")


@shared_file
def test_the_history_gives_the_money_of_its_column_value():
    items = items_of(TRADES / "constructed_tastytrade_history.csv")

    markets = {
        name: market._replace(cash=round(market.cash, 6))
        for name, market in markets_of(items).items()
    }
    assert markets == {
        # sold for 624.97 (3 x 208.33 would be 624.99), bought back for 600.00
        "IWM": MarketSum(2, Decimal(0), Decimal("24.97"), Decimal(0)),
        # two contracts sold at 0.62 and expired; 2.00 + 0.25
        "UAL260417C00110000": MarketSum(2, Decimal(0), Decimal(124), Decimal("2.25")),
    }
    assert left_out_of(items) == {"deposit": 1}
    # 16:30 at +0200
    assert fills_of(items)[0].time_ms == 1782311400000
