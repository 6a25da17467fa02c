"""KuCoin: a zone in the heading, base and quote the other way round."""

import os
from decimal import Decimal
from pathlib import Path

import pytest

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.testing.exports import (
    MarketSum,
    fees_of,
    fills_of,
    items_of,
    left_out_of,
    markets_of,
)

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
TRADES = SHARED / "data" / "exports" / "trades"
shared_file = pytest.mark.skipif(not TRADES.is_dir(), reason="no shared folder with exports")

D = Decimal
HEAD = (
    "UID,Account Type,Order ID,Symbol,Side,Order Type,Avg. Filled Price,Filled Amount,"
    "Filled Volume,Filled Volume (USDT),Filled Time(UTC+02:00),Fee,Tax,Maker/Taker,Fee Currency\n"
)


def save(folder: Path, text: str, name: str = "export.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def row(amount: str = "0.06", token: str = "USDT") -> str:
    return (
        f"1001,mainAccount,o1,BTC-USDT,BUY,LIMIT,60000,{amount},3600,3600,2026-03-15 11:00:00,3.6,,"
        f"MAKER,{token}\n"
    )


@pytest.mark.parametrize(
    ("zone", "hour"), [("(UTC+02:00)", 9), ("(UTC+08:00)", 3), ("(UTC+00:00)", 11), ("(UTC)", 11)]
)
def test_the_zone_is_that_of_the_heading(tmp_path, zone, hour):
    text = HEAD.replace("(UTC+02:00)", zone) + row()

    (fill,) = fills_of(items_of(save(tmp_path, text), zone="Asia/Tokyo"))

    assert fill.time_ms == 1773532800000 + hour * 3_600_000  # 2026-03-15 UTC


def test_a_heading_without_a_zone_asks_for_it(tmp_path):
    text = HEAD.replace("(UTC+02:00)", "(local)") + row()

    with pytest.raises(InvalidInputError, match="--zone"):
        items_of(save(tmp_path, text))


def test_the_amount_is_of_the_base_and_the_fee_may_be_in_another_token(tmp_path):
    (fill,) = fills_of(items_of(save(tmp_path, HEAD + row(token="KCS"))))

    assert (fill.sz, fill.px, fill.base, fill.quote) == (D("0.06"), 60000, "BTC", "USDT")
    assert (fill.fee_token, fill.oid, fill.tid) == ("KCS", "o1", None)


def test_an_order_that_was_not_filled_is_left_out(tmp_path):
    assert left_out_of(items_of(save(tmp_path, HEAD + row("0")))) == {"cancelled order": 1}


@shared_file
def test_the_shared_file():
    items = items_of(TRADES / "constructed_kucoin_spot_order_splitting_utc+2.csv")

    # +0.06 +0.04 -0.1, cash -3600 - 2400 + 6100 = 100, fees 3.6 + 2.4 USDT and 0.35 KCS
    assert markets_of(items) == {"BTC-USDT": MarketSum(3, D(0), D(100), D("6.35"))}
    assert fees_of(items) == {"USDT": D(6), "KCS": D("0.35")}
    assert fills_of(items)[0].time_ms == 1773565200000  # 11:00 in UTC+2 is 09:00 UTC
