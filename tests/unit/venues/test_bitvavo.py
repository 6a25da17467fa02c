"""Bitvavo: a zone in each row, summer time, rows that are no trades."""

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
    "Timezone,Date,Time,Type,Currency,Amount,Quote Currency,Quote Price,Received / Paid Currency,"
    "Received / Paid Amount,Fee currency,Fee amount,Status,Transaction ID,Address\n"
)


def save(folder: Path, text: str, name: str = "export.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def row(zone: str = "Europe/Amsterdam", date: str = "2023-05-19", status: str = "Completed") -> str:
    return f"{zone},{date},10:29:44.141,sell,ETH,-2,EUR,1500,EUR,2999,EUR,1,{status},id-1,\n"


@pytest.mark.parametrize(
    ("zone", "date", "millis"),
    [
        ("Europe/Amsterdam", "2023-05-19", 1684484984141),  # 08:29:44.141 UTC
        ("Europe/Amsterdam", "2023-11-30", 1701336584141),  # 09:29:44.141 UTC
        ("UTC", "2023-11-30", 1701340184141),
    ],
)
def test_a_time_is_placed_by_the_zone_of_its_row(tmp_path, zone, date, millis):
    (fill,) = fills_of(items_of(save(tmp_path, HEAD + row(zone, date)), zone="Asia/Tokyo"))

    assert fill.time_ms == millis
    assert (fill.side, fill.sz, fill.px, fill.tid) == ("A", 2, 1500, "id-1")


def test_an_unknown_zone_is_refused_and_an_unfinished_trade_left_out(tmp_path):
    with pytest.raises(InvalidInputError, match="line 2, column Timezone"):
        items_of(save(tmp_path, HEAD + row("Middle/Earth")))
    items = items_of(save(tmp_path, HEAD + row(status="Cancelled")))
    assert left_out_of(items) == {"unfinished trade": 1}


@shared_file
def test_the_shared_file():
    items = items_of(TRADES / "ghostfolio_export_bitvavo.csv")

    # Price times amount and fee make what the file says was paid or received, to the last digit:
    # ETH: 10 + 4.83 + 5.18 + 12.5 - 12.45 = 20.06 paid, of it fees 0.02600996 + 0.00788532
    #   + 0.01708673 + 0.031184243 + 0.032880975 = 0.115047228
    #   0.0053543 + 0.00258836 + 0.00277129 = 0.01071395, which was withdrawn
    # BTC: 19.03 + 5.96 + 25 + 12.45 + 12.5 = 74.94 paid, of it fees 0.0376266 + 0.01359584
    #   + 0.062494 + 0.03119789 + 0.03118634 = 0.17610067
    # XLM: 24.63 received + fee 0.06376806; USDT: 30 paid - fee 0.0748130556
    assert markets_of(items) == {
        "ETH-EUR": MarketSum(5, D("0.01071395"), D("-19.944952772"), D("0.115047228")),
        "BTC-EUR": MarketSum(5, D("0.00279063"), D("-74.76389933"), D("0.17610067")),
        "XLM-EUR": MarketSum(1, D("-286.98"), D("24.69376806"), D("0.06376806")),
        "USDT-EUR": MarketSum(1, D("32.156874"), D("-29.9251869444"), D("0.0748130556")),
    }
    assert fees_of(items) == {"EUR": D("0.4297290136")}
    assert left_out_of(items) == {"withdrawal": 6, "deposit": 7, "staking": 9}
