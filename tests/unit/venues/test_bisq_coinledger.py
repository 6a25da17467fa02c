"""Bisq and CoinLedger: what refuses a row, and what is asked."""

from pathlib import Path

import pytest

from afterword.pipeline.testing.exports import fills_of, items_of

SAMPLES = Path(__file__).parents[1] / "exports/samples"


def test_trades_of_bisq_ask_for_the_zone_of_their_times(command):
    done = command("learn", str(SAMPLES / "bisq-trades.csv"))

    assert done.code == 2 and "--zone UTC" in done.err


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("Sell BTC,Completed", "Sell BTC,Pending", "line 2, column Status"),
        ("BTC/EUR,48250.5000", "XMR/EUR,48250.5000", "line 2, column Market"),
        ("Buy BTC,Completed", "Hold BTC,Completed", "line 4, column Offer type"),
        ("48250.5000,N/A,0.02", "48250.5000,N/A,", "line 2, column Amount in BTC"),
    ],
)
def test_a_row_of_bisq_that_is_not_clear_refuses_the_file(command, tmp_path, old, new, place):
    sample = (SAMPLES / "bisq-trades.csv").read_text()
    assert old in sample
    file = tmp_path / "trades.csv"
    file.write_text(sample.replace(old, new, 1))

    done = command("learn", str(file), "--zone", "UTC")

    assert done.code == 2 and place in done.err


def test_a_fee_of_bisq_that_is_not_stated_is_not_known(command):
    done = command("layout", "check", str(SAMPLES / "bisq-trades.csv"), "--zone", "UTC")

    assert "fees not known of  1" in done.out


def test_accounts_of_coinledger_are_told_apart(command, tmp_path):
    sample = (SAMPLES / "coinledger-history.csv").read_text()
    file = tmp_path / "history.csv"
    other = "2025-03-08T12:30:00.000,Sell,8002,Kraken,Kraken,,,{},\n"
    more = other.format("Debit,TRX,-41") + other.format("Credit,USDT,11.75")
    file.write_text(sample + more)

    accounts = [fill.account for fill in fills_of(items_of(file))]
    assert accounts == ["main/Pionex", "main/Pionex", "main/Kraken"]
    told = command("layout", "check", str(file)).out
    assert "41.979 TRX/USDT of coinledger/Pionex" in told
    assert "-41 TRX/USDT of coinledger/Kraken" in told


def test_a_record_of_a_trade_that_is_no_leg_refuses_the_file(command, tmp_path):
    sample = (SAMPLES / "coinledger-history.csv").read_text()
    file = tmp_path / "history.csv"
    file.write_text(sample.replace("Platform Fee", "Margin Gain"))

    done = command("learn", str(file))

    assert done.code == 2 and "line 4, column Record Type" in done.err
