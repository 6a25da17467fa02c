"""Kraken: names of coins, positions on margin, legs joined by their refid."""

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
    '"txid","ordertxid","pair","time","type","ordertype","price","cost","fee","vol","margin","misc",'
    '"ledgers"\n'
)
LEDGER = (
    '"txid","refid","time","type","subtype","aclass","asset","wallet","amount","fee","balance"\n'
)


def save(folder: Path, text: str, name: str = "export.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def trade(
    pair: str = "XXBTZUSD", side: str = "sell", margin: str = "0.00000", misc: str = ""
) -> str:
    return (
        f'"T1","O1","{pair}","2024-03-19 19:43:31.6798","{side}","limit",64000.0,640,1.6,0.01,'
        f'{margin},"{misc}","L1,L2"\n'
    )


def leg(number: str, refid: str, sort: str, asset: str, amount: str, fee: str = "0") -> str:
    return (
        f'"{number}","{refid}","2024-03-10 12:00:00","{sort}","","currency","{asset}","spot",'
        f"{amount},{fee},0\n"
    )


@pytest.mark.parametrize(
    ("pair", "base", "quote"),
    [
        ("XXBTZEUR", "BTC", "EUR"),
        ("XETHXXBT", "ETH", "BTC"),
        ("XTZEUR", "XTZ", "EUR"),
        ("USDTZUSD", "USDT", "USD"),
        ("ADAUSDT", "ADA", "USDT"),
        ("XBT/USD", "BTC", "USD"),
        ("XDGUSD", "DOGE", "USD"),
    ],
)
def test_a_pair_tells_its_coins_under_their_usual_names(tmp_path, pair, base, quote):
    (fill,) = fills_of(items_of(save(tmp_path, HEAD + trade(pair))))

    assert (fill.symbol, fill.base, fill.quote, fill.fee_token) == (pair, base, quote, quote)
    assert fill.time_ms == 1710877411679
    assert (fill.tid, fill.oid) == ("T1", "O1")


@pytest.mark.parametrize(
    ("margin", "misc", "effect", "account"),
    [
        ("0.00000", "", None, "main"),
        ("128.00000", "initiated", "open", "main/margin"),
        ("127.00000", "closing", "close", "main/margin"),
        ("127.00000", "", "open", "main/margin"),
    ],
)
def test_a_trade_on_margin_opens_or_closes_apart_from_what_is_owned(
    tmp_path, margin, misc, effect, account
):
    (fill,) = fills_of(items_of(save(tmp_path, HEAD + trade(margin=margin, misc=misc))))

    assert (fill.effect, fill.account, fill.side) == (effect, account, "A")


def test_a_pair_without_a_known_quote_is_refused(tmp_path):
    with pytest.raises(InvalidInputError, match="line 2, column pair"):
        items_of(save(tmp_path, HEAD + trade("FOOBAR")))


def test_the_fee_of_a_ledger_is_in_the_coin_of_its_leg(tmp_path):
    text = leg("A", "T9", "trade", "XXBT", "-0.05", "0.0001") + leg(
        "B", "T9", "trade", "ZUSD", "3400"
    )

    (fill,) = fills_of(items_of(save(tmp_path, LEDGER + text)))

    assert (fill.symbol, fill.side, fill.sz, fill.px) == ("XXBTZUSD", "A", D("0.05"), 68000)
    assert (fill.fee, fill.fee_token, fill.tid) == (D("0.0001"), "BTC", "T9")


def test_pending_rows_and_legs_without_their_half_are_left_out(tmp_path):
    text = (
        leg("", "T9", "trade", "XXBT", "-0.05")
        + leg("A", "T8", "trade", "XXBT", "-0.05")
        + leg("B", "M1", "margin", "ZUSD", "-1")
        + leg("C", "M2", "rollover", "ZUSD", "0", "0.1")
    )

    items = items_of(save(tmp_path, LEDGER + text))

    assert fills_of(items) == []
    assert left_out_of(items) == {
        "pending entry": 1,
        "legs of no clear trade": 1,
        "margin fee": 1,
        "interest": 1,
    }


@shared_file
def test_the_shared_file_of_trades():
    items = items_of(TRADES / "constructed_kraken_trades.csv")

    # XXBTZEUR: 54054 x 0.00185 = 99.9999; XETHZEUR: +5 -2 -3, -851.25 + 344 + 516 = 8.75,
    #   fees 1.362 + 0.8944 + 1.3416; XXBTZUSD: a short, 640 - 635 = 5, fees 1.664 + 1.651
    assert markets_of(items) == {
        "XXBTZEUR": MarketSum(1, D("0.00185"), D("-99.9999"), D("0.18")),
        "XETHZEUR": MarketSum(3, D(0), D("8.75"), D("3.598")),
        "ADAUSDT": MarketSum(1, D(1000), D(-40), D("0.064")),
        "XXBTZUSD": MarketSum(2, D(0), D(5), D("3.315")),
    }
    assert fees_of(items) == {"EUR": D("3.778"), "USDT": D("0.064"), "USD": D("3.315")}
    assert [fill.effect for fill in fills_of(items)] == [None] * 5 + ["open", "close"]


@shared_file
def test_the_shared_file_of_ledgers():
    items = items_of(TRADES / "constructed_kraken_ledgers.csv")

    found = markets_of(items)
    # XXBTZUSD: +0.1 -0.05, -6500 + 3400; XETHZUSD: +0.017 for 60
    # Dollars left: 10000 - 3100 - 60 - 16.9 - 0.5 = 6822.6, as the file says.
    rounded = {name: market._replace(cash=round(market.cash, 15)) for name, market in found.items()}
    assert rounded == {
        "XXBTZUSD": MarketSum(2, D("0.05"), D(-3100), D("16.9001")),
        "XETHZUSD": MarketSum(1, D("0.017"), D(-60), D("0.5")),
    }
    assert fees_of(items) == {"USD": D("17.4"), "BTC": D("0.0001")}
    assert left_out_of(items) == {
        "deposit": 1,
        "staking": 1,
        "pending entry": 1,
        "leg of a trade": 3,
    }
    assert sum(market.cash for market in rounded.values()) + 10000 - D("17.4") == D("6822.6")
