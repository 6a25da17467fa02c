"""Files that nobody here wrote, by the line that their refusal proposes, against plain sums."""

import csv
import os
import re
import shlex
from collections import Counter, defaultdict
from datetime import UTC
from decimal import Decimal
from pathlib import Path

import pytest

from afterword.pipeline.domain.exports.read import read_export
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.layout import Origin

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
MADE, PUBLIC = SHARED / "repro/files", SHARED / "data/public"

pytestmark = pytest.mark.skipif(not MADE.exists(), reason="the shared files are not here")


@pytest.fixture(autouse=True)
def _later(clock) -> None:
    """Look at the files after their last trade: what closes in the future is left out."""
    clock.advance(days=400)


BOUGHT_AND_SOLD = ("Buy Quantity", "Buy Currency", "Sold Quantity", "Sold Currency")
OUT_AND_IN = ("outputAmount", "outputCurrency", "inputAmount", "inputCurrency")
CLOSED = "closed=Closed,symbol=Symbol,qty=Qty,entry=Entry,exit=Exit,net=Net"


def look(command, file: Path, *more: str, columns: str = ""):
    """Read a file as it is, by its columns, or by the line that its refusal prints."""
    line = ["--zone", "UTC", "--columns", columns] if columns else []
    done = command("--json", "learn", str(file), *line, *more)
    if done.code and not columns and "--columns" in done.err:
        accepted = done.err.strip().rpartition("accepted: ")[2].partition(" with ")[0]
        done = command("--json", "learn", str(file), *shlex.split(accepted), *more)
    return done


def told(done) -> list[tuple]:
    return [
        (one["trip"]["symbol"], one["trip"]["direction"], Decimal(one["trip"]["net"]))
        for one in done.json["outcomes"]
    ]


@pytest.mark.parametrize(
    ("name", "more", "columns", "quote", "trips"),
    [
        ("account_column.csv", [], "", "USD", [("ETH", "long", "9.8")]),
        ("c01_tv_orders_cancelled.csv", [], "", "USD", [("NASDAQ:AAA", "long", "-14")]),
        ("c02_status_column.csv", [], "", "USDT", [("SOL/USDT", "long", "10")]),
        (
            *("c03_binance_futures_flip.csv", ["--zone", "UTC"], "", "USDT"),
            [("BTCUSDT", "short", "960"), ("BTCUSDT", "long", "920")],
        ),
        ("c07_price_in_sek.csv", [], "", "SEK", [("BTC", "long", "10000")]),
        ("c07b_price_euro_sign.csv", [], "", "EUR", [("AAPL", "long", "98")]),
        (
            *("c09_ss_bc_words.csv", [], "", "USD"),
            [("RBLX", "short", "11.5"), ("SQ", "long", "-12.5")],
        ),
        (
            *("c10_market_is_exchange.csv", [], "", "USD"),
            [("FOO", "long", "490"), ("BAZ", "long", "-210")],
        ),
        (
            *("c14_closed_no_direction.csv", [], CLOSED, "USDT"),
            [("SOLUSDT", "short", "-146.68"), ("SOLUSDT", "long", "143.2")],
        ),
        ("c16_no_fee_column.csv", [], "", "EUR", [("SOL/EUR", "long", "31.5")]),
        (
            *("c17_es_closed_ours_counts.csv", [], "", "USD"),
            [("ES", "long", "-504.2"), ("ES", "long", "495.8")],
        ),
        (
            *("c18_future_no_multiplier.csv", ["--contract-size", "ESH6=50"], "", "USD"),
            [("ESH6", "long", "496")],
        ),
        ("c27_ccxt_lines.jsonl", [], "", "USDT", [("BTC/USDT:USDT", "short", "9.51")]),
    ],
)
def test_a_made_file_gives_what_it_holds(command, name, more, columns, quote, trips):
    done = look(command, MADE / name, *more, columns=columns)

    assert done.code == 0, done.err
    assert told(done) == [(symbol, way, Decimal(net)) for symbol, way, net in trips]
    assert {one["trip"]["quote"] for one in done.json["outcomes"]} <= {quote}


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("c08_us_dates_am_pm.csv", "--time-format"),
        ("c18_future_no_multiplier.csv", "units of price one contract"),
        ("c31_price_zero.csv", "column Price: is '0'"),
    ],
)
def test_a_made_file_asks_what_only_its_owner_knows(command, name, asked):
    done = command("learn", str(MADE / name), "--zone", "UTC", "--columns", PLAIN)

    assert done.code == 2 and asked in done.err


PLAIN = "time=Date,symbol=Pair,side=Type,qty=Amount,price=Price,fee=Fee"


def cash(file: Path, symbol: str, side: str, size: str, price: str, fees: str) -> dict:
    """Return by market what was held at the end, received less paid, and the fees: plain sums."""
    sums: dict[str, list[Decimal]] = defaultdict(lambda: [Decimal(0)] * 3)
    with file.open(encoding="utf-8-sig") as lines:
        for row in csv.DictReader(lines):
            turn = 1 if re.match("b", row[side].strip(), re.IGNORECASE) else -1
            units = turn * abs(Decimal(row[size].replace(",", "")))
            worth = units * Decimal(row[price].replace(",", ""))
            paid = sum(Decimal(row[fee] or 0) for fee in fees.split("+"))
            held, money, fee_sum = sums[row[symbol].strip()]
            sums[row[symbol].strip()] = [held + units, money - worth, fee_sum + paid]
    return sums


def test_short_sales_and_seven_columns_of_fees_are_those_of_a_plain_sum(command):
    file = PUBLIC / "tradenote_tradezero_template.csv"
    fees = "Comm+SEC+TAF+NSCC+Nasdaq+ECN Remove+ECN Add"

    done = look(command, file, "--time-format", "mdy")

    sums = cash(file, "Symbol", "Side", "Qty", "Price", fees)
    for symbol, (held, money, paid) in sums.items():
        trips = [one["trip"] for one in done.json["outcomes"] if one["trip"]["symbol"] == symbol]
        assert held == 0
        assert sum(Decimal(trip["gross"]) for trip in trips) == money
        assert sum(Decimal(trip["fees"]) for trip in trips) == paid


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        ("rotki_kucoin_2019.csv", ("Pair", "Side", "Amount", "FilledPrice", "Fee")),
        ("rotki_kucoin_2022.csv", ("symbol", "side", "size", "price", "fee")),
        ("issue_rotki_5527_ftx.csv", ("Market", "Side", "Size", "Price", "Fee")),
        (
            "ghostfolio_relai.csv",
            ("Currency Pair", "Transaction Type", "BTC Amount", "BTC Price", "Fee"),
        ),
    ],
)
def test_fills_by_a_layout_file_add_up_to_plain_sums(name, columns):
    sums: dict[str, list[Decimal]] = defaultdict(lambda: [Decimal(0)] * 3)
    for fill in read_export(PUBLIC / name, Origin(name, "me", UTC))[1]:
        held, money, fees = sums[fill.symbol]
        sums[fill.symbol] = [held + fill.move, money - fill.move * fill.px, fees + fill.fee]

    assert sums == cash(PUBLIC / name, *columns)


@pytest.mark.parametrize(
    ("name", "amounts"),
    [
        (
            "bittytax_example.csv",
            ("Type", "Buy Quantity", "Buy Asset", "Sell Quantity", "Sell Asset"),
        ),
        ("rotki_blockfi_trades.csv", ("Type", *BOUGHT_AND_SOLD)),
        ("rotki_shapeshift.csv", ("status", *OUT_AND_IN)),
    ],
)
def test_exchanges_by_a_layout_file_move_the_amounts_of_the_file(name, amounts):
    word, got, got_coin, gave, gave_coin = amounts
    wanted: Counter[str] = Counter()
    with (PUBLIC / name).open(encoding="utf-8-sig") as lines:
        for row in csv.DictReader(lines):
            if row[word] in ("Trade", "One Time", "complete"):
                wanted[row[got_coin].upper()] += Decimal(row[got])
                wanted[row[gave_coin].upper()] -= Decimal(row[gave])
    moved: Counter[str] = Counter()
    for fill in read_export(PUBLIC / name, Origin(name, "me", UTC))[1]:
        if isinstance(fill, Fill):
            moved[fill.base] += fill.move
            moved[fill.quote] -= fill.move * fill.px

    assert {coin: round(amount, 12) for coin, amount in moved.items()} == {
        coin: round(amount, 12) for coin, amount in wanted.items()
    }


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("ftj_das_trades.csv", "must be a date and time, got '09:31:05'"),
        ("ftj_tradovate_orders_history.csv", "qty=filledQty,price=Avg Fill Price"),
        ("ghostfolio_investimental.csv", "done: or skip: for each of 'Active', 'Inactive'"),
        ("freqtrade_backtest_multistrat.json", "2 strategies, whose results are never added up"),
        ("ghostfolio_saxo.csv", "qty=COLUMN,price=COLUMN"),
    ],
)
def test_a_public_file_is_asked_about_for_the_right_reason(command, name, reason):
    done = command("learn", str(PUBLIC / name))

    assert done.code == 2 and reason in done.err


def test_statements_in_ofx_hold_what_their_totals_say(command):
    done = command("--json", "learn", str(PUBLIC / "reds_etrade.qfx"))
    assert done.code == 0 and done.json["files"][0]["fills"] == 2

    done = command("--json", "learn", str(PUBLIC / "bimport_investment_buy_sell_income.ofx"))
    assert done.json["files"][0]["fills"] == 9
    assert done.json["files"][0]["left_out"] == {"income": 10, "transfer of money": 1}
