"""Hyperliquid: dates in the order of a browser, profit after fees, numbers as text."""

import json
import os
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from afterword.pipeline.domain.exports.read import read_export
from afterword.pipeline.domain.layouts.layout import Origin
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.testing.exports import (
    MarketSum,
    fees_of,
    fills_of,
    items_of,
    markets_of,
)

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
TRADES = SHARED / "data" / "exports" / "trades"
shared_file = pytest.mark.skipif(not TRADES.is_dir(), reason="no shared folder with exports")

D = Decimal
HEAD = "time,coin,dir,px,sz,ntl,fee,closedPnl\n"
API = {
    "coin": "HYPE",
    "px": "33.209",
    "sz": "0.73",
    "side": "B",
    "time": 1770458548926,
    "startPosition": "0.0",
    "dir": "Open Long",
    "closedPnl": "0.0",
    "hash": "0x01",
    "oid": 314848230306,
    "crossed": True,
    "fee": "0.012896",
    "builderFee": "0.002424",
    "tid": 882779857052503,
    "feeToken": "USDC",
    "twapId": None,
}


def save(folder: Path, text: str, name: str = "export.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def row(time: str, direction: str = "Open Long", coin: str = "ETH", end: str = "0.02,-0.02") -> str:
    return f'"{time}",{coin},{direction},2000,0.1,200,{end}\n'


def millis(folder: Path, *times: str, date_order=None) -> list[int]:
    path = save(folder, HEAD + "".join(map(row, times)))
    origin = Origin(path.name, "main", zone=UTC, time_format=date_order)
    return [item.time_ms for item in read_export(path, origin)[1]]


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        (["09/03/2026 - 02:00:00", "25/02/2026 - 02:00:00"], "2026-03-09T02:00:00+00:00"),
        (["3/9/2026 - 02:00:00", "2/25/2026 - 02:00:00"], "2026-03-09T02:00:00+00:00"),
        (["09.03.2026, 02:00:00", "25.02.2026, 02:00:00"], "2026-03-09T02:00:00+00:00"),
        (["3/9/2026, 2:00:00 PM", "2/25/2026, 2:00:00 AM"], "2026-03-09T14:00:00+00:00"),
        (["3/9/2026, 12:00:00 AM", "2/25/2026, 2:00:00 AM"], "2026-03-09T00:00:00+00:00"),
        (["2026-03-09 - 02:00:00"], "2026-03-09T02:00:00+00:00"),
    ],
)
def test_a_day_above_12_tells_the_order_of_all_dates(tmp_path, times, expected):
    found = millis(tmp_path, *times)[0]

    assert datetime.fromtimestamp(found / 1000, UTC).isoformat() == expected


def test_dates_that_can_be_read_both_ways_are_asked_for_and_never_guessed(tmp_path):
    with pytest.raises(InvalidInputError, match="--time-format dmy or --time-format mdy"):
        millis(tmp_path, "09/03/2026 - 02:00:00")
    assert millis(tmp_path, "09/03/2026 - 02:00:00", date_order="dmy") == [1773021600000]
    assert millis(tmp_path, "09/03/2026 - 02:00:00", date_order="mdy") == [1788400800000]


@pytest.mark.parametrize(
    ("times", "order"),
    [
        (["25/02/2026 - 02:00:00", "02/25/2026 - 02:00:00"], None),
        (["25/02/2026 - 02:00:00"], "mdy"),
    ],
)
def test_dates_against_the_order_are_refused(tmp_path, times, order):
    with pytest.raises(InvalidInputError, match="contradict"):
        millis(tmp_path, *times, date_order=order)


@pytest.mark.parametrize(
    ("direction", "coin", "end", "side", "effect", "profit", "token"),
    [
        ("Open Long", "ETH", "0.02,-0.02", "B", "open", 0, "USDC"),
        ("Close Short", "ETH", "0.02,-1.02", "B", "close", -1, "USDC"),
        ("Long > Short", "xyz:CL", "0.02,4.98", "A", None, 5, "USDC"),
        ("Buy", "PURR/USDC", "0.001,-2", "B", None, 0, "PURR"),
        ("Buy", "PURR/USDC", "0.02,-0.02", "B", None, 0, "USDC"),
        ("Sell", "PURR/USDC", "0.02,0.98", "A", None, 1, "USDC"),
    ],
)
def test_profit_is_stored_before_the_fee(
    tmp_path, direction, coin, end, side, effect, profit, token
):
    path = save(tmp_path, HEAD + row("25/02/2026 - 02:00:00", direction, coin, end))

    (fill,) = fills_of(items_of(path, zone="UTC"))

    assert (fill.side, fill.effect, fill.closed_pnl) == (side, effect, profit)
    assert (fill.fee_token, fill.symbol) == (token, coin)
    assert fill.kind == ("spot" if "/" in coin else "perp")


def test_numbers_as_text_are_the_same_fill(tmp_path):
    as_text = API | {name: str(API[name]) for name in ("time", "oid", "tid")}

    (one,) = fills_of(items_of(save(tmp_path, json.dumps([API]), "one.json")))
    (two,) = fills_of(items_of(save(tmp_path, json.dumps([as_text]), "two.json")))

    assert one.fill_uid == two.fill_uid == "tid:882779857052503"
    assert two._replace(raw=one.raw) == one
    assert (one.fee, one.time_ms) == (D("0.012896"), 1770458548926)


def test_slots_are_accounts_and_a_bad_row_is_refused_with_its_place(tmp_path):
    path = save(tmp_path, json.dumps({"a1": {"fills": [API]}, "a2": {"fills": []}}), "f.json")

    (fill,) = fills_of(items_of(path))
    assert fill.account == "main/a1"
    bad = [API, API | {"px": "cheap"}]
    with pytest.raises(InvalidInputError, match=r"f.json: fills\[1\].px"):
        items_of(save(tmp_path, json.dumps(bad), "f.json"))


@shared_file
def test_the_shared_file_of_the_page():
    path = TRADES / "constructed_hyperliquid_trade_history.csv"

    with pytest.raises(InvalidInputError, match="--zone"):
        items_of(path)
    items = items_of(path, zone="UTC+2")

    # ETH: +0.1 -0.1 -0.1 +0.1, -200 + 201 + 210 - 211 = 0, fees 2 x 0.02 + 2 x 0.021
    # BTC: -0.002 +0.002, +200 - 199 = 1, fees 2 x 0.02; HYPE: 20 for 843.68, fee in HYPE
    assert markets_of(items) == {
        "ETH": MarketSum(4, D(0), D(0), D("0.082")),
        "BTC": MarketSum(2, D(0), D(1), D("0.04")),
        "@107": MarketSum(1, D(20), D("-843.68"), D("0.01344")),
    }
    assert fees_of(items) == {"USDC": D("0.122"), "HYPE": D("0.01344")}
    # Gross: -1, 0, 1, 1, 0, 0, 0: what positions made is what cash says
    assert [fill.closed_pnl for fill in fills_of(items)] == [-1, 0, 1, 1, 0, 0, 0]
    assert fills_of(items)[0].time_ms == 1773014400000  # 9 March 2026, 00:00 UTC


@shared_file
def test_the_shared_file_of_the_api():
    items = items_of(TRADES / "ccxt_hyperliquid_user_fills_raw.json")

    # +0.73 x 33.209 = 24.24257; -5.2 x 21.147 = 109.9644; fees 0.012896 + 0.047504, which hold
    # the builder's 0.002424 already: 24.24257 x 0.0432 % + 24.24257 x 0.01 % = 0.012897
    assert markets_of(items) == {"HYPE": MarketSum(2, D("-4.47"), D("85.72183"), D("0.0604"))}
    opened, closed = fills_of(items)
    assert (opened.closed_pnl, closed.closed_pnl) == (0, D("-46.0356"))
    assert closed.liquidation is not None


@shared_file
def test_one_fill_from_two_programs_is_one_fill():
    raw = fills_of(items_of(TRADES / "ccxt_hyperliquid_user_fills_raw.json"))
    unified = fills_of(items_of(TRADES / "ccxt_hyperliquid_fetch_my_trades.json"))

    both = {fill.fill_uid: fill for fill in raw}
    for fill in unified[:2]:
        assert fill._replace(line=both[fill.fill_uid].line) == both[fill.fill_uid]
