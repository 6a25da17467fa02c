import os
from decimal import Decimal
from pathlib import Path

import pytest

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.testing.exports import (
    MarketSum,
    closed_of,
    fills_of,
    items_of,
    markets_of,
)

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
TRADES = SHARED / "data" / "exports" / "trades"
shared_file = pytest.mark.skipif(not TRADES.is_dir(), reason="no shared folder with exports")


def write(tmp_path: Path, text: str, name: str = "export.csv") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


HEADER = ",Size,EntryBar,ExitBar,EntryPrice,ExitPrice,PnL,ReturnPct,EntryTime,ExitTime,Tag\n"


def test_bar_numbers_are_no_times(tmp_path: Path):
    path = write(tmp_path, HEADER + "0,1,15,42,10,11,1,0.1,15,42,\n")

    with pytest.raises(InvalidInputError, match="bar numbers"):
        items_of(path, "UTC", "GOOG")


def test_the_market_of_a_back_test_is_asked_for(tmp_path: Path):
    path = write(tmp_path, HEADER + "0,1,15,42,10,11,1,0.1,2004-09-10,2004-10-20,\n")

    with pytest.raises(InvalidInputError, match="--symbol"):
        items_of(path, "UTC")


def test_costs_stay_unknown_where_an_older_version_has_no_commission(tmp_path: Path):
    path = write(tmp_path, HEADER + "0,-1,15,42,10,11,-1,0.1,2004-09-10,2004-10-20,\n")

    (trade,) = closed_of(items_of(path, "UTC", "BTCUSDT"))

    assert (trade.gross, trade.fees, trade.net, trade.direction) == (None, None, -1, "short")
    assert trade.quote == "USDT"


@shared_file
def test_the_trades_of_backtesting_py_are_net():
    trades = closed_of(items_of(TRADES / "constructed_backtesting_py_trades.csv", "UTC", "GOOG"))

    found = [(one.direction, one.size, one.gross, one.fees, one.net) for one in trades]
    assert found == [
        # 93 x 12.39; 60 x -48.70; 12.5 x 2.50; each less 2.0
        ("long", 93, Decimal("1152.27"), 2, Decimal("1150.27")),
        ("short", 60, Decimal("-2922"), 2, Decimal("-2924")),
        ("long", Decimal("12.5"), Decimal("31.25"), 2, Decimal("29.25")),
    ]
    assert [one.label for one in trades] == ["", "", "breakout"]


@shared_file
def test_the_transactions_of_pyfolio_add_up_to_their_dollars():
    items = items_of(TRADES / "pyfolio_transactions.csv")

    # Sums of the columns amount and txn_dollars, by symbol: 23 days, on one each COST and MMM
    # were not traded.
    none = Decimal(0)
    assert markets_of(items) == {
        "AMD": MarketSum(23, Decimal(-153), Decimal("5920.098818"), none),
        "CERN": MarketSum(23, Decimal(-141), Decimal("1640.37375"), none),
        "COST": MarketSum(22, Decimal(223), Decimal("-6345.408719"), none),
        "DELL": MarketSum(23, Decimal(1030), Decimal("-33781.79780"), none),
        "GPS": MarketSum(23, Decimal(450), Decimal("-7013.079419"), none),
        "INTC": MarketSum(23, Decimal(1679), Decimal("-39995.754084"), none),
        "MMM": MarketSum(22, Decimal(331), Decimal("-20062.666515"), none),
    }
    # The noise of 4.82375000001 is gone: 21017.07875 / 4357.
    assert fills_of(items)[1].px == Decimal("4.82375")
    assert fills_of(items)[0].time_ms == 1073606400000  # 2004-01-09 00:00 UTC


def test_a_back_test_that_sells_more_than_it_holds_is_short(command, tmp_path: Path):
    path = tmp_path / "txn.csv"
    path.write_text(
        ",amount,price,sid,symbol,txn_dollars\n"
        "2004-01-09 00:00:00+00:00,10,20,0,AMD,-200\n"
        "2004-01-12 00:00:00+00:00,-15,22,0,AMD,330\n"
        "2004-01-13 00:00:00+00:00,5,18,0,AMD,-90\n"
    )

    assert "2 round trips, 2 won (100 %), net +40.00 USD." in command("learn", str(path)).out
