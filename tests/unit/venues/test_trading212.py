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
    "Action,Time,ISIN,Ticker,No. of shares,Price / share,Currency (Price / share),Exchange rate,"
    "Total (GBP),Transaction fee (GBP),Finra fee,Currency (Finra fee),ID\n"
)


def test_fees_of_two_currencies_are_told_in_that_of_the_price(tmp_path: Path):
    path = write(
        tmp_path,
        HEADER + "Market sell,2021-02-01 14:30:40,X,GME,2,10,USD,1.25,15,0.80,0.10,USD,E1\n",
    )

    (fill,) = fills_of(items_of(path))

    assert fill.fee == Decimal("1.10")  # 0.80 GBP x 1.25 + 0.10 USD
    assert (fill.side, fill.px, fill.quote, fill.tid) == ("A", 10, "USD", "E1")


def test_pence_are_told_in_pounds(tmp_path: Path):
    path = write(tmp_path, HEADER + "Limit buy,2021-02-01 14:30:40,X,BARC,2,150,GBX,1,3,,,,E1\n")

    (fill,) = fills_of(items_of(path))

    assert (fill.px, fill.quote) == (Decimal("1.5"), "GBP")


def test_a_fee_without_a_rate_is_refused(tmp_path: Path):
    row = "Market sell,2021-02-01 14:30:40,X,GME,2,10,USD,Not available,15,0.80,,,E1\n"

    with pytest.raises(InvalidInputError, match="column Exchange rate"):
        items_of(write(tmp_path, HEADER + row))


@shared_file
def test_the_history_is_read_at_the_prices_of_the_market():
    items = items_of(TRADES / "kapji_trading212_2020.csv")

    assert markets_of(items) == {
        "VNRG": MarketSum(1, Decimal(1), Decimal("-10.74"), Decimal(0)),
        # 45000 - 1475 - 9000
        "GME": MarketSum(3, Decimal(0), Decimal(34525), Decimal(0)),
        "NVDA": MarketSum(1, Decimal(1), Decimal(-535), Decimal(0)),
    }
    assert left_out_of(items) == {"deposit": 2, "dividend (ordinary)": 1}
    assert {fill.quote for fill in fills_of(items)} == {"USD"}
