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


HEADER = "Datum,Tijd,Valutadatum,Product,ISIN,Omschrijving,FX,Mutatie,,Saldo,,Order Id\n"


def row(described: str, amount: str, order: str = "o1", currency: str = "EUR") -> str:
    at = "15-12-2022,16:55,15-12-2022,X,US01"
    return f'{at},"{described}",,{currency},"{amount}",EUR,"1,00",{order}\n'


def test_of_the_rows_of_an_order_one_is_the_trade_and_one_its_fee(tmp_path: Path):
    rows = (
        row("Valuta Debitering", "-31,91", "o-")
        + ",,,,,,,,,,,1\n"
        + row("DEGIRO Transactiekosten en/of kosten van derden", "-1,00", "o-1")
        + row("Koop 1 @ 33,9 USD", "-33,90", "o-1", "USD")
    )

    items = items_of(write(tmp_path, HEADER + rows), "Europe/Amsterdam")

    (fill,) = fills_of(items)
    assert (fill.side, fill.sz, fill.px, fill.quote) == ("B", 1, Decimal("33.9"), "USD")
    assert (fill.fee, fill.fee_token, fill.oid) == (1, "EUR", "o-1")
    assert fill.time_ms == 1671119700000  # 15:55 UTC
    assert left_out_of(items) == {"leg of an order": 1}


@pytest.mark.parametrize(
    ("described", "amount", "size", "price"),
    [
        ("Koop 1.000 @ 2,5 EUR", "-2500,00", 1000, "2.5"),
        ("Buy 1,000 X@2.5 EUR (US01)", "-2500.00", 1000, "2.5"),
        ("Achat 1 046,5 X@2 EUR (US01)", "-2093,00", "1046.5", "2"),
        ("Sell 4 AVIVA@496 GBX (US01)", "19.84", 4, "4.96"),
    ],
)
def test_the_amount_tells_a_decimal_mark_from_a_separator(
    tmp_path: Path, described: str, amount: str, size: str, price: str
):
    path = write(tmp_path, HEADER + row(described, amount))

    (fill,) = fills_of(items_of(path, "UTC"))

    assert (fill.sz, fill.px) == (Decimal(size), Decimal(price))


def test_a_change_of_a_product_is_no_trade(tmp_path: Path):
    path = write(tmp_path, HEADER + row("PRODUCTWIJZIGING : Koop 500 @ 0,039 EUR", "0", ""))

    assert left_out_of(items_of(path, "UTC")) == {"change of a product": 1}


def test_an_order_that_contradicts_itself_is_left_out_with_its_fee(tmp_path: Path):
    rows = row("DEGIRO Transactiekosten", "-9,00") + row("Koop 30 @ 22,4 EUR", "-9999,99")

    assert left_out_of(items_of(write(tmp_path, HEADER + rows), "UTC")) == {
        "amount and price disagree": 1,
        "leg of an order": 1,
    }


def test_the_zone_is_asked_for(tmp_path: Path):
    with pytest.raises(InvalidInputError, match="--zone"):
        items_of(write(tmp_path, HEADER + row("Koop 1 @ 2 EUR", "-2,00")))


@shared_file
def test_the_account_statement_holds_twelve_trades():
    items = items_of(TRADES / "ghostfolio_export_degiro.csv", "Europe/Amsterdam")

    one = Decimal(1)
    assert markets_of(items) == {
        "US9256521090": MarketSum(1, one, Decimal("-33.9"), one),
        "CA0641491075": MarketSum(1, -one, Decimal("63.97"), Decimal("0.5")),
        "IE00B3RBWM25": MarketSum(2, Decimal(2), Decimal("-177.28"), Decimal(0)),  # 79.35 + 97.93
        "AU000000FBR4": MarketSum(1, Decimal(500), Decimal("-19.5"), Decimal(0)),
        "US00165C1045": MarketSum(1, one, Decimal("-1.2108"), one),
        "IE00BYXG2H39": MarketSum(1, -one, Decimal("5.416"), one),
        "IE00B0M63391": MarketSum(1, one, Decimal("-42.53"), one),
        # 6 x 49.785 + 82.055 = 298.71 + 82.055
        "IE00B4L5Y983": MarketSum(2, Decimal(7), Decimal("-380.765"), one),
        "FI4000198031": MarketSum(1, Decimal(6), Decimal("-479.76"), Decimal("4.9")),
        "GB00BPQY8M80": MarketSum(1, Decimal(-4), Decimal("19.84"), Decimal(0)),
    }
    left_out = left_out_of(items)
    # two of products, one stock dividend, one money market fund
    assert left_out["change of a product"] == 4
    # the order of Toyota says 30 x 22.4 and -9999.99
    assert left_out["amount and price disagree"] == 1
    # 73 rows: 12 trades with 7 fees
    assert sum(left_out.values()) == 54
