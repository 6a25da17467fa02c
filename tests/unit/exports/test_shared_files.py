"""Small made files, each of a fault that was: by the line that their refusal proposes."""

import os
import shlex
from decimal import Decimal
from pathlib import Path

import pytest

from tests.unit.exports.answered import in_utc

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
MADE = SHARED / "repro/files"

pytestmark = pytest.mark.skipif(not MADE.exists(), reason="the shared files are not here")


@pytest.fixture(autouse=True)
def _later(clock) -> None:
    """Look at the files after their last trade: what closes in the future is left out."""
    clock.advance(days=400)


CLOSED = "closed=Closed,symbol=Symbol,qty=Qty,entry=Entry,exit=Exit,net=Net"


def look(command, file: Path, *more: str, columns: str = ""):
    """Read a file as it is, by its columns, or by the line that its refusal prints."""
    line = ["--zone", "UTC", "--columns", columns] if columns else []
    done = command("--json", "learn", str(file), *line, *more)
    if done.code and not columns and "--columns" in done.err:
        accepted = in_utc(done.err.strip().rpartition("accepted: ")[2]).partition(" with ")[0]
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
            *("c11_ibkr_cancel.xml", ["--zone", "America/New_York"], "", "AUD"),
            [("ABC", "long", "394")],
        ),
        ("c13_hyperliquid_spot_api.json", [], "", "USDC", [("@107", "long", "9.703")]),
        (
            *("c14_closed_no_direction.csv", [], CLOSED, "USDT"),
            [("SOLUSDT", "short", "-146.68"), ("SOLUSDT", "long", "143.2")],
        ),
        (
            *("c15_net_and_fee_no_gross.csv", [], f"{CLOSED},fee=Fee", "USDT"),
            [("ETHUSDT", "long", "93.105"), ("SOLUSDT", "short", "-146.68025")],
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
        (
            *("c26_freqtrade_profit_abs_is_gross.json", [], "", "BTC"),
            [("TRX/BTC", "long", "0.00001495")],
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
        ("header_dup_columns.csv", "a table of 1,000 columns at most"),
        ("injection_dev.json", "has no column"),
    ],
)
def test_a_made_file_asks_what_only_its_owner_knows(command, name, asked):
    done = command("learn", str(MADE / name), "--zone", "UTC", "--columns", PLAIN)

    assert done.code == 2 and asked in done.err


PLAIN = "time=Date,symbol=Pair,side=Type,qty=Amount,price=Price,fee=Fee"


def test_dust_that_is_left_does_not_join_the_trips(command):
    done = command("--json", "learn", str(MADE / "c04_spot_dust_btc_100usd.csv"))

    assert len(done.json["outcomes"]) == 60
    assert not any(one["trip"]["is_incomplete"] for one in done.json["outcomes"])


def test_the_profit_before_fees_is_net_and_fees_together(command):
    """-49.365: printed with the half away from 0, as brokers round."""
    done = look(command, MADE / "c15_net_and_fee_no_gross.csv", columns=f"{CLOSED},fee=Fee")

    assert sum(Decimal(one["trip"]["gross"]) for one in done.json["outcomes"]) == Decimal("-49.365")
    plain = ["--zone", "UTC", "--columns", f"{CLOSED},fee=Fee"]
    said = command("learn", str(MADE / "c15_net_and_fee_no_gross.csv"), *plain)
    assert "the result before costs is" in " ".join(said.out.split())
    assert "−49.37 USDT" in said.out


def test_the_profit_that_a_file_of_a_future_states_counts(command):
    done = look(command, MADE / "c17_es_closed_ours_counts.csv")

    assert [one["trip"]["gross"] for one in done.json["outcomes"]] == ["-500", "500"]


def test_fills_with_and_without_seconds_count_once(command):
    files = [str(MADE / name) for name in ("c20_a_with_seconds.csv", "c20_b_excel_no_seconds.csv")]

    done = command("--json", "learn", *files, "--zone", "UTC", "--columns", PLAIN)

    nets = [Decimal(one["trip"]["net"]) for one in done.json["outcomes"]]
    assert (len(nets), sum(nets)) == (9, Decimal("7.2"))


def test_a_sale_of_more_than_was_bought_asks_for_a_split(command):
    done = command(
        "learn", str(MADE / "c21_split_generic.csv"), "--zone", "UTC", "--columns", PLAIN
    )

    assert "were the shares split while held" in " ".join(done.out.split())


def test_the_time_of_an_execution_is_that_of_its_two_fields(command):
    file, zone = str(MADE / "c23_ibkr_tradetime.xml"), ("--zone", "America/New_York")

    done = command("--json", "layout", "check", file, *zone)

    assert done.json["first"] == "2011-08-11T20:20:00.000000Z"  # 16:20 in New York


@pytest.mark.parametrize(
    "name", ["flex_inj.xml", "fills_symbol_unders.json", "fills_symbol_dots.json"]
)
def test_an_order_in_the_name_of_a_market_does_not_reach_the_snapshot(command, name):
    zone = ("--zone", "America/New_York") if name.endswith(".xml") else ()

    command("learn", "--keep", *zone, str(MADE / name))

    assert "gnore" not in command("snapshot").out


def test_every_made_file_is_in_one_of_the_tests():
    text = Path(__file__).read_text()

    assert [file.name for file in MADE.iterdir() if f'"{file.name}"' not in text] == []
