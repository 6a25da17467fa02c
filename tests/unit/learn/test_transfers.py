"""Coins that are sent away leave the book: they swallow no later trip, and their cost is told."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

BEGIN = datetime(2025, 3, 1, tzinfo=UTC)

Event = tuple[str, str, int]
"""What happened to BTC: `buy`, `sell`, `send` or `receive`, units, and the price of one in EUR."""


def moment(number: int) -> str:
    return f"{BEGIN + timedelta(hours=number):%Y-%m-%d %H:%M:%S}"


def kraken(events: Sequence[Event]) -> list[str]:
    lines = ["txid,refid,time,type,subtype,aclass,asset,wallet,amount,fee,balance"]
    for number, (sort, units, price) in enumerate(events):
        own, other = f"{units}", f"{Decimal(units) * price}"
        legs = {
            "buy": [("trade", "ZEUR", f"-{other}"), ("trade", "XXBT", own)],
            "sell": [("trade", "XXBT", f"-{own}"), ("trade", "ZEUR", other)],
            "send": [("withdrawal", "XXBT", f"-{own}")],
            "receive": [("deposit", "XXBT", own)],
        }[sort]
        lines += [
            f"L{number}{asset},R{number},{moment(number)},{kind},,currency,"
            f"{asset},spot,{amount},0,0"
            for kind, asset, amount in legs
        ]
    return lines


def binance(events: Sequence[Event]) -> list[str]:
    lines = ["User_ID,UTC_Time,Account,Operation,Coin,Change,Remark"]
    for number, (sort, units, price) in enumerate(events):
        own, other = f"{units}", f"{Decimal(units) * price}"
        legs = {
            "buy": [("Transaction Buy", "BTC", own), ("Transaction Spend", "EUR", f"-{other}")],
            "sell": [("Transaction Sold", "BTC", f"-{own}"), ("Transaction Revenue", "EUR", other)],
            "send": [("Withdraw", "BTC", f"-{own}")],
            "receive": [("Deposit", "BTC", own)],
        }[sort]
        lines += [f"1,{moment(number)},Spot,{kind},{coin},{change}," for kind, coin, change in legs]
    return lines


def coinbase(events: Sequence[Event]) -> list[str]:
    rows = []
    for number, (sort, units, price) in enumerate(events):
        total = Decimal(units) * price
        sign = "-" if sort in ("sell", "send") else ""
        rows.append(
            f"id{number},{moment(number)} UTC,{sort.title()},BTC,{sign}{units},EUR,€{price},"
            f"€{total},€{total},€0.00,"
        )
    header = (
        "ID,Timestamp,Transaction Type,Asset,Quantity Transacted,Price Currency,"
        "Price at Transaction,Subtotal,Total (inclusive of fees and/or spread),"
        "Fees and/or Spread,Notes"
    )
    return [header, *reversed(rows)]  # the venue writes the newest first


TRIP: list[Event] = [("buy", "1", 100), ("sell", "1", 101)]


@pytest.fixture(params=[kraken, binance, coinbase], ids=lambda layout: layout.__name__)
def learn(request, command, tmp_path: Path) -> Callable[[list[Event]], Any]:
    """Return the report on a statement of one of the layouts."""

    def run(events: list[Event]) -> Any:
        path = tmp_path / "statement.csv"
        path.write_text("\n".join(request.param(events)) + "\n")
        done = command("learn", str(path), "--zone", "UTC", "--json")
        assert done.code == 0, done.err
        return done.json

    return run


def whole(report: Any) -> int:
    return sum(not one["trip"]["is_incomplete"] for one in report["outcomes"])


def lost(report: Any) -> list[Any]:
    return [one for one in report["unread"] if one["words"].startswith("position")]


def test_units_that_were_sent_away_are_told_and_swallow_no_later_trip(learn):
    report = learn([("buy", "1", 50), ("send", "1", 0), *(10 * TRIP)])

    assert whole(report) == len(report["outcomes"]) == 10
    assert report["trades"]["sums"][0]["net"] == "10"
    (told,) = lost(report)
    assert told["count"] == 1
    assert told["remedy"].startswith("Their fills come to -50")
    assert report["trades"]["open_sums"] == []


def test_a_part_that_was_sent_away_leaves_its_own_trip_incomplete_and_no_other(learn):
    report = learn([("buy", "1", 50), ("send", "0.4", 0), ("sell", "0.6", 60), *TRIP])

    assert [one["trip"]["is_incomplete"] for one in report["outcomes"]] == [True, False]
    assert report["trades"]["sums"][0]["net"] == "1"


def test_a_sale_of_units_that_came_without_a_price_is_told_and_is_no_trip_with_an_entry(learn):
    report = learn([("receive", "1", 0), ("sell", "1", 120), *TRIP])

    (first, second) = report["outcomes"]
    assert first["trip"]["is_incomplete"] and first["trip"]["entry_px"] is None
    assert not second["trip"]["is_incomplete"]
    assert report["trades"]["incomplete_sums"][0]["trips"] == 1


@pytest.mark.parametrize("learn", [kraken], indirect=True)
def test_units_that_came_without_a_price_leave_first(learn):
    report = learn([("receive", "1", 0), ("buy", "1", 100), ("send", "1", 0), ("sell", "1", 101)])

    assert whole(report) == 1
    assert not lost(report)


@pytest.mark.parametrize("learn", [kraken], indirect=True)
def test_units_older_than_the_file_leave_without_a_guess(learn):
    report = learn([("buy", "1", 100), ("send", "7", 0), ("sell", "1", 101)])

    assert whole(report) == 1
    assert not lost(report)
