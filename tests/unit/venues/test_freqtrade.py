import os
from decimal import Decimal
from pathlib import Path
from zipfile import ZipFile

import pytest

from afterword.pipeline.domain.venues.freqtrade import CONTRADICTED
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.testing.exports import (
    closed_of,
    items_of,
    left_out_of,
)

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
TRADES = SHARED / "data" / "exports" / "trades"
shared_file = pytest.mark.skipif(not TRADES.is_dir(), reason="no shared folder with exports")


def write(tmp_path: Path, text: str, name: str = "export.csv") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


TRADE = (
    '{"pair":"%s","amount":2,"open_date":"2024-09-10 20:00:00+00:00",'
    '"close_date":"2024-09-10 21:00:00+00:00","open_rate":100.0,"close_rate":110.0,'
    '"fee_open":0.001,"fee_close":0.002,"profit_abs":%s,"is_open":%s,"is_short":false,'
    '"enter_tag":null,"funding_fees":-0.5}'
)


def result(*trades: str) -> str:
    return '{"strategy":{"Mine":{"trades":[' + ",".join(trades) + "]}}}"


def test_a_fee_is_a_rate_of_what_each_side_was_worth(tmp_path: Path):
    path = write(tmp_path, result(TRADE % ("ETH/USDT", "18.86", "false")), "result.json")

    (trade,) = closed_of(items_of(path))

    # 200 x 0.001 + 220 x 0.002; 20 before it, 0.5 of funding paid
    assert (trade.fees, trade.funding) == (Decimal("0.64"), Decimal("-0.5"))
    assert (trade.gross, trade.net) == (20, Decimal("18.86"))
    assert (trade.account, trade.kind, trade.quote) == ("main/Mine", "spot", "USDT")


@pytest.mark.parametrize(
    ("stated", "ratio", "net"),
    [
        ("20", "0.09421", "18.86"),  # the profit before fees: the ratio is that after them
        ("10", "0.09421", "18.86"),  # the profit of one unit
        ("20", "0.0999", "20"),  # the ratio says no more than the profit
    ],
    ids=["before fees", "of one unit", "undecided"],
)
def test_a_profit_that_its_trade_contradicts_does_not_count(
    tmp_path: Path, stated: str, ratio: str, net: str
):
    trade = (TRADE % ("ETH/USDT", stated, "false")).replace("}", f',"profit_ratio":{ratio}}}')
    items = items_of(write(tmp_path, result(trade), "result.json"))

    (closed,) = closed_of(items)

    assert closed.net == Decimal(net)
    assert closed.gross is not None and closed.fees is not None and closed.funding is not None
    assert closed.gross - closed.fees + closed.funding == closed.net
    assert left_out_of(items) == ({} if net == "20" else {CONTRADICTED: 1})


@shared_file
@pytest.mark.parametrize(
    "name", ["freqtrade_backtest_result.json", "freqtrade_backtest_multistrat.json"]
)
def test_each_trade_of_a_real_result_earns_what_its_prices_and_fees_make(name: str):
    closed = closed_of(items_of(SHARED / "data" / "public" / name))

    assert len(closed) == (358 if "multi" in name else 179)
    for trade in closed:
        assert trade.entry_px is not None and trade.exit_px is not None
        paid, received = trade.entry_px * trade.size, trade.exit_px * trade.size
        expected = received * Decimal("0.9975") - paid * Decimal("1.0025")
        assert trade.net == pytest.approx(expected, rel=Decimal("0.0001"))


def test_a_trade_that_is_still_open_is_left_out(tmp_path: Path):
    path = write(tmp_path, result(TRADE % ("ETH/USDT", "18.86", "true")), "result.json")

    assert left_out_of(items_of(path)) == {"open trade": 1}


def test_a_bad_value_is_refused_with_its_record(tmp_path: Path):
    bad = TRADE % ("ETH/USDT", '"much"', "false")
    path = write(tmp_path, result(TRADE % ("ETH/USDT", "18.86", "false"), bad), "result.json")

    with pytest.raises(InvalidInputError, match=r"result\.json: Mine\.trades\[1\]\.profit_abs"):
        items_of(path)


@shared_file
def test_the_back_test_holds_two_trades():
    trades = closed_of(items_of(TRADES / "constructed_freqtrade_backtest_trades.json"))

    found = [(one.symbol, one.direction, one.gross, one.fees, one.net) for one in trades]
    assert found == [
        # 0.04 x 50; 0.04 x 2500 x 0.0005 + 0.04 x 2550 x 0.0005
        ("ETH/USDT:USDT", "long", 2, Decimal("0.101"), Decimal("1.899")),
        # 0.7 x -2; 0.7 x 140 x 0.0005 + 0.7 x 142 x 0.0005
        ("SOL/USDT:USDT", "short", Decimal("-1.4"), Decimal("0.0987"), Decimal("-1.4987")),
    ]
    assert [(one.label, one.kind, one.account) for one in trades] == [
        ("ema", "perp", "main/SampleStrategy"),
        ("", "perp", "main/SampleStrategy"),
    ]


def test_the_result_is_found_in_the_zip_that_newer_versions_write(tmp_path: Path):
    path = tmp_path / "backtest-result-2024.zip"
    with ZipFile(path, "w") as archive:
        archive.writestr("backtest-result-2024_config.json", '{"strategy":"Mine"}')
        archive.writestr(
            "backtest-result-2024.json", result(TRADE % ("ETH/USDT", "18.86", "false"))
        )
        archive.writestr("backtest-result-2024_Mine.py", "class Mine: ...")

    assert [one.net for one in closed_of(items_of(path))] == [Decimal("18.86")]


def test_a_zip_of_several_files_of_their_own_is_refused(tmp_path: Path):
    path = tmp_path / "two.zip"
    with ZipFile(path, "w") as archive:
        archive.writestr("a.json", result())
        archive.writestr("b.json", result())

    with pytest.raises(InvalidInputError, match="zip of 2 files"):
        items_of(path)
